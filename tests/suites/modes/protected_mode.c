/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recording in protected mode while IA-32e mode is off: a processor that starts goes there from
 * real-address mode, before it has paging. With DTES64 the 64-bit layouts hold there, too (F1.5),
 * and the last-exception record has the lower halves of the addresses (LER-1).
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/identity_area.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/run/protected_code.h"
#include "tests/run/run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/compare.h"
#include "tests/spec/counts.h"
#include "tests/workloads/modes/protected_mode.h"

#define RECORDS     64
#define RECORDS_FEW 8 /* fewer than there are branches */
#define TRACING     (DEBUGCTL_TR | DEBUGCTL_BTS)

/* --- BTS records --- */

static struct protected_mode_data *prepare_branches(const struct ds_management_area *area)
{
    struct protected_mode_data *data = protected_code_prepare(protected_branches, protected_enter,
                                                              protected_leave, protected_back);

    data->ds_area = (uint64_t)(uintptr_t)area;
    data->on = TRACING;
    data->based = protected_code_pointer(protected_branches, protected_based, PROTECTED_CODE_BASED,
                                         data->start);
    data->call = protected_code_pointer(protected_branches, protected_call, PROTECTED_CODE_FLAT, 0);
    return data;
}

/* On the other processor, from start-up on. False when it did not start. */
static bool run_branches(struct test_context *t, const struct ds_management_area *area)
{
    const struct real_mode_code code = {protected_branches,
                                        (size_t)(protected_branches_end - protected_branches)};
    const struct protected_mode_data *data = prepare_branches(area);

    if (!other_record_in_real_mode(t, 1, &code, TRACING))
        return false;
    EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL right before it was cleared", data->debugctl,
                 TRACING);
    return true;
}

static const struct expected *branches_expected(void)
{
    return low_code_expected(protected_branches, protected_truth, protected_truth_end);
}

static void check_in_a_row(struct test_context *t)
{
    size_t index = bts_index();

    if (!EXPECT(t, INDEX, index <= RECORDS, "the BTS index points at no record of the buffer"))
        return;
    if (compare_records(t, branches_expected(), bts_records(), index) == UNLIKE)
        test_note(t, "protected_branches runs at %#lx",
                  low_code_address(protected_branches, (uintptr_t)protected_branches));
    expect_no_stray_write(t, index);
}

static void check_circular(struct test_context *t, size_t capacity)
{
    compare_circular(t, branches_expected(), bts_records(), capacity);
    expect_no_stray_write(t, capacity);
}

static void check_branches(struct test_context *t, size_t records, size_t capacity)
{
    const struct ds_management_area *area = identity_area_open(t, records, NULL);

    if (area && run_branches(t, area)) {
        if (capacity)
            check_circular(t, capacity);
        else
            check_in_a_row(t);
        other_make_quiet(t, 1);
        other_stop(t, 1);
    }
    identity_area_close();
}

TEST(protected_mode, stores_64_bit_records, CLAIMS("DS-8", "BTS-1", "BTS-2"),
     NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    check_branches(t, RECORDS, 0);
}

TEST(protected_mode, wraps_in_the_64_bit_layout, CLAIMS("DS-8", "BTS-2", "BTS-3"),
     NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    check_branches(t, RECORDS_FEW, limit_capacity(t, RECORDS_FEW, false));
}

/* --- virtual-8086 mode, where CPL is 3 --- */

/* Its truth as a program, at the addresses where it runs. */
static const struct program *program_of_8086(void)
{
    static const struct workload nothing_to_land;
    static struct program program = {.workload = &nothing_to_land};

    program.count = 0;
    for (const struct transfer *row = protected_8086_truth; row < protected_8086_truth_end; row++) {
        struct transfer *transfer = &program.truth[program.count++];

        *transfer = *row;
        transfer->from = low_code_address(protected_8086, row->from);
        transfer->to = low_code_address(protected_8086, row->to);
    }
    return &program;
}

/* --- counts above CPL 0: once the code has read the counter, of virtual-8086 code alone --- */

static const struct counter above_cpl_0 = {.number = 0};

