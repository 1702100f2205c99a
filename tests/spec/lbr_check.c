/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/lbr_check.h"

#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/maybe.h"
#include "tests/spec/write_effect.h"
#include "tests/workloads/kinds/smi.h"

#define CORE_DEPTH    4   /* entries: no other processor with 64-bit mode has so few (F8.1) */
#define ROOMY_RECORDS 256 /* more than the program has transfers */
#define OFF_BITS      ((uint64_t)(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR))

const char *lbr_claim(const char *of_model, const char *architectural)
{
    return feature_present(FEATURE_ARCH_LBR) ? architectural : of_model;
}

bool lbr_same(const struct lbr_snapshot *a, const struct lbr_snapshot *b)
{
    for (size_t i = 0; i < lbr_depth(); i++)
        if (!lbr_raw_equal(&a->raw[i], &b->raw[i]))
            return false;
    return a->top_of_stack == b->top_of_stack;
}

bool lbr_is_transfer(const struct lbr_entry *entry, const struct transfer *transfer)
{
    uint64_t mask = entry->upper_half_absent ? UINT32_MAX : UINT64_MAX;

    return entry->from == (transfer->from & mask) && entry->to == (transfer->to & mask);
}

size_t lbr_position_in(const struct program *program, const struct lbr_entry *entry)
{
    size_t position = 0;

    while (position < program->count && !lbr_is_transfer(entry, &program->truth[position]))
        position++;
    return position;
}

static void learn_tr(struct test_context *t, uint64_t bts)
{
    const struct run how = {
        .debugctl = DEBUGCTL_TR | bts,
        .layout = {.records = bts ? ROOMY_RECORDS : 0, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = true,
    };
    struct observation seen;

    if (!(pmu_status() & PERF_GLOBAL_STATUS_LBR_FRZ) && /* a frozen stack tells nothing */
        run_program(t, program_of_workload(&workload_near_branches), &how, &seen))
        choice_learn(t, CHOICE_TR_FEEDS_LBR,
                     lbr_same(&seen.lbr.before, &seen.lbr.after) ? VALUE_NO : VALUE_YES, bts != 0);
}

bool lbr_tr_feeds(struct test_context *t, uint64_t debugctl)
{
    uint64_t bts = debugctl & DEBUGCTL_BTS;

    if (choice_of(CHOICE_TR_FEEDS_LBR, bts != 0) == VALUE_UNKNOWN)
        learn_tr(t, bts);
    return choice_of(CHOICE_TR_FEEDS_LBR, bts != 0) == VALUE_YES;
}

bool lbr_is_undefined_with_tr(void)
{
    return lbr_depth() <= CORE_DEPTH;
}

/* --- a run --- */

static bool is_frozen(const struct facility *registers)
{
    return registers->status & PERF_GLOBAL_STATUS_LBR_FRZ;
}

/* What counts for the stack before the program's own write, and behind it. */
struct states {
    struct facility first, last;
    size_t change; /* the transfer before which it writes; the program's end, if it does not */
};

static struct states states_of(const struct run *run, const struct observation *seen)
{
    const struct program_write write = program_write(seen->program);
    struct states states = {.first = seen->before.registers, .change = seen->program->count};

    states.first.debugctl = run->debugctl;
    states.first.select = run->select;
    states.last = states.first;
    if (write.before == SIZE_MAX)
        return states;
    states.change = write.before;
    write_effect(&states.last, &write.what);
    return states;
}

/* A debug exception clears LBR before its own transfer (F2.7). */
static size_t recorded_transfers(const struct program *program)
{
    size_t count = 0;

    while (count < program->count && !transfer_is(program->truth[count].kind, TRANSFER_IS_DEBUG))
        count++;
    return count;
}

/* A freeze that came meanwhile, of either kind, or an interrupt whose routine the stack has. */
static bool was_stopped(const struct run *run, const struct observation *seen,
                        const struct facility *last)
{
    bool is_cleared = last->debugctl & ~seen->debugctl_end & DEBUGCTL_LBR &&
                      recorded_transfers(seen->program) == seen->program->count;
    bool is_traced =
        seen->interrupts && !(run->hold_off_interrupts && run->delivery == APIC_DELIVERY_FIXED);

    return is_traced || is_cleared || smi_out != SMI_HARMLESS_PORT ||
           is_frozen(last) != is_frozen(&seen->after.registers);
}

/* Addresses of a segment with a base are linear or not (F8.10, F20.4): those programs are left to
 * the tests about that. */
static bool has_base(const struct workload *workload)
{
    return workload->flags & WORKLOAD_BASED || workload == &workload_sled_based;
}

/* A log of somebody's own is that of a test about freezing, which looks at the stack itself. */
static bool is_judged(const struct run *run, const struct observation *seen)
{
    return run->lbr && !run->log && seen->program && !seen->program->ahead &&
           feature_present(FEATURE_LBR) && !has_base(seen->program->workload) &&
           !(run->select & LBR_SELECT_EN_CALLSTACK);
}

/* In a program that halts, the first transfer after HLT: the interrupt that ends it. */
static size_t first_after_hlt(const struct program *program)
{
    size_t i = 0;

    while (i < program->count && program->truth[i].kind != TRANSFER_INTERRUPT)
        i++;
    return i;
}

/* The entry that was the newest when it halted holds nothing any more. */
static bool halt_lost_entries(const struct program *program, const struct lbr_result *result)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t age = program->count - first_after_hlt(program);

    return first_after_hlt(program) > 0 && age < lbr_entries_of(&result->after, entries) &&
           !entries[age].from && !entries[age].to;
}

