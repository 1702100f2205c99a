/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/step/branch_step_check.h"

#include "arch/cpu/traps/debug.h"
#include "arch/trace/debugctl.h"
#include "tests/spec/choices/choices.h"

struct walk {
    const struct branch_stepper_result *result;
    struct program *stepped;
    size_t trap; /* traps found so far */
    bool trap_flag;
};

static void append(struct walk *walk, struct transfer row)
{
    if (walk->stepped->count < PROGRAM_TRANSFERS_MAX)
        walk->stepped->truth[walk->stepped->count++] = row;
}

/* The debug exception and the way out of its handler. FROM of the former has two readings (F4.4).
 */
static void append_trap(struct walk *walk, const struct transfer *row)
{
    append(walk, (struct transfer){.from = row->from,
                                   .to = (uint64_t)branch_stepper_entry,
                                   .from_next = row->to,
                                   .kind = TRANSFER_DEBUG,
                                   .from_ring = row->to_ring});
    append(walk, (struct transfer){.from = (uint64_t)branch_stepper_iret,
                                   .to = row->to,
                                   .kind = TRANSFER_IRET,
                                   .to_ring = row->to_ring});
}

static bool trap_is_at(const struct walk *walk, const struct transfer *row)
{
    const struct branch_trap *trap = &walk->result->traps[walk->trap];

    return walk->trap < walk->result->count && walk->trap < BRANCH_TRAPS_MAX &&
           trap->rip == row->to && (trap->cs & 3) == row->to_ring;
}

static bool must_trap(struct test_context *t, const struct walk *walk, const struct transfer *row)
{
    if (transfer_is(row->kind, TRANSFER_IS_NEAR))
        return true;
    if (choice_of(CHOICE_BTF, row->kind) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_BTF, trap_is_at(walk, row) ? VALUE_YES : VALUE_NO, row->kind);
    return choice_of(CHOICE_BTF, row->kind) == VALUE_YES;
}

static void report(struct test_context *t, const struct walk *walk, const struct transfer *row)
{
    const struct branch_trap *trap = &walk->result->traps[walk->trap];

    FIND(t, DEBUG_MISSING, "no debug exception number %zu at %pS in ring %u, after %s from %pS",
         walk->trap, (void *)row->to, row->to_ring, transfer_kind_name(row->kind),
         (void *)row->from);
    test_breaks(t, "BTF-1");
    if (walk->trap < walk->result->count && walk->trap < BRANCH_TRAPS_MAX)
        test_note(t, "number %zu came at %pS in ring %u", walk->trap, (void *)trap->rip,
                  (unsigned)trap->cs & 3u);
    else
        test_note(t, "%zu came altogether", walk->result->count);
}

static bool follow(struct test_context *t, struct walk *walk, const struct transfer *in_truth)
{
    struct transfer row = *in_truth;

    row.from = branch_stepper_address(row.from);
    row.to = branch_stepper_address(row.to);
    append(walk, row);
    if (walk->trap_flag && must_trap(t, walk, &row)) {
        if (!trap_is_at(walk, &row)) {
            report(t, walk, &row);
            return false;
        }
        append_trap(walk, &row);
        walk->trap++;
    }
    if (transfer_is(row.kind, TRANSFER_IS_DELIVERY))
        walk->trap_flag = false;
    if (row.kind == TRANSFER_IRET)
        walk->trap_flag = true;
    return true;
}

static bool expect_bits(struct test_context *t, const char *claim, size_t number, uint64_t got,
                        uint64_t mask, uint64_t expected)
{
    char have[128], want[128];

    if ((got & mask) == expected)
        return true;
    FIND(t, MSR_VALUE, "IA32_DEBUGCTL in the handler of debug exception %zu: %s, expected %s",
         number, debugctl_format(got & mask, have, sizeof have),
         debugctl_format(expected, want, sizeof want));
    test_breaks(t, claim);
    return false;
}

/* BTF and LBR cleared, everything else as it was (F9.4, F4.6, F2.7). */
static bool check_trap(struct test_context *t, size_t number, const struct branch_trap *trap,
                       uint64_t debugctl)
{
    uint64_t kept = ~(uint64_t)(DEBUGCTL_BTF | DEBUGCTL_LBR);

    if (!EXPECT(t, DEBUG_STATUS, trap->status & DR6_BS,
                "DR6 = %#llx for debug exception %zu: BS is not set",
                (unsigned long long)trap->status, number) ||
        !EXPECT(t, DEBUG_STATUS, (trap->status & DR6_ONES) == DR6_ONES,
                "DR6 = %#llx for debug exception %zu: it has cleared bits that are always set",
                (unsigned long long)trap->status, number)) {
        test_breaks(t, "BTF-1");
        return false;
    }
    return expect_bits(t, "BTF-1", number, trap->debugctl, DEBUGCTL_BTF, 0) &&
           expect_bits(t, "LBR-2", number, trap->debugctl, DEBUGCTL_LBR, 0) &&
           expect_bits(t, "LBR-4", number, trap->debugctl, kept, debugctl & kept);
}

bool branch_step_check(struct test_context *t, const struct program *program,
                       const struct branch_stepper_run *run,
                       const struct branch_stepper_result *result, struct program *stepped)
{
    struct walk walk = {.result = result, .stepped = stepped, .trap_flag = run->trap_flag};

    stepped->workload = program->workload;
    stepped->count = 0;
    for (size_t i = 0; i < program->count; i++)
        if (!follow(t, &walk, &program->truth[i]))
            return false;
    if (walk.trap < result->count) {
        FIND(t, DEBUG_EXTRA, "debug exception %zu at %pS, where no taken branch leads", walk.trap,
             (void *)result->traps[walk.trap].rip);
        test_breaks(t, "BTF-1");
        return false;
    }
    for (size_t i = 0; i < walk.trap; i++)
        if (!check_trap(t, i, &result->traps[i], i ? run->rearm : run->debugctl))
            return false;
    return true;
}
