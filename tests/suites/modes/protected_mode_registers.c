/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers that 32-bit code writes in protected mode while IA-32e mode is off: they take EDX, too,
 * and what they select and filter holds there.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/low_code.h"
#include "tests/run/other_processor.h"
#include "tests/run/protected_code.h"
#include "tests/run/run.h"

/* --- WRMSR and RDMSR take and give EDX there, too --- */

#define UPPER_AND_LOWER 0xffff8765a4321678ull /* canonical, a multiple of 8 */

static struct protected_register registers[PROTECTED_REGISTERS_MAX + 1];
static unsigned registers_count;

static void try_register(uint32_t number, uint64_t value)
{
    struct exception refused = wrmsr_safe(number, value);
    uint64_t found = 0;

    if (!exception_happened(refused))
        refused = rdmsr_safe(number, &found);
    wrmsr_safe(number, 0);
    if (!exception_happened(refused) && found == value && value >> 32 &&
        registers_count < PROTECTED_REGISTERS_MAX)
        registers[registers_count++] =
            (struct protected_register){.number = number, .value = value};
}

/* Those that keep an upper half which 64-bit code writes. No counter is enabled. */
static void choose_registers(void *unused)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = feature_present(FEATURE_PERFMON2) ? pmu_counters(counters) : 0;

    (void)unused;
    registers_count = 0;
    try_register(IA32_DS_AREA, UPPER_AND_LOWER);
    if (count)
        try_register(IA32_PERF_GLOBAL_CTRL, pmu_all_counters());
    if (feature_present(FEATURE_PEBS_RECORDS))
        try_register(IA32_PEBS_ENABLE, pebs_counters() | pebs_latency_bits());
    if (feature_present(FEATURE_LBR) && !lbr_stack()->packed) {
        try_register(lbr_stack()->from, UPPER_AND_LOWER);
        try_register(lbr_stack()->to, UPPER_AND_LOWER);
    }
    for (unsigned i = 0; i < count; i++)
        try_register(counters[i].fixed ? pmu_counter_register(counters[i])
                                       : IA32_A_PMC0 + counters[i].number,
                     UPPER_AND_LOWER & pmu_counter_mask(counters[i]));
}

/* In 64-bit code again; the registers are put back. */
static void read_registers(void *values)
{
    uint64_t *found = values;

    for (unsigned i = 0; i < registers_count; i++) {
        rdmsr_safe(registers[i].number, &found[i]);
        if (registers[i].number == IA32_PERF_GLOBAL_CTRL)
            found[i] = pmu_ours(found[i]);
        wrmsr_safe(registers[i].number, 0);
    }
}

static void check_registers(struct test_context *t)
{
    struct protected_mode_data *data = protected_code_list();
    static uint64_t found[PROTECTED_REGISTERS_MAX];

    __builtin_memcpy(data->registers, registers, registers_count * sizeof registers[0]);
    if (!protected_code_write(t, data) || !other_run(t, 1, read_registers, found))
        return;
    for (unsigned i = 0; i < registers_count; i++) {
        const struct protected_register *one = &data->registers[i];

        EXPECT(t, MSR_VALUE, one->found == one->value && found[i] == one->value,
               "register %#x: 32-bit code wrote %#lx and read %#lx, 64-bit code read %#lx",
               one->number, one->value, one->found, found[i]);
    }
}

