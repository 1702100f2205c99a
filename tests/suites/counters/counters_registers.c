/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the counters' registers hold what is written to them, in the widths that CPUID.0AH says, and
 * refuse what they must?
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/identity/models.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/user.h"
#include "arch/trace/features.h"
#include "kernel/machine/event.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/refused.h"
#include "tests/spec/choices/write_outcome.h"

/* Registers of each kind; the numbers after them may have any use (F21.14). */
#define REGISTERS_SET_ASIDE 8

#define CR4_PCE    (1u << 8)
#define CR4_OSFXSR (1u << 9) /* the next one: nothing to RDPMC */

static void expect_value(struct test_context *t, struct counter counter, uint64_t written,
                         uint64_t expected)
{
    uint64_t by_rdpmc = ~expected;
    struct exception exception =
        rdpmc_safe((counter.fixed ? RDPMC_FIXED : 0) | counter.number, &by_rdpmc);

    EXPECT(t, MSR_VALUE, pmu_read(counter) == expected,
           "wrote %#lx: RDMSR gives %#lx, expected %#lx", written, pmu_read(counter), expected);
    EXPECT(t, MSR_REFUSES, !exception_happened(exception), "RDPMC raises %s",
           exception_name(exception));
    EXPECT(t, MSR_VALUE, by_rdpmc == expected, "wrote %#lx: RDPMC gives %#lx, expected %#lx",
           written, by_rdpmc, expected);
}

/* EDX is ignored, bit 31 fills what lies above it (F6.22). */
static void check_legacy_write(struct test_context *t, struct counter counter)
{
    const uint64_t values[] = {0,          1,          0x12345678,         0x7fffffff,
                               0x80000000, 0xfedcba98, 0xffffffff,         0x5a5a5a5a01234567,
                               0x89abcdef, 0,          0xfffffffe00000000, 0x00000001ffffffff};

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        struct exception exception = wrmsr_safe(pmu_counter_register(counter), values[i]);
        uint64_t extended = (uint64_t)(int64_t)(int32_t)values[i];

        EXPECT(t, MSR_REFUSES, !exception_happened(exception), "writing %#lx raises %s", values[i],
               exception_name(exception));
        expect_value(t, counter, values[i], extended & pmu_counter_mask(counter));
    }
}

/* By a block's register: values of which it does not matter whether bit 31 fills the rest. */
static void check_block_write(struct test_context *t, struct counter counter)
{
    const uint64_t values[] = {0, 1, 0x12345678, 0x7fffffff, -1ull << 31, -1ull, -0x12345678ull};

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        uint64_t value = values[i] & pmu_counter_mask(counter);
        struct exception exception = wrmsr_safe(pmu_counter_register(counter), value);

        EXPECT(t, MSR_REFUSES, !exception_happened(exception), "writing %#lx raises %s", value,
               exception_name(exception));
        expect_value(t, counter, value, value);
    }
}

/* Each bit of the width by itself, all of them, and none. */
static void check_full_width_write(struct test_context *t, struct counter counter, uint32_t number)
{
    for (unsigned bit = 0; bit <= pmu_width(counter); bit++) {
        uint64_t value = bit < pmu_width(counter) ? 1ull << bit : pmu_counter_mask(counter);
        struct exception exception = wrmsr_safe(number, value);

        EXPECT(t, MSR_REFUSES, !exception_happened(exception), "writing %#lx raises %s", value,
               exception_name(exception));
        expect_value(t, counter, value, value);
    }
    wrmsr_safe(number, 0);
    expect_value(t, counter, 0, 0);
}

static void check_holds(struct test_context *t, struct counter counter)
{
    if (counter.fixed)
        check_full_width_write(t, counter, pmu_counter_register(counter));
    else if (counter.number < REGISTERS_SET_ASIDE)
        check_legacy_write(t, counter);
    else
        check_block_write(t, counter);
}

TEST(counters, hold_what_is_written, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    counting_each(t, NULL, NULL, check_holds);
}

/* A bit above the width is reserved: refused, or dropped, but never kept. */
static void check_above_width(struct test_context *t, struct counter counter, uint32_t number)
{
    char name[16];

    pmu_counter_name(counter, name, sizeof name);
    for (unsigned bit = pmu_width(counter); bit < 64; bit++) {
        enum write_outcome outcome = write_and_look(t, name, number, 1ull << bit);

        EXPECT(t, MSR_ACCEPTS,
               outcome != WRITE_STUCK && !(pmu_read(counter) & ~pmu_counter_mask(counter)),
               "bit %u is kept although the counter has %u bits", bit, pmu_width(counter));
        choice_learn(t, CHOICE_ABOVE_WIDTH, write_outcome_value(outcome), counter.fixed);
    }
}

