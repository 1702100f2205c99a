/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the LBR stack hold the last taken branches, interrupts and exceptions, each with its FROM
 * and TO, in order, and nothing else? What it says of mispredictions and cycles: lbr_flags.c.
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"
#include "tests/suites/lbr/lbr_workloads.h"

static const struct run recording = {.debugctl = DEBUGCTL_LBR, .lbr = true};

TEST(lbr, records_each_kind_of_branch, CLAIMS("LBR-1", "ALBR-2", "ALBR-5"), NEEDS(LBR, SYSCALL))
{
    if (trace_features()->perf_capabilities_readable)
        choice_learn(t, CHOICE_LBR_FORMAT,
                     trace_features()->perf_capabilities & PERF_CAPABILITIES_LBR_FORMAT);
    TEST_EACH_OF(t, at, single_branches, single_branches_end, "LBR-1", "%s", (*at)->name)
        observe_run(t, program_of_workload(*at), &recording);
}

/* All conditions, operands and targets, a call of the next instruction among them (F4.10). */
TEST(lbr, records_near_branches_of_every_form, CLAIMS("LBR-1", "ALBR-2"), NEEDS(LBR, SYSCALL))
{
    for (const struct workload *const *at = near_kinds; at < near_kinds_end; at++)
        if (!observe_run(t, program_of_workload(*at), &recording))
            test_note(t, "the workload was %s", (*at)->name);
}

static const struct faulting {
    const struct workload *workload;
    void (*landing)(void);
} undefined[] = {{&workload_kernel_fault, kernel_fault_landing},
                 {&workload_user_fault, user_fault_landing}};

static void check_fault(struct test_context *t, const struct faulting *fault, uint64_t select)
{
    struct run run = recording;

    run.select = select;
    interrupt_gate_direct(VECTOR_UD, fault->landing, 0);
    observe_run(t, program_of_workload(fault->workload), &run);
    interrupt_gate_reset(VECTOR_UD);
}

TEST(lbr, records_exceptions, CLAIMS("LBR-1", "ALBR-2"), NEEDS(LBR))
{
    TEST_EACH(t, row, undefined, "LBR-1", "%s", row->workload->name)
        check_fault(t, row, 0);
}

/* The processor itself said where it was interrupted: that goes into the truth (F4.3). */
static void put_interrupted_address(struct program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        if (program->truth[i].from == 0)
            program->truth[i].from = interrupted_at;
        if (program->truth[i].to == 0)
            program->truth[i].to = interrupted_at;
    }
}

/* feeds: whether this setting of IA32_DEBUGCTL and MSR_LBR_SELECT records. */
static void check_interrupt(struct test_context *t, const struct workload *workload,
                            uint64_t debugctl, uint64_t select, bool feeds)
{
    static struct program program;
    struct run run = recording;
    struct observation seen;

    run.debugctl = debugctl;
    run.select = select;
    program = *program_of_workload(workload);
    run.hold_off_interrupts = true;
    run.once = true; /* one interrupt was sent */
    interrupted_at = 0;
    hold_off_and_send();
    observe(t, &program, &run, &seen);
    let_in_and_end();
    if (!EXPECT(t, SETUP, interrupted_at != 0, "the interrupt did not come"))
        return;
    put_interrupted_address(&program);
    if (feeds)
        lbr_compare(t, program.truth, program.count, run.select, &seen.lbr);
    else
        EXPECT(t, LBR_EXTRA, lbr_same(&seen.lbr.before, &seen.lbr.after),
               "the stack changed, although it stood still with TR set and LBR clear before");
}

static const struct workload *const interrupted[] = {
    &workload_kernel_interrupted, &workload_user_interrupted, &workload_user_interrupted_later};

TEST(lbr, records_interrupts, CLAIMS("LBR-1", "ALBR-2"), NEEDS(LBR, APIC, SYSCALL))
{
    TEST_EACH(t, at, interrupted, "LBR-1", "%s", (*at)->name)
        check_interrupt(t, *at, DEBUGCTL_LBR, 0, true);
}

/* Interrupts and exceptions are no near branches (F8.20); whether the bit of far branches means
 * them is not said. */
