/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recording in protected mode while IA-32e mode is off: a processor that starts goes there from
 * real-address mode, before it has paging. With DTES64 the 64-bit layouts hold there, too (F1.5),
 * and the last-exception record has the lower halves of the addresses (LER-1).
 */
#include "arch/cpu/insn.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/ler.h"
#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/compare.h"
#include "tests/run/identity_area.h"
#include "tests/oracle/lbr_check.h"
#include "tests/oracle/limit.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/run/run.h"
#include "tests/workloads/protected_mode.h"

#define RECORDS     64
#define RECORDS_FEW 8 /* fewer than there are branches */
#define TRACING     (DEBUGCTL_TR | DEBUGCTL_BTS)

/* Access bytes and the flags above a limit: present, ring 0, accessed; 32-bit, in pages. */
#define ACCESS_CODE    0x9bull
#define ACCESS_DATA    0x93ull
#define ACCESS_GATE_32 0x8eull
#define FLAG_32        0x4ull
#define FLAG_PAGES     0x8ull
#define SEGMENT_LIMIT  0xffffull

static uint64_t descriptor(uint64_t base, uint64_t access, uint64_t flags)
{
    uint64_t limit_high = flags & FLAG_PAGES ? 0xf : 0;

    return SEGMENT_LIMIT | (base & 0xffffff) << 16 | access << 40 | limit_high << 48 | flags << 52 |
           base >> 24 << 56;
}

static uint64_t gate(uint64_t offset)
{
    return (offset & 0xffff) | (uint64_t)PROTECTED_CODE_FLAT << 16 | ACCESS_GATE_32 << 40 |
           offset >> 16 << 48;
}

static struct protected_table table(uint32_t address, size_t size)
{
    return (struct protected_table){.limit = (uint16_t)(size - 1),
                                    .base_low = (uint16_t)address,
                                    .base_high = (uint16_t)(address >> 16)};
}

/* To a label in the code from start on, through a segment at this base. */
static struct protected_far_pointer far_pointer(const uint8_t *start, const uint8_t *label,
                                                uint16_t selector, uint32_t base)
{
    return (struct protected_far_pointer){
        .offset = (uint32_t)low_code_address(start, (uintptr_t)label) - base,
        .selector = selector,
    };
}

/* What both codes are given: tables, the way in and the way out. */
static struct protected_mode_data *tell(const uint8_t *code, const uint8_t *enter,
                                        const uint8_t *leave, const uint8_t *back)
{
    struct protected_mode_data *data =
        (struct protected_mode_data *)((uint8_t *)processor_low_memory() + LOW_DATA);
    uint32_t start = processor_low_address(), here = start + LOW_DATA;

    *data = (struct protected_mode_data){
        .start = start,
        .gdtr = table(here + PROTECTED_GDT, sizeof data->gdt),
        .idtr = table(here + PROTECTED_IDT, sizeof data->idt),
        .enter = far_pointer(code, enter, PROTECTED_CODE_FLAT, 0),
        .leave = far_pointer(code, leave, PROTECTED_CODE_16, start),
        .back = {.ip = (uint16_t)(low_code_address(code, (uintptr_t)back) - start),
                 .cs = (uint16_t)(start >> 4)},
    };
    data->gdt[PROTECTED_CODE_FLAT / 8] = descriptor(0, ACCESS_CODE, FLAG_32 | FLAG_PAGES);
    data->gdt[PROTECTED_CODE_BASED / 8] = descriptor(start, ACCESS_CODE, FLAG_32);
    data->gdt[PROTECTED_CODE_16 / 8] = descriptor(start, ACCESS_CODE, 0);
    data->gdt[PROTECTED_DATA / 8] = descriptor(start, ACCESS_DATA, 0);
    return data;
}

/* --- BTS records --- */

static struct protected_mode_data *tell_branches(const struct ds_management_area *area)
{
    struct protected_mode_data *data =
        tell(protected_branches, protected_enter, protected_leave, protected_back);

    data->ds_area = (uint64_t)(uintptr_t)area;
    data->on = TRACING;
    data->based =
        far_pointer(protected_branches, protected_based, PROTECTED_CODE_BASED, data->start);
    data->call = far_pointer(protected_branches, protected_call, PROTECTED_CODE_FLAT, 0);
    return data;
}

/* On the other processor, from start-up on. False when it did not start. */
static bool run_branches(struct test_context *t, const struct ds_management_area *area)
{
    const struct real_mode_code code = {protected_branches,
                                        (size_t)(protected_branches_end - protected_branches)};
    const struct protected_mode_data *data = tell_branches(area);

    if (!other_start_in_real_mode(t, 1, &code))
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
    if (!compare_records(t, branches_expected(), TRACING, bts_records(), index))
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

/* --- the last-exception record and the LBR stack --- */

/* Bits of an address above the lower half that no format has flags in (F8.17). */
#define UPPER(value) ((value) >> 32 & 0xffff)

static struct ler known; /* addresses of 64-bit code */
static struct lbr_entry entries[LBR_DEPTH_MAX];

static void leave_a_record(void *unused)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .hold_off_interrupts = true};
    static struct seen ignored;

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
    data = tell(protected_ud, protected_ud_enter, protected_ud_leave, protected_ud_back);
    data->on = DEBUGCTL_LBR;
    data->ler_register[0] = lbr_stack()->ler_from;
    data->ler_register[1] = lbr_stack()->ler_to;
    data->idt[VECTOR_UD] = gate(low_code_address(protected_ud, (uintptr_t)protected_ud_handler));
    if (!other_start_in_real_mode(t, 1, &code) || !other_run(t, 1, read_stack, NULL))
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

    if (finding.got != finding.expected)
        test_find(t, &finding);
    return finding.got == finding.expected;
}

/* Only the lower half is recorded there, the manual says: the upper one is clear, or what it was.
 */
static void observe_upper_halves(struct test_context *t, const struct protected_mode_data *data)
{
    uint64_t from = UPPER(data->ler_from), to = UPPER(data->ler_to);
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
        expect_lower(t, FINDING_LER_FROM, "FROM, lower half", data->ler_from, protected_ud_jmp);

    held &= expect_lower(t, FINDING_LER_TO, "TO, lower half", data->ler_to, protected_ud_target);
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
     NEEDS(SECOND_PROCESSOR, LER, LBR))
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
