/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which registers does the counter driver write, and what, on a processor made of a table? */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"
#include "arch/trace/foreign_counters.h"
#include "check.h"

#define REGISTERS 0x1a00

static uint64_t registers[REGISTERS];
static bool written[REGISTERS];
static uint64_t control_at_first_counter_write; /* IA32_PERF_GLOBAL_CTRL at that time */

static const struct exception no_fault = {.vector = EXCEPTION_NO_VECTOR};

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    *value = registers[number];
    return no_fault;
}

struct exception wrmsr_safe(uint32_t number, uint64_t value)
{
    if (number == IA32_PMC0 && !written[IA32_PMC0])
        control_at_first_counter_write = registers[IA32_PERF_GLOBAL_CTRL];
    if (number == IA32_PERF_GLOBAL_OVF_CTRL)
        registers[IA32_PERF_GLOBAL_STATUS] &= ~value;
    registers[number] = value;
    written[number] = true;
    return no_fault;
}

static uint64_t taken; /* by others */

uint64_t foreign_counters(void)
{
    return taken;
}

static uint64_t taken_fields;

uint64_t foreign_fixed_fields(void)
{
    return taken_fields;
}

/* A processor of this version: 4 counters of 48 bits; from version 2 on 3 fixed ones of 40. */
static void be(uint8_t version)
{
    memset(registers, 0, sizeof registers);
    memset(written, 0, sizeof written);
    *cpu_features() = (struct cpu_features){0};
    *trace_features() = (struct trace_features){
        .perfmon = {.version = version, .counters = 4, .counter_bits = 48, .event_mask_length = 7}};
    if (version >= 2) {
        trace_features()->perfmon.fixed_counters = 3;
        trace_features()->perfmon.fixed_counter_bits = 40;
    }
    if (version >= 5)
        trace_features()->perfmon.fixed_bitmap = 1u << 5;
}

static void test_counters_of_others(void)
{
    struct counter list[PMU_COUNTERS_MAX];

    be(4);
    taken = 1u << 2;
    registers[IA32_PERF_GLOBAL_CTRL] = 0xf;
    CHECK(pmu_counters(list) == 6 && pmu_all_counters() == 0x70000000bull, "without PMC2");
    CHECK(pmu_enumerated() == 0x70000000full && pmu_general_usable() == 3, "it is there");
    CHECK(pmu_general_from(2) == 3 && pmu_general_from(4) == PMU_GENERAL_MAX, "past it");
    CHECK(pmu_global_control() == 0xb && pmu_ours(0xc) == 8, "its bits are not ours");
    pmu_reset();
    CHECK(!written[IA32_PERFEVTSEL0 + 2] && !written[IA32_PMC0 + 2], "left alone");
    CHECK(written[IA32_PERFEVTSEL0 + 3], "others are not");
    taken = 0;
}

static void test_fixed_counter_of_others(void)
{
    struct counter list[PMU_COUNTERS_MAX];
    char why[80] = "";

    be(4);
    taken = 2ull << 32;
    taken_fields = 0xf0;
    CHECK(pmu_counters(list) == 6 && pmu_all_counters() == 0x50000000full, "without fixed1");
    CHECK(pmu_enumerated() == 0x70000000full, "it is there");
    CHECK(pmu_counter_enumerated((struct counter){true, 1}), "it is enumerated");
    registers[IA32_FIXED_CTR_CTRL] = 0x3b3;
    CHECK(pmu_fixed_control_with(0x8) == 0xb8, "%#lx", pmu_fixed_control_with(0x8));
    pmu_reset();
    CHECK(registers[IA32_FIXED_CTR_CTRL] == 0xb0, "%#lx", registers[IA32_FIXED_CTR_CTRL]);
    CHECK(!written[IA32_FIXED_CTR0 + 1] && pmu_is_quiet(why, sizeof why), "left alone: %s", why);
    taken = taken_fields = 0;
}

static const struct counter pmc2 = {false, 2}, fixed1 = {true, 1};

