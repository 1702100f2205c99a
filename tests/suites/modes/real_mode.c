/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does recording work in real-address mode (DS-7)? A processor that starts is there: before
 * anything else it turns recording on, makes every kind of branch, and turns it off. Paging is off,
 * so the addresses of the save area are physical, and the records hold CS * 16 + IP (F10.41).
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr.h"
#include "kernel/report/test.h"
#include "tests/run/identity_area.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/compare.h"
#include "tests/workloads/modes/real_mode.h"

#define RECORDS     64
#define RECORDS_FEW 8 /* fewer than there are branches */
#define TRACING     (DEBUGCTL_TR | DEBUGCTL_BTS)

/* Where the processor executes what lies here in the image. */
static uint64_t relocated(uint64_t address)
{
    return low_code_address(real_mode_branches, address);
}

static struct real_far_pointer far_pointer(const uint8_t *label, uint32_t segment_base)
{
    uint64_t address = relocated((uint64_t)(uintptr_t)label);

    return (struct real_far_pointer){.ip = (uint16_t)(address - segment_base),
                                     .cs = (uint16_t)(segment_base >> 4)};
}

static const struct expected *branches_expected(void)
{
    return low_code_expected(real_mode_branches, real_mode_truth, real_mode_truth_end);
}

static struct real_mode_data *tell(const struct ds_management_area *area, uint64_t on)
{
    struct real_mode_data *data =
        (struct real_mode_data *)((uint8_t *)processor_low_memory() + LOW_DATA);
    uint32_t start = processor_low_address(), other = start - REAL_OTHER_SEGMENT;
    uint32_t vectors = start + LOW_DATA + REAL_VECTORS;

    *data = (struct real_mode_data){
        .ds_area = (uint64_t)(uintptr_t)area,
        .on = on,
        .idt_limit = sizeof data->vectors - 1,
        .idt_base_low = (uint16_t)vectors,
        .idt_base_high = (uint16_t)(vectors >> 16),
        .far = far_pointer(real_mode_in_far, other),
        .back = far_pointer(real_mode_in_back, start),
        .call = far_pointer(real_mode_in_call, other),
    };
    data->vectors[REAL_INT_VECTOR] = far_pointer(real_mode_in_int, start);
    return data;
}

/* With BTS_OFF_OS there are none (F2.1): CPL is 0 all the time. */
static void expect_in_a_row(struct test_context *t, const struct real_mode_data *data)
{
    size_t index = bts_index();

    if (data->on & DEBUGCTL_BTS_OFF_OS)
        EXPECT(t, RECORD_EXTRA, index == 0, "%zu records at CPL 0, with BTS_OFF_OS", index);
    else if (!EXPECT(t, INDEX, index <= RECORDS, "the BTS index points at no record of the buffer"))
        return;
    else if (compare_records(t, branches_expected(), bts_records(), index) == UNLIKE)
        test_note(t, "real_mode_branches runs at %#lx", relocated((uintptr_t)real_mode_branches));
    expect_no_stray_write(t, index);
}