static void check_alias(struct test_context *t, struct counter counter)
{
    uint32_t alias = IA32_A_PMC0 + counter.number;
    uint64_t value = 0, pattern = pmu_counter_mask(counter) & 0x5a5a5a5a5a5a5a5a;

    if (counter.number >= REGISTERS_SET_ASIDE) {
        test_skip(t, "IA32_A_PMC%u is past the registers set aside for them", counter.number);
        return;
    }
    check_full_width_write(t, counter, alias);
    wrmsr_safe(alias, pattern);
    EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_safe(alias, &value)),
           "reading the alias faults");
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_A_PMCx as read back", value, pattern);
    wrmsr_safe(IA32_PMC0 + counter.number, 1); /* pmu_write() would write the alias */
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_A_PMCx after a write of IA32_PMCx", rdmsr(alias), 1);
    wrmsr_safe(alias, 0);
    check_above_width(t, counter, alias);
}

TEST(counters, full_width_alias, CLAIMS("PM-2"), NEEDS(PERFMON, FULL_WIDTH_WRITES))
{
    counting_each_general(t, check_alias);
}

TEST(counters, fixed_ones_keep_to_their_width, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    for (unsigned i = 0; i < pmu_fixed_count(); i++) {
        struct counter counter = {.fixed = true, .number = i};

        if (pmu_counter_exists(counter))
            check_above_width(t, counter, pmu_counter_register(counter));
    }
    counting_end();
}

/* Xeon 7400 series: RDPMC reads counters of the chipset's interconnect past the core's own. */
static bool has_special_purpose_counters(void)
{
    return core_has(COUNTS_THE_CHIPSET);
}

/* The gaps, and one past the last of them (F6.23). */
static void check_indices(struct test_context *t)
{
    unsigned fixed = pmu_fixed_count();
    uint64_t value;

    if (fixed < pmu_fixed_in_doubt())
        fixed = pmu_fixed_in_doubt();
    for (unsigned i = 0; i <= pmu_general_count() && !has_special_purpose_counters(); i++)
        if (!pmu_counter_enumerated((struct counter){.number = i}))
            expect_no_counter(t, rdpmc_safe(i, &value), "RDPMC, general-purpose counter", i);
    for (unsigned i = pmu_fixed_in_doubt(); i <= fixed; i++)
        if (!pmu_counter_enumerated((struct counter){.fixed = true, .number = i}))
            expect_gp(t, rdpmc_safe(RDPMC_FIXED | i, &value), "RDPMC, fixed counter", i);
}

/* Registers of counters that are not there (F6.10), and their indices. */
TEST(counters, no_more_than_enumerated, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    for (unsigned i = 0; i < REGISTERS_SET_ASIDE; i++)
        if (!pmu_counter_enumerated((struct counter){.number = i})) {
            expect_no_counter_register(t, IA32_PMC0 + i, "IA32_PMC", i);
            expect_no_counter_register(t, IA32_PERFEVTSEL0 + i, "IA32_PERFEVTSEL", i);
        }
    check_indices(t);
}

#define RDPMC_FIRST_BIT    8u /* above every counter's number */
#define RDPMC_METRICS_BIT  29u
#define METRICS_ENUMERATED (1u << 15) /* of IA32_PERF_CAPABILITIES */
#define VERSION_OF_INDEX   4u         /* from here on a whole index is documented */

/* That bit reads PERF_METRICS, which a kind of core may have that leaf 0AH does not speak of. */
static bool may_have_metrics(void)
{
    return trace_features()->perf_capabilities & METRICS_ENUMERATED || pmu_version() >= 5 ||
           trace_features()->counters_in_doubt;
}

/* What an older processor does with the bit is learnt: it faults, or gives something. */
static void learn_rdpmc_bit(struct test_context *t, struct counter counter, unsigned bit)
{
    uint64_t value = 0;
    struct exception exception = rdpmc_safe((counter.fixed ? RDPMC_FIXED : 0) | 1u << bit, &value);

    if (exception_happened(exception))
        expect_gp(t, exception, "RDPMC of counter 0 and bit", bit);
    choice_learn(t, CHOICE_RDPMC_HIGH_BITS,
                 exception_happened(exception) ? VALUE_FAULT : VALUE_IGNORED);
}

static void check_rdpmc_bit(struct test_context *t, struct counter counter, unsigned bit)
{
    uint64_t value;

    if (pmu_version() < VERSION_OF_INDEX)
        learn_rdpmc_bit(t, counter, bit);
    else
        expect_gp(t, rdpmc_safe((counter.fixed ? RDPMC_FIXED : 0) | 1u << bit, &value),
                  counter.fixed ? "RDPMC of fixed counter 0 and bit" : "RDPMC of counter 0 and bit",
                  bit);
}