TEST(protected_mode, registers_have_upper_halves, CLAIMS("DS-1"),
     NEEDS(SECOND_PROCESSOR, DS, DTES64))
{
    if (!other_start(t, 1) || !other_run(t, 1, choose_registers, NULL))
        return;
    EXPECT(t, MSR_VALUE, registers_count, "no register kept an upper half that 64-bit code wrote");
    check_registers(t);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

/* --- what they select: the list's code has a near JMP for each write --- */

#define JUMPS     8             /* writes that make them */
#define UNREACHED 0xff000000ull /* CMASK: more than any cycle retires */

static void add_jumps(struct protected_mode_data *data, uint32_t number, uint64_t value)
{
    for (unsigned i = 0; i < JUMPS; i++)
        protected_code_add(data, number, value);
}

/* With other branches: that the entries can be cleared is not sure. */
static void fill_stack(void *unused)
{
    (void)unused;
    run_fill_stack();
}

static void read_stack(void *entries)
{
    lbr_read(entries);
}

static bool is_of_the_list(const struct lbr_entry *entry)
{
    return entry->from >=
               low_code_address(protected_registers, (uintptr_t)protected_registers_enter) &&
           entry->from <
               low_code_address(protected_registers, (uintptr_t)protected_registers_leave);
}

static void check_select(struct test_context *t, uint64_t select)
{
    static struct lbr_entry entries[LBR_DEPTH_MAX];
    struct protected_mode_data *data;
    uint64_t found = 0;

    if (!other_start(t, 1) || !other_run(t, 1, fill_stack, NULL))
        return;
    data = protected_code_list();
    protected_code_add(data, MSR_LBR_SELECT, select);
    add_jumps(data, IA32_DEBUGCTL, DEBUGCTL_LBR);
    protected_code_add(data, IA32_DEBUGCTL, 0);
    protected_code_add(data, MSR_LBR_SELECT, 0);
    if (!protected_code_write(t, data) || !other_run(t, 1, read_stack, entries))
        return;
    for (size_t i = 0; i < lbr_depth(); i++)
        found += is_of_the_list(&entries[i]);
    EXPECT(t, LBR_EXTRA, !select || !found, "%lu entries of JMPs that MSR_LBR_SELECT leaves out",
           found);
    EXPECT(t, LBR_MISSING, select || found, "no entry of the JMPs of the loop");
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

TEST(protected_mode, lbr_select_filters, CLAIMS("LBR-1"),
     NEEDS(SECOND_PROCESSOR, LBR_LEGACY, LBR_SELECT))
{
    static const struct {
        const char *name;
        uint64_t select;
    } cases[] = {
        {"nothing", 0},
        {"cpl_0", LBR_SELECT_CPL_EQ_0},
        {"near_relative_jmp", LBR_SELECT_NEAR_REL_JMP},
    };

    TEST_EACH(t, row, cases, "LBR-1", "%s", row->name)
        check_select(t, row->select);
}

static void read_counters(void *values)
{
    for (unsigned i = 0; i < 2; i++)
        ((uint64_t *)values)[i] = pmu_read((struct counter){.number = i});
}

/* PMC0 counts what the list's code retires, PMC1 none of it. */
static void check_none(struct test_context *t, enum pmu_event event, uint64_t none)
{
    struct protected_mode_data *data = protected_code_list();
    uint64_t count[2] = {0};

    for (unsigned i = 0; i < 2; i++) {
        protected_code_add(data, IA32_PMC0 + i, 0);
        protected_code_add(data, IA32_PERFEVTSEL0 + i,
                           i ? none : pmu_event_select(event, COUNTER_OS));
    }
    add_jumps(data, IA32_PERF_GLOBAL_CTRL, 3);
    protected_code_add(data, IA32_PERF_GLOBAL_CTRL, 0);
    if (!protected_code_write(t, data) || !other_run(t, 1, read_counters, count))
        return;
    EXPECT(t, COUNT_LOW, count[0] >= JUMPS, "PMC0 counts %lu in %u rounds of a loop", count[0],
           JUMPS);
    EXPECT_EQUAL(t, COUNT_HIGH, "PMC1 counts", count[1], 0);
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

TEST(protected_mode, counters_select, CLAIMS("PM-1"), NEEDS(SECOND_PROCESSOR, PERFMON2))
{
    const struct counter pmc0 = {.number = 0}, pmc1 = {.number = 1};
    enum pmu_event event = counting_event(t, pmc0);

    if (event == PMU_EVENT_COUNT)
        return;
    if (!pmu_counter_exists(pmc0) || !pmu_counter_exists(pmc1)) {
        test_skip(t, "others use PMC0 or PMC1");
        return;
    }
    check_none(t, event, pmu_event_select(event, COUNTER_USR));
    check_none(t, event, pmu_event_select(event, COUNTER_OS) | UNREACHED);
}