static bool can_count(void)
{
    return feature_present(FEATURE_PERFMON2) && pmu_event_available(PMU_BRANCHES);
}

static void begin_count(void *unused)
{
    (void)unused;
    pmu_reset();
    pmu_program(above_cpl_0, PMU_BRANCHES, COUNTER_USR);
    pmu_set_global_control(pmu_global_bit(above_cpl_0));
}

static void end_count(void *count)
{
    *(uint64_t *)count = pmu_read(above_cpl_0);
}

/* A branch that is not taken is in no row of the truth; a far one may count twice (F21.32). */
static void check_count(struct test_context *t, uint64_t before)
{
    const struct program *program = program_of_8086();
    uint64_t count = 0, least = 0;

    for (size_t i = 0; i < program->count; i++)
        least +=
            program->truth[i].from_ring && transfer_is(program->truth[i].kind, TRANSFER_IS_NEAR);
    if (other_run(t, 1, end_count, &count) &&
        !counts_between(t, "branches above CPL 0 by IA32_PMC0",
                        (count - before) & pmu_counter_mask(above_cpl_0), least,
                        2 * least + COUNT_SLACK,
                        UNDER(FILTERED) | counting_circumstances(above_cpl_0)))
        test_breaks(t, "PM-1");
}

static bool run_8086(struct test_context *t, const struct ds_management_area *area,
                     uint64_t debugctl)
{
    const struct real_mode_code code = {protected_8086,
                                        (size_t)(protected_8086_end - protected_8086)};
    struct protected_mode_data *data = protected_code_prepare(
        protected_8086, protected_8086_enter, protected_8086_leave, protected_8086_back);

    data->ds_area = (uint64_t)(uintptr_t)area;
    data->on = debugctl;
    data->idt[VECTOR_UD] =
        protected_code_gate(low_code_address(protected_8086, (uintptr_t)protected_8086_handler));
    data->asked[0] = data->asked[1] = can_count() ? IA32_PMC0 : IA32_APIC_BASE;
    if (can_count() && !(other_start(t, 1) && other_run(t, 1, begin_count, NULL)))
        return false;
    if (!other_record_in_real_mode(t, 1, &code, debugctl))
        return false;
    if (can_count())
        check_count(t, data->answer[0]);
    EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL right before it was cleared", data->debugctl,
                 debugctl);
    return true;
}

static void check_8086(struct test_context *t, uint64_t debugctl)
{
    const struct ds_management_area *area = identity_area_open(t, RECORDS, NULL);

    if (area && run_8086(t, area, debugctl)) {
        const struct expected *expected = expected_of(t, program_of_8086(), debugctl, NULL);
        size_t index = bts_index();

        if (EXPECT(t, INDEX, index <= RECORDS, "the BTS index points at no record of the buffer") &&
            expected)
            compare_records(t, expected, bts_records(), index);
        other_make_quiet(t, 1);
        other_stop(t, 1);
    }
    identity_area_close();
}

TEST(protected_mode, virtual_8086_code_is_no_ring_0,
     CLAIMS("T17-6.3", "T17-6.4", "T17-6.5", "PM-1"), NEEDS(SECOND_PROCESSOR, BTS, DTES64, DS_CPL))
{
    const struct {
        const char *name, *claim;
        uint64_t debugctl;
    } cases[] = {
        {"every_branch", "T17-6.3", TRACING},
        {"above_cpl_0_alone", "T17-6.4", TRACING | DEBUGCTL_BTS_OFF_OS},
        {"cpl_0_alone", "T17-6.5", TRACING | DEBUGCTL_BTS_OFF_USR},
    };

    TEST_EACH(t, row, cases, row->claim, "%s", row->name)
        check_8086(t, row->debugctl);
}

/* --- the last-exception record and the LBR stack --- */

/* Bits of an address above the lower half that no format has flags in (F8.17). */
#define UPPER(value) ((value) >> 32 & 0xffff)

static struct ler known; /* addresses of 64-bit code */
static struct lbr_entry entries[LBR_DEPTH_MAX];