TEST(lbr, select_of_near_branches_leaves_events, CLAIMS("LBR-1", "ALBR-3"),
     NEEDS(LBR_SELECT, APIC, SYSCALL))
{
    const uint64_t near[] = {LBR_SELECT_JCC,           LBR_SELECT_NEAR_REL_CALL,
                             LBR_SELECT_NEAR_IND_CALL, LBR_SELECT_NEAR_RET,
                             LBR_SELECT_NEAR_IND_JMP,  LBR_SELECT_NEAR_REL_JMP};

    TEST_EACH(t, bit, near, lbr_claim("LBR-1", "ALBR-3"), "select_%02lx", *bit) {
        for (size_t i = 0; i < COUNT_OF(interrupted); i++)
            check_interrupt(t, interrupted[i], DEBUGCTL_LBR, *bit, true);
        for (size_t i = 0; i < COUNT_OF(undefined); i++)
            check_fault(t, &undefined[i], *bit);
    }
    lbr_select(0);
}

/* By what lbr_debug.tr_without_lbr finds for branches. */
TEST_UNLESS(lbr, tr_alone_and_interrupts, CLAIMS("LBR-3"), NEEDS(LBR, BTS, APIC, SYSCALL),
            lbr_is_undefined_with_tr(),
            "an LBR stack of %zu entries is undefined while TR is set (F2.8)", lbr_depth())
{
    TEST_EACH(t, at, interrupted, "LBR-3", "%s", (*at)->name)
        check_interrupt(t, *at, DEBUGCTL_TR, 0, lbr_tr_feeds(t, DEBUGCTL_TR));
}

static const struct workload *const whole[] = {&workload_near_branches, &workload_user_branches,
                                               &workload_rings};

TEST(lbr, keeps_the_newest_of_whole_programs, CLAIMS("LBR-1", "ALBR-2"), NEEDS(LBR, SYSCALL))
{
    TEST_EACH(t, at, whole, "LBR-1", "%s", (*at)->name)
        observe_run(t, program_of_workload(*at), &recording);
}

/* Every fill of the stack from two branches to several laps: which remain, and where. */
TEST(lbr, wraps, CLAIMS("LBR-1", "ALBR-2"), NEEDS(LBR))
{
    size_t last = 3 * lbr_depth() + 2;

    for (size_t branches = PROGRAM_SLED_EXTRA; branches <= last && !test_has_failed(t); branches++)
        observe_run(t, program_of_length(branches), &recording);
    if (!test_has_failed(t))
        observe_run(t, program_of_length(SLED_LENGTH), &recording);
}

static void run_with(uint64_t debugctl, const struct program *program)
{
    const struct run run = {.debugctl = debugctl};
    struct observation ignored;

    run_quietly(program, &run, &ignored);
}

/* What was there stays, to the last bit. */
TEST(lbr, off_changes_nothing, CLAIMS("LBR-1"), NEEDS(LBR))
{
    struct lbr_snapshot before, after;

    run_with(DEBUGCTL_LBR, program_of_length(2 * LBR_DEPTH_MAX));
    lbr_capture(&before);
    run_with(0, program_of_workload(&workload_near_branches));
    lbr_capture(&after);
    EXPECT(t, LBR_EXTRA, lbr_same(&before, &after),
           "the stack changed while DEBUGCTL.LBR was clear");
}

/* Nor does any other bit alone, but TR, of which lbr_debug.tr_without_lbr speaks. */
TEST(lbr, no_other_bit_records, CLAIMS("LBR-1"), NEEDS(LBR, BTS))
{
    uint64_t bits = debugctl_enumerated() & ~(uint64_t)(DEBUGCTL_LBR | DEBUGCTL_TR);
    char names[128];

    for (uint64_t left = bits; left && !test_has_failed(t); left &= left - 1) {
        const struct run run = {
            .debugctl = left & -left,
            .layout = {.records = BTS_RECORDS_MAX, .threshold = BTS_NO_THRESHOLD},
            .policy = PMI_COUNT,
            .lbr = true,
        };
        struct observation seen;

        if (observe(t, program_of_workload(&workload_near_branches), &run, &seen))
            EXPECT(t, LBR_EXTRA, lbr_same(&seen.lbr.before, &seen.lbr.after),
                   "the stack changed while of LBR, TR and %s the last alone was set",
                   debugctl_format(run.debugctl, names, sizeof names));
    }
}