/* A halt so deep that the stack is lost (F8.6, F20.38) leaves what came after it. */
static bool compare_after_hlt(struct test_context *t, const struct run *run,
                              const struct observation *seen)
{
    const struct program *program = seen->program;
    bool lost = halt_lost_entries(program, &seen->lbr);
    size_t first = first_after_hlt(program);

    choice_learn(t, CHOICE_HALT_LOSES_LBR, lost ? VALUE_YES : VALUE_NO);
    if (lost)
        return lbr_compare_newest(t, program->truth + first, program->count - first, &seen->lbr);
    return lbr_compare(t, program->truth, program->count, run->select, &seen->lbr);
}

/* Of TR without LBR, whether it feeds the stack was learnt (D 9); with what filter, with branches
 * that an OFF bit skips, or while the stack is frozen, is not said. */
static enum maybe records(const struct facility *set)
{
    enum choice_value feeds;

    if (is_frozen(set))
        return freeze_of_lbr_is_open() || set->debugctl & DEBUGCTL_TR ? MAYBE : NO;
    if (!(set->debugctl & DEBUGCTL_TR))
        return set->debugctl & DEBUGCTL_LBR ? YES : NO;
    if (lbr_is_undefined_with_tr())
        return MAYBE;
    if (set->debugctl & DEBUGCTL_LBR)
        return YES;
    if (set->select)
        return MAYBE;
    feeds = choice_of(CHOICE_TR_FEEDS_LBR, (set->debugctl & DEBUGCTL_BTS) != 0);
    if (feeds == VALUE_UNKNOWN || (feeds == VALUE_YES && set->debugctl & OFF_BITS))
        return MAYBE;
    return feeds == VALUE_YES ? YES : NO;
}

static bool expect_unchanged(struct test_context *t, const struct facility *set,
                             const struct lbr_result *stack)
{
    const char *why = is_frozen(set)                ? "LBR_Frz is set"
                      : set->debugctl & DEBUGCTL_TR ? "LBR is clear, and TR did not feed it before"
                                                    : "LBR and TR are clear";

    return EXPECT(t, LBR_EXTRA, lbr_same(&stack->before, &stack->after),
                  "the LBR stack changed although %s", why);
}

/* Those before the program's write, those behind it, or both. */
static bool compare_recorded(struct test_context *t, const struct states *states,
                             const struct observation *seen, size_t end)
{
    const uint64_t selects[] = {states->first.select, states->last.select};
    size_t start = records(&states->first) == YES ? 0 : states->change;
    size_t change = states->change < end ? states->change : end;

    if (records(&states->last) != YES)
        end = change;
    return lbr_compare_across(t, seen->program->truth + start, end - start, change - start, selects,
                              &seen->lbr);
}

/* Behind a debug exception that clears LBR it is not said what TR feeds. */
static bool is_open(const struct states *states, bool clears)
{
    bool with_tr = (states->first.debugctl | states->last.debugctl) & DEBUGCTL_TR;
    bool writes = states->first.debugctl != states->last.debugctl;

    return records(&states->first) == MAYBE || records(&states->last) == MAYBE ||
           (clears && (with_tr || writes));
}

static bool check(struct test_context *t, const struct run *run, const struct observation *seen,
                  const struct states *states)
{
    size_t end = recorded_transfers(seen->program);

    if (is_open(states, end < seen->program->count))
        return true;
    if (records(&states->first) == NO && records(&states->last) == NO)
        return expect_unchanged(t, &states->first, &seen->lbr);
    if (seen->program->workload == &workload_kernel_hlt)
        return compare_after_hlt(t, run, seen);
    return compare_recorded(t, states, seen, end);
}

bool lbr_check(struct test_context *t, const struct run *run, const struct observation *seen)
{
    struct states states;

    if (!is_judged(run, seen))
        return true;
    states = states_of(run, seen);
    if (was_stopped(run, seen, &states.last) || check(t, run, seen, &states))
        return true;
    test_breaks(t, "LBR-1");
    if (is_frozen(&states.first) || is_frozen(&states.last))
        test_breaks(t, "FRZ-5");
    return false;
}

void lbr_check_prepare(struct test_context *t, const struct program *program, const struct run *run)
{
    bool feeds = run->debugctl & DEBUGCTL_TR && !(run->debugctl & DEBUGCTL_LBR);
    static struct program copy;

    if (!run->lbr || !program || !feeds || lbr_is_undefined_with_tr() ||
        choice_of(CHOICE_TR_FEEDS_LBR, (run->debugctl & DEBUGCTL_BTS) != 0) != VALUE_UNKNOWN)
        return;
    copy = *program;
    lbr_tr_feeds(t, run->debugctl);
    program_restore(&copy);
}