/* An index is all of ECX but bit 30, which stands for the fixed counters (F6.23); before version 4
 * nothing says so (F6.53). */
TEST(counters, rdpmc_looks_at_the_whole_index, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    const struct counter general = {.number = 0}, fixed = {.fixed = true};

    pmu_write(general, 0x12345678);
    if (pmu_counter_exists(fixed))
        pmu_write(fixed, 0x23456789);
    for (unsigned bit = RDPMC_FIRST_BIT; bit <= RDPMC_METRICS_BIT; bit++) {
        if (bit == RDPMC_METRICS_BIT && may_have_metrics())
            continue;
        if (!has_special_purpose_counters())
            check_rdpmc_bit(t, general, bit);
        if (pmu_counter_exists(fixed) || pmu_version() >= VERSION_OF_INDEX)
            check_rdpmc_bit(t, fixed, bit);
    }
    counting_end();
}

/* F6.23: from ring 3 only as CR4.PCE allows, and as wide as in ring 0. */
static void check_in_ring_3(struct test_context *t, struct counter counter)
{
    const unsigned index = (counter.fixed ? RDPMC_FIXED : 0) | counter.number;
    uint64_t cr4 = insn_read_cr4();
    struct user_result result;
    char event[EVENT_TEXT_SIZE];

    pmu_write(counter, 0xa9fedcba98);
    insn_write_cr4((cr4 & ~(uint64_t)CR4_PCE) | CR4_OSFXSR);
    result = user_run(USER_ENTRY_IRET, user_read_counter, index);
    expect_gp(t, result.exception, "RDPMC in ring 3 with CR4.PCE =", 0);
    insn_write_cr4(cr4 | CR4_PCE | CR4_OSFXSR);
    result = user_run(USER_ENTRY_IRET, user_read_counter, index);
    insn_write_cr4(cr4);
    EXPECT(t, MSR_REFUSES, !exception_happened(result.exception),
           "RDPMC in ring 3 with CR4.PCE = 1 raises %s",
           event_format_name(result.exception.vector, result.exception.error_code,
                             result.fault_address, event, sizeof event));
    EXPECT_EQUAL(t, MSR_VALUE, "RDPMC in ring 3", result.rax, pmu_read(counter));
}

TEST(counters, rdpmc_in_ring_3, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    counting_each(t, NULL, NULL, check_in_ring_3);
}

/* Every subset of the flags, in every counter's own field; the neighbours' stay. */
static void check_control_holds(struct test_context *t, struct counter counter)
{
    uint32_t number = counter.fixed ? IA32_FIXED_CTR_CTRL : pmu_select_register(counter.number);
    uint64_t beside = 0, found = 0;

    for (unsigned i = 0; counter.fixed && i < pmu_fixed_count(); i++)
        if (i != counter.number && pmu_counter_exists((struct counter){true, i}))
            beside |= pmu_fixed_field(i, COUNTER_OS | COUNTER_PMI);
    if (counter.fixed)
        wrmsr_safe(number, pmu_fixed_control_with(beside));
    for (unsigned flags = 0; flags <= (COUNTER_OS | COUNTER_USR | COUNTER_PMI); flags++) {
        pmu_program(counter, PMU_CORE_CYCLES, flags);
        found = read_ours(number);
        EXPECT_EQUAL(t, MSR_VALUE, "its control as read back", found,
                     counter.fixed ? beside | pmu_fixed_field(counter.number, flags)
                                   : pmu_event_select(PMU_CORE_CYCLES, flags));
    }
    pmu_program_off(counter);
    found = read_ours(number);
    EXPECT_EQUAL(t, MSR_VALUE, "its control when it is off", found, beside);
}

TEST(counters, controls_hold_what_is_written, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    counting_each(t, NULL, NULL, check_control_holds);
}

/* IA32_A_PMCx writes a general-purpose counter in its full width. Each counter has one exactly if
 * IA32_PERF_CAPABILITIES[13] is set (F6.1); beyond the registers set aside it is open (F21.14). */
TEST(counters, no_full_width_alias_but_those_enumerated, CLAIMS("PM-2"), NEEDS(PERFMON))
{
    for (unsigned i = 0; i < REGISTERS_SET_ASIDE; i++)
        if (!feature_present(FEATURE_FULL_WIDTH_WRITES) ||
            !pmu_counter_enumerated((struct counter){.number = i}))
            expect_no_counter_register(t, IA32_A_PMC0 + i, "IA32_A_PMC", i);
}