/* And goes on where it stopped. */
TEST(lbr, goes_on_where_it_stopped, CLAIMS("LBR-1", "ALBR-2"), NEEDS(LBR))
{
    struct transfer truth[2 * PROGRAM_SLED_EXTRA + 2];
    const struct program *program = program_of_length(PROGRAM_SLED_EXTRA + 1);
    struct lbr_result result;
    size_t count = 0;

    run_fill_stack();
    lbr_capture(&result.before);
    for (unsigned turn = 0; turn < 2; turn++) {
        run_with(DEBUGCTL_LBR, program);
        for (size_t i = 0; i < program->count; i++)
            truth[count++] = program->truth[i];
    }
    lbr_capture(&result.after);
    lbr_compare(t, truth, count, 0, &result);
}

/*
 * The reader of arch/trace is straight code: of a stack that records while it is read, the newest
 * entry is the call that began the reading.
 */
TEST(lbr, can_be_read_while_it_records, CLAIMS("LBR-1"), NEEDS(LBR))
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    struct lbr_snapshot snapshot;

    lbr_clear();
    debugctl_write_safe(DEBUGCTL_LBR);
    lbr_capture(&snapshot);
    debugctl_write_safe(0);
    lbr_entries_of(&snapshot, entries);
    EXPECT(t, LBR_TO, (uint32_t)entries[0].to == (uint32_t)(uint64_t)lbr_capture_registers,
           "the newest entry leads to %pS, not to the reader", (void *)entries[0].to);
}

/* The form of processors before Intel 64: FROM below, TO above (LBR-5). */
TEST(lbr, packed_form_is_decoded, CLAIMS("LBR-5"), NEEDS())
{
    struct lbr_entry entry = lbr_decode_packed(0xfedcba9876543210);

    EXPECT(t, LBR_FROM, entry.from == 0x76543210, "FROM is read as %#lx", entry.from);
    EXPECT(t, LBR_TO, entry.to == 0xfedcba98, "TO is read as %#lx", entry.to);
}

/* --- with branch trace messages as well: each branch is one entry all the same (F2.8) --- */

#define CORE_DEPTH 4 /* entries on Core microarchitecture, whose stack is undefined then (F2.8) */

/* Does anything get into the stack? */
static void learn_with(struct test_context *t, const struct run *run)
{
    struct observation seen;

    if (observe(t, program_of_workload(&workload_near_branches), run, &seen))
        choice_learn(t, CHOICE_LBR_WITH_TR,
                     lbr_same(&seen.lbr.before, &seen.lbr.after) ? VALUE_NO : VALUE_YES,
                     !!(run->debugctl & DEBUGCTL_BTS));
}

static void check_with(struct test_context *t, uint64_t more)
{
    const struct run run = {
        .debugctl = DEBUGCTL_LBR | more,
        .layout = {.records = more & DEBUGCTL_BTS ? BTS_RECORDS_MAX : 0,
                   .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = true,
    };

    learn_with(t, &run);
    if (lbr_depth() <= CORE_DEPTH) {
        test_skip(t, "an LBR stack of %zu entries is undefined while TR is set", lbr_depth());
        return;
    }
    for (size_t i = 0; i < COUNT_OF(whole); i++)
        if (!observe_run(t, program_of_workload(whole[i]), &run))
            test_note(t, "the workload was %s", whole[i]->name);
    observe_run(t, program_of_length(3 * lbr_depth() + 1), &run);
}

TEST(lbr, records_while_tr_is_set, CLAIMS("LBR-1"), NEEDS(LBR, BTS, SYSCALL))
{
    check_with(t, DEBUGCTL_TR);
}

TEST(lbr, records_while_bts_stores, CLAIMS("LBR-1"), NEEDS(LBR, BTS, SYSCALL))
{
    check_with(t, DEBUGCTL_TR | DEBUGCTL_BTS);
}
