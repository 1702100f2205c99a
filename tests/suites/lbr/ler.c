/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the last-exception record hold the last branch before the last exception or interrupt
 * (LER-1), in 64-bit and in compatibility mode?
 *
 * Whether INT n, debug exceptions, and anything while LBR is clear count is not said (F8.32,
 * F8.33): observed and held to.
 */
#include "arch/trace/lbr.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/exception.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"
#include "tests/suites/lbr/lbr_workloads.h"

#define RECORDS 64 /* of the branch trace store, where that is on as well */

/*
 * IF = 0 until the record is read: another interrupt would overwrite it. Nor is the LBR stack
 * cleared: where its registers cannot be written that raises exceptions, which may count.
 */
static struct ler record_after(struct test_context *t, const struct program *program,
                               uint64_t debugctl)
{
    const struct run run = {
        .debugctl = debugctl,
        .layout = {.records = debugctl & DEBUGCTL_BTS ? RECORDS : 0, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .hold_off_interrupts = true,
    };
    struct ler record;

    insn_cli();
    observe_run(t, program, &run);
    ler_read(&record);
    insn_sti();
    return record;
}

/* The record of a program that no test uses. */
static struct ler known_record(struct test_context *t)
{
    return record_after(t, program_of_workload(&workload_compat_ud), DEBUGCTL_LBR);
}

static const char *ler_claim(void)
{
    return lbr_claim("LER-1", "ALBR-9");
}

static bool same(const struct ler *a, const struct ler *b)
{
    return a->from == b->from && a->to == b->to;
}

static bool is_event(uint32_t kind)
{
    return transfer_is(kind, TRANSFER_IS_DELIVERY | TRANSFER_IS_DEBUG);
}

/* The branch before the program's last exception or interrupt; every program begins with a CALL. */
static const struct transfer *transfer_before_event(const struct program *program)
{
    size_t i = program->count;

    while (i > 1 && !is_event(program->truth[i - 1].kind))
        i--;
    return &program->truth[i - 2];
}

static struct ler branch_before_event(const struct program *program)
{
    const struct transfer *transfer = transfer_before_event(program);

    return (struct ler){.from = transfer->from, .to = transfer->to};
}

static void expect_record(struct test_context *t, const struct ler *got, const struct ler *expected)
{
    const char *where = "the last-exception record";

    test_checked(t);
    if (got->from != expected->from)
        test_find(t, &(struct finding){.kind = FINDING_LER_FROM,
                                       .where = where,
                                       .expected = expected->from,
                                       .got = got->from});
    if (got->to != expected->to)
        test_find(t, &(struct finding){.kind = FINDING_LER_TO,
                                       .where = where,
                                       .expected = expected->to,
                                       .got = got->to});
}

/* What INFO says beside the type is this processor's own affair, but never what it said of the
 * record before: that one was of another type (F20.34). */
static void expect_info(struct test_context *t, const struct ler *got, uint32_t kind)
{
    unsigned type = got->info >> 56 & 15;

    if (lbr_stack()->architectural && lbr_arch()->has_type)
        EXPECT(t, LBR_FLAGS, lbr_type_fits(kind, type),
               "the last-exception record of %s has BR_TYPE %u", transfer_kind_name(kind), type);
}

static void check_program(struct test_context *t, const struct program *program, uint64_t debugctl)
{
    struct ler expected = branch_before_event(program);
    struct ler got = record_after(t, program, debugctl);

    expect_record(t, &got, &expected);
    expect_info(t, &got, transfer_before_event(program)->kind);
}

static void check_under(struct test_context *t, const struct workload *workload, uint64_t debugctl)
{
    check_program(t, program_of_workload(workload), debugctl);
}

static void check(struct test_context *t, const struct workload *workload)
{
    check_under(t, workload, DEBUGCTL_LBR);
}

/* With TF clear BTF has no effect (F9.1). That comes first: each run leaves the same record. */
TEST(ler, last_branch_before_an_exception, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER))
{
    TEST_EACH_OF(t, exception, faults, faults_end, ler_claim(), "%s", (*exception)->name) {
        check_under(t, *exception, DEBUGCTL_LBR | (DEBUGCTL_BTF & debugctl_enumerated()));
        check(t, *exception);
    }
}

