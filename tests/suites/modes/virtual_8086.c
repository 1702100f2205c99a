/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual-8086 mode: are software interrupts recorded that lead from there to handlers of protected
 * mode (BTS-1), and does BTF stop at its branches (BTF-1)?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/trap_frame.h"
#include "kernel/report/test.h"
#include "tests/run/identity_area.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/run/protected_code.h"
#include "tests/run/run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/compare.h"
#include "tests/workloads/modes/protected_mode.h"

#define RECORDS 64
#define TRACING (DEBUGCTL_TR | DEBUGCTL_BTS)

/* On the other processor. False when it did not start. */
static bool run_code(struct test_context *t, const uint8_t *code, const uint8_t *end,
                     const struct protected_mode_data *data)
{
    const struct real_mode_code low = {code, (size_t)(end - code)};

    return other_record_in_real_mode(t, 1, &low, data->on) &&
           EXPECT_EQUAL(t, SETUP, "the code came to its end", data->done, 1);
}

/* --- BTS records --- */

static uint64_t events_address(const uint8_t *label)
{
    return low_code_address(events_8086, (uintptr_t)label);
}

static const struct protected_mode_data *prepare_events(const struct ds_management_area *area)
{
    uint64_t gate = protected_code_gate(events_address(events_8086_software)) | PROTECTED_GATE_OPEN;
    struct protected_mode_data *data =
        protected_code_prepare(events_8086, events_8086_enter, events_8086_leave, events_8086_back);

    data->ds_area = (uint64_t)(uintptr_t)area;
    data->on = TRACING;
    data->idt[VECTOR_UD] = protected_code_gate(events_address(events_8086_handler));
    data->idt[PROTECTED_INT_VECTOR] = gate;
    data->idt[VECTOR_BP] = gate;
    data->idt[VECTOR_OF] = gate;
    return data;
}

static void check_events(struct test_context *t, const struct protected_mode_data *data)
{
    size_t index = bts_index();

    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL right before it was cleared", data->debugctl,
                 TRACING);
    if (!EXPECT(t, INDEX, index <= RECORDS, "the BTS index points at no record of the buffer"))
        return;
    if (compare_records(t, low_code_expected(events_8086, events_8086_truth, events_8086_truth_end),
                        bts_records(), index) == UNLIKE)
        test_note(t, "events_8086 runs at %#lx", events_address(events_8086));
    expect_no_stray_write(t, index);
}

TEST(protected_mode, virtual_8086_software_interrupts, CLAIMS("BTS-1"),
     NEEDS(SECOND_PROCESSOR, BTS, DTES64))
{
    const struct ds_management_area *area = identity_area_open(t, RECORDS, NULL);
    const struct protected_mode_data *data = area ? prepare_events(area) : NULL;

    if (data && run_code(t, events_8086, events_8086_end, data)) {
        check_events(t, data);
        other_make_quiet(t, 1);
        other_stop(t, 1);
    }
    identity_area_close();
}

/* --- BTF --- */

static const struct protected_mode_data *prepare_stepped(void)
{
    struct protected_mode_data *data = protected_code_prepare(
        stepped_8086, stepped_8086_enter, stepped_8086_leave, stepped_8086_back);

    data->on = DEBUGCTL_BTF;
    data->idt[VECTOR_UD] =
        protected_code_gate(low_code_address(stepped_8086, (uintptr_t)stepped_8086_handler));
    data->idt[VECTOR_DB] =
        protected_code_gate(low_code_address(stepped_8086, (uintptr_t)stepped_8086_trap));
    return data;
}

/* Near branches, and nothing else but the exception at the end, whose delivery is open (D 10). */
static bool must_trap(struct test_context *t, const struct transfer *row, bool came)
{
    if (row->from_ring == 0)
        return false;
    if (!transfer_is(row->kind, TRANSFER_IS_NEAR))
        choice_learn(t, CHOICE_BTF, came ? VALUE_YES : VALUE_NO, row->kind);
    return transfer_is(row->kind, TRANSFER_IS_NEAR) || came;
}

static void check_traps(struct test_context *t, const struct protected_mode_data *data)
{
    uint32_t trap = 0;

    for (const struct transfer *row = stepped_8086_truth; row < stepped_8086_truth_end; row++) {
        uint32_t base = row->to_ring ? data->start : 0; /* its code segment of ring 0 is flat */
        uint64_t to = low_code_address(stepped_8086, row->to);
        bool came = trap < data->trap_count && data->traps[trap] + base == to;

        if (!must_trap(t, row, came))
            continue;
        if (!EXPECT(t, DEBUG_MISSING, came, "no debug exception number %u at %#lx, after %s", trap,
                    to, transfer_kind_name(row->kind)))
            return;
        trap++;
    }
    EXPECT_EQUAL(t, DEBUG_EXTRA, "debug exceptions", data->trap_count, trap);
}

TEST(branch_step, stops_in_virtual_8086_mode, CLAIMS("BTF-1"), NEEDS(SECOND_PROCESSOR, BTF))
{
    const struct protected_mode_data *data = prepare_stepped();

    if (!run_code(t, stepped_8086, stepped_8086_end, data))
        return;
    check_traps(t, data);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}