static void test_counters(void)
{
    struct counter list[PMU_COUNTERS_MAX];
    char name[16];

    be(1);
    CHECK(pmu_counters(list) == 4 && pmu_all_counters() == 0xf, "version 1");
    be(4);
    CHECK(pmu_counters(list) == 7 && pmu_all_counters() == 0x70000000full, "version 4");
    CHECK(list[4].fixed && list[4].number == 0, "fixed ones come last");
    be(5);
    CHECK(pmu_counters(list) == 8 && pmu_all_counters() == 0x270000000full, "version 5, a gap");
    CHECK(pmu_fixed_count() == 6 && !pmu_counter_exists((struct counter){true, 4}), "the gap");
    CHECK(pmu_width(pmc2) == 48 && pmu_counter_mask(fixed1) == 0xffffffffff, "widths");
    trace_features()->perfmon.counters = 255;
    CHECK(pmu_general_count() == PMU_GENERAL_MAX, "more than there is room for");
    pmu_counter_name(fixed1, name, sizeof name);
    CHECK_TEXT(name, "fixed1");
    pmu_counter_name(pmc2, name, sizeof name);
    CHECK_TEXT(name, "pmc2");
}

static void test_events(void)
{
    be(4);
    CHECK(pmu_fixed_event(0) == PMU_INSTRUCTIONS, "fixed 0");
    CHECK(pmu_fixed_event(1) == PMU_CORE_CYCLES, "fixed 1");
    CHECK(pmu_fixed_event(2) == PMU_REFERENCE_CYCLES, "fixed 2");
    CHECK(pmu_fixed_event(3) == PMU_SLOTS && pmu_fixed_event(6) == PMU_RETIRING, "fixed 3, 6");
    CHECK(pmu_fixed_event(4) == PMU_EVENT_COUNT, "fixed 4");
    CHECK(!pmu_event_available(PMU_RETIRING) && !pmu_event_available(PMU_SLOTS), "not enumerated");
    CHECK(pmu_event_select(PMU_RETIRING, COUNTER_OS) == 0x4202c2, "slots retiring");
    CHECK(pmu_event_select(PMU_LLC_MISSES, COUNTER_OS) == 0x42412e, "LLC misses, CPL 0");
    CHECK(pmu_event_select(PMU_BRANCHES, COUNTER_USR | COUNTER_PMI) == 0x5100c4, "branches");
    CHECK(pmu_event_select(PMU_BRANCHES_PRECISE, COUNTER_OS) == 0x4204c4, "precise branches");
    trace_features()->perfmon.events_unavailable = 0x20;
    CHECK(!pmu_event_available(PMU_BRANCHES), "branches are said to be missing");
    CHECK(pmu_event_available(PMU_BRANCHES_PRECISE), "the model's own are not enumerated");
    CHECK(pmu_fixed_field(1, COUNTER_OS | COUNTER_USR | COUNTER_PMI) == 0xb0, "fixed field");
    CHECK(pmu_fixed_field(15, COUNTER_PMI) == 1ull << 63, "the last fixed field");
    CHECK(!pmu_event_available(PMU_EVENT_COUNT), "no event");
}

static void test_programming(void)
{
    be(4);
    registers[IA32_FIXED_CTR_CTRL] = 0xbbb;
    pmu_program(fixed1, PMU_EVENT_COUNT, COUNTER_OS);
    CHECK(registers[IA32_FIXED_CTR_CTRL] == 0xb1b, "%#lx", registers[IA32_FIXED_CTR_CTRL]);
    pmu_program_off(fixed1);
    CHECK(registers[IA32_FIXED_CTR_CTRL] == 0xb0b, "%#lx", registers[IA32_FIXED_CTR_CTRL]);
    pmu_program(pmc2, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR);
    CHECK(registers[IA32_PERFEVTSEL0 + 2] == 0x4300c0, "%#lx", registers[IA32_PERFEVTSEL0 + 2]);
    pmu_program_off(pmc2);
    CHECK(registers[IA32_PERFEVTSEL0 + 2] == 0, "%#lx", registers[IA32_PERFEVTSEL0 + 2]);
}

static void test_values(void)
{
    be(4);
    pmu_write_period(pmc2, 100);
    CHECK(registers[IA32_PMC0 + 2] == 0xffffffffff9c, "%#lx", registers[IA32_PMC0 + 2]);
    pmu_write_period(fixed1, 100);
    CHECK(registers[IA32_FIXED_CTR0 + 1] == 0xffffffff9c, "%#lx", registers[IA32_FIXED_CTR0 + 1]);
    CHECK(pmu_read(fixed1) == 0xffffffff9c, "%#lx", pmu_read(fixed1));
    cpu_features()->present[FEATURE_FULL_WIDTH_WRITES] = true;
    pmu_write(pmc2, 0x123456789abcdef);
    CHECK(registers[IA32_A_PMC0 + 2] == 0x456789abcdef, "%#lx", registers[IA32_A_PMC0 + 2]);
}