/* Each bit beside LBR that has nothing to do with it, and branch trace stores. */
TEST(ler, beside_each_bit_of_debugctl, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER, BTS))
{
    uint64_t bits = debugctl_enumerated() & ~(uint64_t)(DEBUGCTL_LBR | DEBUGCTL_TR);

    for (uint64_t left = bits; left && !test_has_failed(t); left &= left - 1)
        check_under(t, faults[0], DEBUGCTL_LBR | (left & -left));
    if (!lbr_is_undefined_with_tr())
        for (workload_list at = faults; at < faults_end && !test_has_failed(t); at++)
            check_under(t, *at, DEBUGCTL_LBR | DEBUGCTL_TR | DEBUGCTL_BTS);
}

TEST(ler, last_branch_before_an_interrupt, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER, APIC, SYSCALL))
{
    const struct workload *const interrupted[] = {
        &workload_kernel_interrupted, &workload_user_interrupted, &workload_user_interrupted_later};

    TEST_EACH(t, at, interrupted, ler_claim(), "%s", (*at)->name) {
        hold_off_and_send();
        check(t, *at);
        let_in_and_end();
    }
}

/* It sends itself one. */
static const struct program *program_of_nmi(void)
{
    static struct program program;

    program = *program_of_workload(apic_mode() == APIC_MODE_X2APIC ? &workload_kernel_nmi_x2apic
                                                                   : &workload_kernel_nmi);
    program.argument = apic_prepare_self_nmi();
    return &program;
}

/* IF = 0 does not keep it out. */
TEST(ler, last_branch_before_an_nmi, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER, APIC))
{
    check(t, &workload_compat_ud); /* another record */
    interrupted_at = 0;
    interrupt_gate_direct(VECTOR_NMI, interrupted_handler, 0);
    check_program(t, program_of_nmi(), DEBUGCTL_LBR);
    interrupt_gate_reset(VECTOR_NMI);
    EXPECT(t, SETUP, interrupted_at != 0, "the NMI did not come");
}

/* The last branch is one of 32-bit code: the upper halves are clear. */
TEST(ler, compatibility_mode, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER))
{
    check(t, &workload_compat_ud);
}

/* Branches without an exception or interrupt leave the record as it is. */
TEST(ler, branches_leave_it_alone, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER, SYSCALL))
{
    struct ler before = known_record(t), after;

    after = record_after(t, program_of_workload(&workload_near_branches), DEBUGCTL_LBR);
    expect_record(t, &after, &before);
    after = record_after(t, program_of_workload(&workload_user_branches), DEBUGCTL_LBR);
    expect_record(t, &after, &before);
}

/* --- what the manual leaves open --- */

/* The newest entry, which nothing has recorded since LBR was cleared. */
static struct ler newest_entry(void)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];

    lbr_read(entries);
    return (struct ler){.from = entries[0].from, .to = entries[0].to};
}

/* In the order in which they are distinguished; a copy only where LBR was clear. */
static enum choice_value first_that_fits(const struct ler *after, const struct ler *expected,
                                         bool may_copy)
{
    if (same(after, &expected[VALUE_UPDATED]))
        return VALUE_UPDATED;
    if (same(after, &expected[VALUE_LEFT_ALONE]))
        return VALUE_LEFT_ALONE;
    return may_copy && same(after, &expected[VALUE_COPIED]) ? VALUE_COPIED : VALUE_UNKNOWN;
}

/* IA32_LER_x hold the branch before INT n, too, and stay while LBREn is clear (F20.34). */
static bool is_settled(enum choice choice, uint32_t kind)
{
    return choice == CHOICE_LER_WITHOUT_LBR || (choice == CHOICE_LER && kind == TRANSFER_INT);
}