/* capacity: records of a buffer that is too small for all; 0: it is not. */
static void run(struct test_context *t, const struct ds_management_area *area, uint64_t on,
                size_t capacity)
{
    const struct real_mode_code code = {real_mode_branches,
                                        (size_t)(real_mode_branches_end - real_mode_branches)};
    const struct real_mode_data *data = tell(area, on);

    if (!other_record_in_real_mode(t, 1, &code, data->on))
        return;
    EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL right before it was cleared", data->debugctl, on);
    if (capacity) {
        compare_circular(t, branches_expected(), bts_records(), capacity);
        expect_no_stray_write(t, capacity);
    } else {
        expect_in_a_row(t, data);
    }
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

static void check_branches(struct test_context *t, uint64_t on, size_t records, size_t capacity)
{
    const struct ds_management_area *area = identity_area_open(t, records, NULL);

    if (area)
        run(t, area, on, capacity);
    identity_area_close();
}

TEST(real_mode, stores_every_branch, CLAIMS("DS-7"), NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    check_branches(t, TRACING, RECORDS, 0);
}

TEST(real_mode, wraps, CLAIMS("DS-7", "BTS-3"), NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    check_branches(t, TRACING, RECORDS_FEW, limit_capacity(t, RECORDS_FEW, false));
}

TEST(real_mode, stores_nothing_with_cpl_0_off, CLAIMS("DS-7", "T17-6.4"),
     NEEDS(SECOND_PROCESSOR, BTS, DTES64, DS_CPL))
{
    check_branches(t, TRACING | DEBUGCTL_BTS_OFF_OS, RECORDS, 0);
}

/* There is no threshold to reach: BTINT changes nothing of what is stored. */
TEST(real_mode, stores_every_branch_with_btint, CLAIMS("DS-7", "T17-6.7"),
     NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    check_branches(t, TRACING | DEBUGCTL_BTINT, RECORDS, 0);
}

/* --- the LBR stack --- */

static void capture(void *snapshot)
{
    lbr_capture(snapshot);
}

/* The code segment after a transfer, from the one before it. */
static uint64_t base_behind(const struct transfer *transfer, uint64_t ahead)
{
    uint64_t start = processor_low_address();
    bool in_other =
        transfer->to == (uintptr_t)real_mode_in_far || transfer->to == (uintptr_t)real_mode_in_call;

    if (transfer_is(transfer->kind, TRANSFER_IS_NEAR))
        return ahead;
    return in_other ? start - REAL_OTHER_SEGMENT : start;
}

/* Formats differ in whether the segment's base is in it (F8.10). */
static bool is_at(struct test_context *t, uint64_t got, uint64_t linear, uint64_t base)
{
    bool effective = got == linear - base;

    if (effective || got == linear)
        choice_learn(t, CHOICE_LBR_ADDRESS, effective ? VALUE_EFFECTIVE : VALUE_LINEAR);
    return effective || got == linear;
}

/* INT n has a reading of its own: no gate is involved, and its FROM is open (F4.3). */
static bool is_like(struct test_context *t, const struct lbr_entry *entry,
                    const struct transfer *transfer, uint64_t from_base)
{
    bool to = is_at(t, entry->to, relocated(transfer->to), base_behind(transfer, from_base));

    return to && (transfer->kind == TRANSFER_REAL_INT ||
                  is_at(t, entry->from, relocated(transfer->from), from_base));
}

static void expect_stack(struct test_context *t, const struct lbr_snapshot *snapshot)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(snapshot, entries);
    size_t count = (size_t)(real_mode_truth_end - real_mode_truth);
    uint64_t base = processor_low_address();

    for (size_t i = 0; i < count; i++) {
        const struct transfer *transfer = &real_mode_truth[i];
        size_t age = count - 1 - i;

        if (age < depth)
            EXPECT(t, LBR_FROM, is_like(t, &entries[age], transfer, base),
                   "entry %zu behind the newest is %#lx -> %#lx, not %s %#lx -> %#lx", age,
                   entries[age].from, entries[age].to, transfer_kind_name(transfer->kind),
                   relocated(transfer->from), relocated(transfer->to));
        base = base_behind(transfer, base);
    }
}

/* Its upper halves are zero there (F4.16): so it records. */
TEST(real_mode, lbr_stack_holds_its_branches, CLAIMS("LBR-1"),
     NEEDS(SECOND_PROCESSOR, LBR_LEGACY, BTS, DTES64))
{
    const struct real_mode_code code = {real_mode_branches,
                                        (size_t)(real_mode_branches_end - real_mode_branches)};
    const struct ds_management_area *area = identity_area_open(t, RECORDS, NULL);
    const struct real_mode_data *data;
    static struct lbr_snapshot snapshot;

    if (!area)
        return;
    data = tell(area, DEBUGCTL_LBR);
    if (other_record_in_real_mode(t, 1, &code, DEBUGCTL_LBR) &&
        other_run(t, 1, capture, &snapshot)) {
        EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
        expect_stack(t, &snapshot);
        other_make_quiet(t, 1);
        other_stop(t, 1);
    }
    identity_area_close();
}