static void leave_a_record(void *unused)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .hold_off_interrupts = true};
    static struct observation ignored;

    (void)unused;
    insn_cli();
    run_quietly(program_of_workload(&workload_kernel_fault), &run, &ignored);
    ler_read(&known);
    insn_sti();
}

static void read_stack(void *unused)
{
    (void)unused;
    lbr_read(entries);
}

/* On the other processor: a record with upper halves, INIT, and the UD2. */
static const struct protected_mode_data *run_ud(struct test_context *t)
{
    const struct real_mode_code code = {protected_ud, (size_t)(protected_ud_end - protected_ud)};
    struct protected_mode_data *data;

    if (!other_start(t, 1) || !other_run(t, 1, leave_a_record, NULL))
        return NULL;
    data = protected_code_prepare(protected_ud, protected_ud_enter, protected_ud_leave,
                                  protected_ud_back);
    data->on = DEBUGCTL_LBR;
    data->asked[0] = lbr_stack()->ler_from;
    data->asked[1] = lbr_stack()->ler_to;
    data->idt[VECTOR_UD] =
        protected_code_gate(low_code_address(protected_ud, (uintptr_t)protected_ud_handler));
    if (!other_record_in_real_mode(t, 1, &code, DEBUGCTL_LBR) || !other_run(t, 1, read_stack, NULL))
        return NULL;
    EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL in the handler", data->debugctl, DEBUGCTL_LBR);
    return data;
}

static bool expect_lower(struct test_context *t, enum finding_kind kind, const char *where,
                         uint64_t got, const uint8_t *label)
{
    const struct finding finding = {
        .kind = kind,
        .where = where,
        .expected = low_code_address(protected_ud, (uintptr_t)label),
        .got = got & UINT32_MAX,
    };

    test_checked(t);
    if (finding.got != finding.expected)
        test_find(t, &finding);
    return finding.got == finding.expected;
}

/* Only the lower half is recorded there, the manual says: the upper one is clear, or what it was.
 */
static void observe_upper_halves(struct test_context *t, const struct protected_mode_data *data)
{
    uint64_t from = UPPER(data->answer[0]), to = UPPER(data->answer[1]);
    bool kept;

    if (choice_of(CHOICE_LER_UPPER_HALF) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_LER_UPPER_HALF, from || to ? VALUE_KEPT : VALUE_CLEARED);
    kept = choice_of(CHOICE_LER_UPPER_HALF) == VALUE_KEPT;
    EXPECT_EQUAL(t, LER_FROM, "FROM, bits 47:32", from, kept ? UPPER(known.from) : 0);
    EXPECT_EQUAL(t, LER_TO, "TO, bits 47:32", to, kept ? UPPER(known.to) : 0);
}

static void check_record(struct test_context *t, const struct protected_mode_data *data)
{
    bool held =
        expect_lower(t, FINDING_LER_FROM, "FROM, lower half", data->answer[0], protected_ud_jmp);

    held &= expect_lower(t, FINDING_LER_TO, "TO, lower half", data->answer[1], protected_ud_target);
    if (held)
        observe_upper_halves(t, data);
}

static void check_stack(struct test_context *t)
{
    expect_lower(t, FINDING_LBR_FROM, "FROM of the newest entry, lower half", entries[0].from,
                 protected_ud_target);
    expect_lower(t, FINDING_LBR_TO, "TO of the newest entry, lower half", entries[0].to,
                 protected_ud_handler);
    expect_lower(t, FINDING_LBR_FROM, "FROM of the entry before, lower half", entries[1].from,
                 protected_ud_jmp);
    expect_lower(t, FINDING_LBR_TO, "TO of the entry before, lower half", entries[1].to,
                 protected_ud_target);
}

TEST(ler, last_branch_before_an_exception_in_protected_mode, CLAIMS("LER-1", "LBR-1"),
     NEEDS(SECOND_PROCESSOR, LER, LBR_LEGACY))
{
    const struct protected_mode_data *data = run_ud(t);

    if (!data)
        return;
    test_plan(t, 2);
    test_begin(t, "LER-1", "record");
    check_record(t, data);
    test_end(t);
    test_begin(t, "LBR-1", "stack");
    check_stack(t);
    test_end(t);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}