/* F6.24: stopped before they are written. */
static void test_reset(void)
{
    char why[80] = "";

    be(4);
    registers[IA32_PERF_GLOBAL_CTRL] = 0xf;
    registers[IA32_PERF_GLOBAL_STATUS] = PERF_GLOBAL_STATUS_CTR_FRZ | 1;
    registers[IA32_FIXED_CTR_CTRL] = 0x1000003b3; /* an adaptive bit too */
    registers[IA32_PERFEVTSEL0 + 3] = 0x5300c0;
    control_at_first_counter_write = ~0ull;
    pmu_reset();
    CHECK(control_at_first_counter_write == 0, "counters were written while enabled");
    CHECK(registers[IA32_PERF_GLOBAL_STATUS] == 0, "%#lx", registers[IA32_PERF_GLOBAL_STATUS]);
    CHECK(registers[IA32_FIXED_CTR_CTRL] == 0, "%#lx", registers[IA32_FIXED_CTR_CTRL]);
    CHECK(pmu_is_quiet(why, sizeof why), "%s", why);
}

/* Left by firmware in fields that leaf 0AH says nothing of (F1.13). */
static void test_reset_without_fixed_ones(void)
{
    char why[80] = "";

    be(2);
    trace_features()->perfmon.fixed_counters = 0;
    registers[IA32_FIXED_CTR_CTRL] = 0xf0;
    pmu_reset();
    CHECK(pmu_is_quiet(why, sizeof why), "%s", why);
}

static void expect_loud(uint32_t number, uint64_t value, const char *expected)
{
    char why[80] = "";

    registers[number] = value;
    CHECK(!pmu_is_quiet(why, sizeof why), "quiet with register %#x = %#lx", number, value);
    CHECK_TEXT(why, expected);
    registers[number] = 0;
}

static void test_quiet(void)
{
    char why[80] = "";

    be(4);
    expect_loud(IA32_PERF_GLOBAL_CTRL, 0x30, "IA32_PERF_GLOBAL_CTRL = 0x30");
    expect_loud(IA32_FIXED_CTR_CTRL, 8, "IA32_FIXED_CTR_CTRL = 0x8");
    expect_loud(IA32_PERFEVTSEL0 + 1, 0xc0, "IA32_PERFEVTSEL1 = 0xC0");
    expect_loud(IA32_PERF_GLOBAL_STATUS, PERF_GLOBAL_STATUS_LBR_FRZ,
                "IA32_PERF_GLOBAL_STATUS = 0x400000000000000");
    registers[IA32_PERF_GLOBAL_STATUS] = PERF_GLOBAL_STATUS_COND; /* no trace of counting: F6.43 */
    CHECK(pmu_is_quiet(why, sizeof why), "%s", why);
}

/* Version 1 has no global registers; without any version no register is accessed. */
static void test_old_versions(void)
{
    char why[80] = "";

    be(1);
    registers[IA32_PERF_GLOBAL_STATUS] = 1;
    CHECK(pmu_global_control() == 0xf && pmu_status() == 0, "version 1");
    pmu_reset();
    CHECK(!written[IA32_PERF_GLOBAL_CTRL] && !written[IA32_FIXED_CTR_CTRL], "global registers");
    CHECK(written[IA32_PERFEVTSEL0] && written[IA32_PMC0 + 3], "its own registers");
    expect_loud(IA32_PERFEVTSEL0, 0x4300c0, "IA32_PERFEVTSEL0 = 0x4300C0");
    be(0);
    trace_features()->perfmon.counters = 0;
    pmu_reset();
    for (unsigned i = 0; i < REGISTERS; i++)
        CHECK(!written[i], "register %#x", i);
    CHECK(pmu_is_quiet(why, sizeof why), "%s", why);
}

/* Of early Core (F1.13), of a hybrid (F21.35). */
static void test_doubt(void)
{
    be(2);
    CHECK(pmu_in_doubt_bits() == 0 && pmu_general_in_doubt() == 0, "no family 6");
    cpu_features()->identity.family = 6;
    CHECK(pmu_in_doubt_bits() == 7ull << 32, "early Core: %#lx", pmu_in_doubt_bits());
    be(5);
    cpu_features()->identity.family = 6;
    CHECK(pmu_in_doubt_bits() == 0, "version 5 says all");
    trace_features()->counters_in_doubt = true;
    CHECK(pmu_in_doubt_bits() == (0x7full << 32 | 0x3ff), "hybrid: %#lx", pmu_in_doubt_bits());
    CHECK(pmu_enumerated() == 0x270000000full, "it is not relied on");
}

