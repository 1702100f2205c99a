/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Precise sampling in protected mode while IA-32e mode is off: with DTES64 the records have the
 * 64-bit layout there, too (F1.5, F3.49). The code writes a list of registers, among them those
 * that start and stop sampling; its loop makes the events.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/identity_area.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/run/protected_code.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"

#define RECORDS 8
#define PERIOD  4 /* branches: at most those of two writes */
#define LOOPS                                                                                      \
    14 /* writes that make the events, however long the arming takes: two branches each            \
        */

/* A segment at base 0, or one that begins where the processor started. */
static bool has_base;

static struct protected_mode_data *tell(uint64_t ds_area, enum pmu_event event)
{
    struct protected_mode_data *data = protected_code_list();

    if (has_base)
        data->enter = protected_code_pointer(protected_registers, protected_registers_enter,
                                             PROTECTED_CODE_BASED, data->start);
    protected_code_add(data, IA32_DS_AREA, ds_area);
    if (pebs_format() >= PEBS_FORMAT_ADAPTIVE)
        protected_code_add(data, MSR_PEBS_DATA_CFG, 0);
    protected_code_add(data, IA32_PERFEVTSEL0, pmu_event_select(event, COUNTER_OS));
    protected_code_add(data, IA32_PMC0, -PERIOD & UINT32_MAX);
    protected_code_add(data, IA32_PEBS_ENABLE, PEBS_GENERAL(0));
    protected_code_add(data, IA32_PERF_GLOBAL_CTRL, 1);
    for (unsigned i = 0; i < LOOPS; i++)
        protected_code_add(data, IA32_DEBUGCTL, 0);
    protected_code_add(data, IA32_PERF_GLOBAL_CTRL, 0);
    protected_code_add(data, IA32_PEBS_ENABLE, 0);
    return data;
}

static bool is_of_the_loop(uint64_t ip)
{
    return ip >= low_code_address(protected_registers, (uintptr_t)protected_registers_enter) &&
           ip < low_code_address(protected_registers, (uintptr_t)protected_registers_leave);
}

/* RBX goes through the list. */
static bool is_in_the_list(uint64_t rbx)
{
    uint64_t offset = rbx - LOW_DATA - offsetof(struct protected_mode_data, registers);

    return offset <= PROTECTED_REGISTERS_MAX * sizeof(struct protected_register) &&
           offset % sizeof(struct protected_register) == 0;
}

/* With the segment's base in it, or without (F3.41). */
static bool is_loops_address(uint64_t ip)
{
    return is_of_the_loop(ip) || (has_base && is_of_the_loop(ip + processor_low_address()));
}

/* Of the state's, or where a record has none, of the eventing one. */
static void learn_address(struct test_context *t, const struct pebs_record *record)
{
    uint64_t ip = record->has_state_ip ? record->ip : record->eventing_ip;

    if (has_base && is_loops_address(ip))
        choice_learn(t, CHOICE_PEBS_ADDRESS, is_of_the_loop(ip) ? VALUE_LINEAR : VALUE_EFFECTIVE);
}

static void check_record(struct test_context *t)
{
    struct pebs_record record;

    pebs_decode(0, &record);
    learn_address(t, &record);
    if (record.has_state_ip)
        EXPECT(t, PEBS_IP, is_loops_address(record.ip), "IP in the record: %#lx, not of the loop",
               record.ip);
    if (record.has_eventing_ip)
        EXPECT(t, PEBS_EVENTING_IP, is_loops_address(record.eventing_ip),
               "eventing IP in the record: %#lx, not of the loop", record.eventing_ip);
    if (record.has_gprs)
        EXPECT(t, PEBS_GPR, is_in_the_list(record.gpr[GPR_RBX]),
               "RBX in the record: %#lx, not in the list", record.gpr[GPR_RBX]);
}

static void check_sampling(struct test_context *t, const struct ds_management_area *area,
                           enum pmu_event event)
{
    if (!protected_code_write(t, tell((uint64_t)(uintptr_t)area, event)))
        return;
    if (EXPECT_EQUAL(t, PEBS_INDEX, "bytes from the base to the index", pebs_index_bytes(),
                     pebs_format_size(pebs_format(), 0)))
        check_record(t);
    sampling_expect_no_stray_write(t, 1);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

static void check_segment(struct test_context *t, bool with_base)
{
    const struct counter pmc0 = {.number = 0};
    const struct pebs_layout layout = {
        .records = RECORDS,
        .threshold = PEBS_NO_THRESHOLD,
        .reset = {-(uint64_t)SAMPLING_NEVER & pmu_counter_mask(pmc0)}};
    enum pmu_event event = sample_branches(t);
    const struct ds_management_area *area;

    if (!sample_has_branches(t))
        return;
    has_base = with_base;
    area = identity_area_open(t, RECORDS, &layout);
    if (area)
        check_sampling(t, area, event);
    processor_stop(1);
    identity_area_close();
}

TEST(protected_mode, stores_64_bit_pebs_records, CLAIMS("DS-8", "PEBS-1", "PEBS-4"),
     NEEDS(SECOND_PROCESSOR, PEBS_RECORDS, PERFMON2, DTES64, PMI))
{
    check_segment(t, false);
}

/* The record has the address that retired, and no other one. */
TEST(protected_mode, pebs_addresses_in_a_segment_with_a_base, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(SECOND_PROCESSOR, PEBS_RECORDS, PERFMON2, DTES64, PMI))
{
    check_segment(t, true);
}