/* Runs the program from a known record. Anything but the three, or several in turn, fails. */
static void learn(struct test_context *t, enum choice choice, uint32_t kind,
                  const struct workload *workload, uint64_t debugctl)
{
    struct ler before = known_record(t), after, expected[VALUE_COUNT] = {{0}};
    const struct program *program = program_of_workload(workload);
    enum choice_value known = choice_of(choice, kind);

    after = record_after(t, program, debugctl);
    expected[VALUE_UPDATED] = branch_before_event(program);
    expected[VALUE_LEFT_ALONE] = before;
    expected[VALUE_COPIED] = newest_entry();
    if (lbr_stack()->architectural && is_settled(choice, kind))
        known = choice == CHOICE_LER ? VALUE_UPDATED : VALUE_LEFT_ALONE;
    if (known == VALUE_UNKNOWN) {
        known = first_that_fits(&after, expected, !(debugctl & DEBUGCTL_LBR));
        if (known != VALUE_UNKNOWN)
            choice_learn(t, choice, known, kind);
    }
    expect_record(t, &after, &expected[known == VALUE_UNKNOWN ? VALUE_UPDATED : known]);
}

TEST(ler, software_interrupts, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER))
{
    for (workload_list at = software_interrupts; at < software_interrupts_end; at++)
        learn(t, CHOICE_LER, has_kind(*at, TRANSFER_INT3) ? TRANSFER_INT3 : TRANSFER_INT, *at,
              DEBUGCTL_LBR);
}

TEST(ler, debug_exceptions, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER))
{
    static const uint32_t causes[] = {TRANSFER_INT1, TRANSFER_DEBUG, TRANSFER_CODE_BREAK,
                                      TRANSFER_DATA_BREAK};

    for (workload_list at = debug_exceptions; at < debug_exceptions_end; at++) {
        if ((*at)->flags & WORKLOAD_INT1 && probe_int1().vector != VECTOR_DB)
            continue;
        for (size_t i = 0; i < COUNT_OF(causes); i++)
            if (has_kind(*at, causes[i]))
                learn(t, CHOICE_LER, causes[i], *at, DEBUGCTL_LBR);
    }
}

TEST(ler, exceptions_while_lbr_is_clear, CLAIMS("LER-1", "ALBR-9"), NEEDS(LER))
{
    for (workload_list at = faults; at < faults_end; at++)
        learn(t, CHOICE_LER_WITHOUT_LBR, 0, *at, 0);
}

/* --- architectural: IA32_LBR_CTL's filters --- */

/* A JMP is the last branch before the exception, and left out; the one before it is let in. */
static void check_filtered(struct test_context *t)
{
    const struct program *program = program_of_workload(&workload_compat_ud);
    const struct transfer *last = transfer_before_event(program), *let_in = last - 1;
    const struct ler passed = {.from = let_in->from, .to = let_in->to};
    struct ler updated = branch_before_event(program), after;

    lbr_select(LBR_SELECT_NEAR_REL_JMP);
    after = record_after(t, program, DEBUGCTL_LBR);
    lbr_select(0);
    if (choice_of(CHOICE_LER_FILTERED) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_LER_FILTERED, same(&after, &passed) ? VALUE_YES : VALUE_NO);
    expect_record(t, &after, choice_of(CHOICE_LER_FILTERED) == VALUE_YES ? &passed : &updated);
}

/* Whether they hold for this record is not said (F20.35): they always do, or never. */
TEST(ler, filters_of_the_stack, CLAIMS("ALBR-9"), NEEDS(LER, ARCH_LBR, LBR_SELECT))
{
    for (unsigned turn = 0; turn < 2; turn++) {
        check_under(t, faults[0], DEBUGCTL_LBR); /* another record */
        check_filtered(t);
    }
}