/* Ten counters, without the fourth, and fixed ones with a hole, as leaf 23H may say it (F21.11). */
static void be_6(void)
{
    be(6);
    trace_features()->perfmon.own = (struct perfmon_own){
        .leaves = 1 | PERFMON_OWN_COUNTERS | PERFMON_OWN_RELOADS,
        .counters = {0x3f7, 0x77},
        .reloaded = {0xfc, 3},
        .reloads = {0x30c, 1},
    };
}

static const struct counter pmc9 = {false, 9}, fixed6 = {true, 6};

static void test_holes(void)
{
    struct counter list[PMU_COUNTERS_MAX];

    be_6();
    CHECK(pmu_counters(list) == 15 && pmu_all_counters() == 0x77000003f7, "%#lx",
          pmu_all_counters());
    CHECK(!pmu_counter_enumerated((struct counter){.number = 3}) && pmu_general_from(3) == 4,
          "no PMC3");
    CHECK(!pmu_counter_exists((struct counter){true, 3}) && pmu_counter_exists(fixed6), "fixed");
    CHECK(pmu_general_count() == 10 && pmu_fixed_count() == 7 && pmu_general_usable() == 9,
          "limits");
    pmu_reset();
    CHECK(!written[IA32_PERFEVTSEL0 + 3] && !written[IA32_PMC0 + 3], "no register of PMC3");
    trace_features()->perfmon.own.counters.general = UINT32_MAX;
    CHECK(pmu_general_count() == PMU_GENERAL_MAX && pmu_general_usable() == 32, "all 32");
}

/* F21.14: the old names have room for eight. */
static void test_blocks(void)
{
    be_6();
    cpu_features()->present[FEATURE_FULL_WIDTH_WRITES] = true;
    CHECK(pmu_counter_register(pmc2) == IA32_PMC0 + 2 && pmu_select_register(7) == 0x18d, "old");
    CHECK(pmu_counter_register(pmc9) == 0x1924 && pmu_select_register(9) == 0x1925, "new");
    CHECK(pmu_counter_register(fixed1) == 0x30a && pmu_counter_register(fixed6) == 0x1998, "fixed");
    CHECK(pmu_block_register(fixed6, PMU_BLOCK_CFG_C) == 0x199b, "fixed6");
    pmu_program(pmc9, PMU_INSTRUCTIONS, COUNTER_OS);
    pmu_write_period(pmc9, 1);
    CHECK(registers[0x1925] == 0x4200c0 && registers[0x1924] == 0xffffffffffff, "%#lx, %#lx",
          registers[0x1925], registers[0x1924]);
    CHECK(pmu_read(pmc9) == 0xffffffffffff && !written[IA32_A_PMC0 + 9], "no alias");
    pmu_program_off(pmc9);
    CHECK(registers[0x1925] == 0, "off");
    be(5);
    CHECK(pmu_counter_register(pmc9) == IA32_PMC0 + 9, "no blocks before version 6");
}

static void test_reload(void)
{
    be_6();
    CHECK(pmu_reloadable() == 0x3000000f4 && pmu_reloading() == 0x100000304, "%#lx, %#lx",
          pmu_reloadable(), pmu_reloading());
    pmu_reload(pmc2, 0x300, 0xffffffffffffff00);
    CHECK(registers[0x190a] == 0x300 && registers[0x190b] == 0xffffff00, "%#lx, %#lx",
          registers[0x190a], registers[0x190b]);
    pmu_reset();
    CHECK(!registers[0x190a] && !registers[0x190b] && !written[0x1926], "off, and no others");
    trace_features()->perfmon.version = 5; /* Arrow Lake-H: leaf 23H tells, not the version */
    CHECK(pmu_reloadable() == 0x3000000f4 && pmu_reloading() == 0x100000304, "version 5");
    pmu_reload(pmc2, 0x300, 5);
    CHECK(registers[0x190a] == 0x300 && registers[0x190b] == 5, "in the blocks");
    pmu_reset();
    CHECK(!registers[0x190a] && !registers[0x190b], "off");
    trace_features()->perfmon.own = (struct perfmon_own){.leaves = 1};
    CHECK(pmu_reloadable() == 0 && pmu_reloading() == 0, "no sub-leaf, no reloads");
}

int main(void)
{
    test_holes();
    test_blocks();
    test_reload();
    test_counters();
    test_counters_of_others();
    test_fixed_counter_of_others();
    test_events();
    test_programming();
    test_values();
    test_reset();
    test_reset_without_fixed_ones();
    test_quiet();
    test_old_versions();
    test_doubt();
    return check_result();
}
