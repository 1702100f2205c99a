/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do two processors with different settings at the same time each have their own records, stack,
 * counts, status and interrupts, and do their registers end as set (ISR-4)?
 *
 * One test goes once around the settings and pairs each with the next. Later repetitions
 * (repeat=13) pair those further apart, until every pair ran both ways round.
 */
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/other_processor.h"
#include "tests/run/side_by_side.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/compare_lbr.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/freeze_flavour.h"

#define TRACING (DEBUGCTL_TR | DEBUGCTL_BTS)
#define NEVER   (1u << 30) /* more events than any of the programs has */

struct setting {
    const char *name;
    size_t jumps;
    struct run run;
    uint64_t period; /* 0: no counter */
    unsigned rings;
    struct counter counter;
    enum feature needs[3]; /* beside DS; FEATURE_DS fills the rest */
    bool user;             /* the jumps are in ring 3 */
    bool circle;           /* its buffer wraps */
    bool interrupts;
};

#define NO_MORE FEATURE_DS, FEATURE_DS

static const struct setting settings[] = {
    {.name = "nothing",
     .needs = {NO_MORE, FEATURE_DS},
     .jumps = 900,
     .run = {.layout = {.records = 64, .threshold = 1}}},
    {.name = "every_branch",
     .needs = {FEATURE_BTS, NO_MORE},
     .jumps = 1900,
     .run = {.debugctl = TRACING, .layout = {.records = 2000, .threshold = BTS_NO_THRESHOLD}}},
    {.name = "ring_0_alone",
     .needs = {FEATURE_BTS, FEATURE_DS_CPL, FEATURE_DS},
     .user = true,
     .jumps = 1200,
     .run = {.debugctl = TRACING | DEBUGCTL_BTS_OFF_USR,
             .layout = {.records = 100, .threshold = BTS_NO_THRESHOLD, .base_offset = 40}}},
    {.name = "lbr",
     .needs = {FEATURE_LBR, NO_MORE},
     .jumps = 700,
     .run = {.debugctl = DEBUGCTL_LBR,
             .lbr = true,
             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}}},
    {.name = "ring_3_alone",
     .needs = {FEATURE_BTS, FEATURE_DS_CPL, FEATURE_DS},
     .user = true,
     .jumps = 1500,
     .run = {.debugctl = TRACING | DEBUGCTL_BTS_OFF_OS,
             .layout = {.records = 1600, .threshold = BTS_NO_THRESHOLD, .base_offset = 4}}},
    {.name = "threshold",
     .needs = {FEATURE_BTS, NO_MORE},
     .jumps = 1700,
     .run = {.debugctl = TRACING | DEBUGCTL_BTINT, .layout = {.records = 2000, .threshold = 600}},
     .interrupts = true},
    {.name = "circle",
     .needs = {FEATURE_BTS, NO_MORE},
     .jumps = 1650,
     .run = {.debugctl = TRACING,
             .policy = PMI_COUNT,
             .layout = {.records = 48, .threshold = BTS_NO_THRESHOLD}},
     .circle = true},
    {.name = "counter_of_ring_3",
     .needs = {FEATURE_PERFMON2, NO_MORE},
     .user = true,
     .jumps = 1300,
     .run = {.layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}},
     .counter = {.number = 1},
     .rings = COUNTER_USR,
     .period = NEVER},
    {.name = "threshold_in_ring_3_as_nmi",
     .needs = {FEATURE_BTS, NO_MORE},
     .user = true,
     .jumps = 1400,
     .run = {.debugctl = TRACING | DEBUGCTL_BTINT,
             .layout = {.records = 1000, .threshold = 300},
             .delivery = APIC_DELIVERY_NMI},
     .interrupts = true},
    {.name = "lbr_of_ring_3",
     .needs = {FEATURE_LBR_SELECT, NO_MORE},
     .user = true,
     .jumps = 600,
     .run = {.debugctl = DEBUGCTL_LBR,
             .lbr = true,
             .select = LBR_SELECT_CPL_EQ_0,
             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}}},
    {.name = "lbr_without_jumps",
     .needs = {FEATURE_LBR_SELECT, NO_MORE},
     .jumps = 800,
     .run = {.debugctl = DEBUGCTL_LBR,
             .lbr = true,
             .select = LBR_SELECT_NEAR_REL_JMP,
             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}}},
    {.name = "lbr_freeze",
     .needs = {FEATURE_LBR, FEATURE_FREEZE},
     .jumps = 1600,
     .run = {.debugctl = DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI,
             .lbr = true,
             .policy = PMI_COUNT,
             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}},
     .period = 500,
     .interrupts = true},
    {.name = "fixed_counter_of_ring_0",
     .needs = {FEATURE_PERFMON2, NO_MORE},
     .jumps = 1100,
     .run = {.debugctl = TRACING, .layout = {.records = 1200, .threshold = BTS_NO_THRESHOLD}},
     .counter = {.fixed = true},
     .rings = COUNTER_OS,
     .period = NEVER},
    {.name = "counter_freeze",
     .needs = {FEATURE_FREEZE, FEATURE_DS},
     .jumps = 1600,
     .run = {.debugctl = DEBUGCTL_FREEZE_PERFMON_ON_PMI,
             .policy = PMI_COUNT,
             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}},
     .period = 500,
     .interrupts = true},
};

#define SETTINGS COUNT_OF(settings)

static struct side sides[2];

static bool is_possible(const struct setting *setting)
{
    for (size_t i = 0; i < COUNT_OF(setting->needs); i++)
        if (!feature_present(setting->needs[i]))
            return false;
    return (!(setting->run.debugctl & DEBUGCTL_TR) || feature_present(FEATURE_BTS)) &&
           (!setting->period || pmu_counter_exists(setting->counter)) &&
           (!setting->period || setting->counter.fixed || pmu_event_available(PMU_INSTRUCTIONS));
}

static bool is_possible_on(const struct setting *setting, unsigned processor)
{
    bool possible;

    features_view(processor);
    possible = is_possible(setting);
    features_view(0);
    return possible;
}

/* Whether two threads of a core share MSR_LBR_SELECT is open (F8.23). Without leaf 0BH it is
 * unknown which they are. */
static bool may_share_a_core(unsigned index)
{
    struct cpuid_result topology = {0};

    if (insn_cpuid(0, 0).eax >= 0xb)
        topology = insn_cpuid(0xb, 0);
    return !topology.ebx ||
           (processor_apic_id(0) ^ processor_apic_id(index)) >> (topology.eax & 31) == 0;
}

static void prepare(struct test_context *t, struct side *side, const struct setting *setting)
{
    size_t records = setting->run.layout.records;

    side->circle = setting->circle ? limit_capacity(t, records, false) : 0;
    side->program = setting->user ? *program_of_user_jumps(setting->jumps)
                                  : *program_of_length(setting->jumps + PROGRAM_SLED_EXTRA);
    side->run = setting->run;
    side->run.interrupts_wanted = setting->interrupts;
    side->counter = setting->counter;
    side->counter_rings = setting->rings;
    side->counter_period = setting->period;
}

static uint64_t frozen(const struct setting *setting, uint64_t bit)
{
    return setting->run.debugctl & bit;
}

/* Legacy freezes clear what they freeze, streamlined ones say so in the status (F7.2, F7.3). A
 * Goldmont may do either with LBR; one that has not frozen yet shows it here (D 12). */
static bool clears_lbr(const struct setting *setting, const struct side *side)
{
    enum choice_value flavour = freeze_lbr_flavour();

    if (!frozen(setting, DEBUGCTL_FREEZE_LBRS_ON_PMI))
        return false;
    if (flavour == VALUE_UNKNOWN)
        return !(side->seen.debugctl_end & DEBUGCTL_LBR);
    return flavour == VALUE_LEGACY;
}

static void expect_freeze(struct test_context *t, unsigned processor, const struct setting *setting,
                          const struct side *side)
{
    bool clears = clears_lbr(setting, side);
    bool lbr = frozen(setting, DEBUGCTL_FREEZE_LBRS_ON_PMI) && !clears;
    bool counters = frozen(setting, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    bool streamlined = feature_present(FEATURE_PERFMON4);
    uint64_t bits = side->status & (PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ);
    uint64_t expected =
        (lbr ? PERF_GLOBAL_STATUS_LBR_FRZ : 0) | (counters ? PERF_GLOBAL_STATUS_CTR_FRZ : 0);

    if (setting->run.debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI)
        test_under(t, UNDER(FREEZE_LBRS));
    if (!EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", side->seen.debugctl_end,
                      setting->run.debugctl & ~(clears ? (uint64_t)DEBUGCTL_LBR : 0)))
        test_note(t, "that was processor %u", processor);
    EXPECT(t, MSR_VALUE,
           side->seen.control_end == (counters && !streamlined ? 0 : side->run.control),
           "processor %u: IA32_PERF_GLOBAL_CTRL was set to %#lx and ended as %#lx", processor,
           side->run.control, side->seen.control_end);
    EXPECT(t, MSR_VALUE, bits == (streamlined ? expected : 0),
           "processor %u: IA32_PERF_GLOBAL_STATUS ended as %#lx", processor, side->status);
}

/* A counter of one ring counts the jumps of its program there, and a few instructions more: what
 * IRET to ring 3, the way back and interrupts may add. A counter that overflows starts again, or
 * stops. */
static void expect_count(struct test_context *t, unsigned processor, const struct setting *setting,
                         const struct side *side)
{
    uint64_t mask = pmu_counter_mask(setting->counter);
    uint64_t counted = (side->counted + setting->period) & mask;
    size_t interrupts = side->log.event_count;
    uint64_t own = setting->interrupts ? side->run.control : 0;
    uint64_t besides = setting->rings & COUNTER_OS ? 600 : 2 + far_count_excess(2, interrupts);

    if (!setting->period)
        return;
    test_under(t, UNDER(COUNTER) | UNDER(INSTRUCTIONS) | (setting->rings ? UNDER(FILTERED) : 0));
    if (setting->rings)
        EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, counted, setting->jumps - 1,
                       setting->jumps + besides,
                       "processor %u: its counter counted %lu of %zu jumps", processor, counted,
                       setting->jumps);
    EXPECT_BETWEEN(t, OVERFLOW_MISSING, OVERFLOW_EXTRA, side->overflowed, own, own,
                   "processor %u: counters that overflowed, by IA32_PERF_GLOBAL_STATUS: %#lx",
                   processor, side->overflowed);
    EXPECT(t, MSR_VALUE, side->event_end == side->event,
           "processor %u: its counter's event select was %#lx and ended as %#lx", processor,
           side->event, side->event_end);
}

static void expect_stack(struct test_context *t, unsigned processor, const struct setting *setting,
                         const struct side *side)
{
    if (!setting->run.lbr)
        return;
    EXPECT(t, MSR_VALUE, side->selected == setting->run.select,
           "processor %u: MSR_LBR_SELECT was set to %#lx and ended as %#lx", processor,
           setting->run.select, side->selected);
    if (!setting->interrupts && !lbr_compare(t, side->program.truth, side->program.count,
                                             setting->run.select, &side->seen.lbr))
        test_note(t, "this is the LBR stack of processor %u", processor);
}

static void expect_side(struct test_context *t, unsigned processor, const struct setting *setting,
                        const struct side *side)
{
    size_t count = side->log.event_count;

    EXPECT_BETWEEN(t, PMI_MISSING, PMI_EXTRA, count, setting->interrupts,
                   setting->interrupts ? SIZE_MAX : 0,
                   "processor %u took %zu interrupts, expected %s", processor, count,
                   setting->interrupts ? "some" : "none");
    side_expect_records(t, processor, side);
    features_view(processor);
    expect_freeze(t, processor, setting, side);
    expect_count(t, processor, setting, side);
    expect_stack(t, processor, setting, side);
    features_view(0);
}

static void check_pair(struct test_context *t, unsigned index, const struct setting *first,
                       const struct setting *second)
{
    const struct setting *pair[] = {first, second};

    for (unsigned i = 0; i < 2; i++)
        prepare(t, &sides[i], pair[i]);
    if (!side_by_side(t, index, sides))
        return;
    for (unsigned i = 0; i < 2; i++)
        expect_side(t, i ? index : 0, pair[i], &sides[i]);
    if (test_has_failed(t))
        test_note(t, "processor 0 had the setting %s, processor %u %s", first->name, index,
                  second->name);
}

static void check_pairs(struct test_context *t, unsigned index)
{
    const struct setting *possible[SETTINGS];
    bool siblings = may_share_a_core(index);
    size_t count = 0, apart;

    for (size_t i = 0; i < SETTINGS; i++)
        if (is_possible(&settings[i]) && is_possible_on(&settings[i], index) &&
            !(settings[i].run.select && siblings))
            possible[count++] = &settings[i];
    apart = count > 1 ? 1 + test_repetition(t) % (count - 1) : 0;
    for (size_t i = 0; i < count && !test_has_failed(t); i++)
        check_pair(t, index, possible[i], possible[(i + apart) % count]);
}

TEST(processors, different_settings_at_once, CLAIMS("ISR-4"), NEEDS(SECOND_PROCESSOR, DS, PMI))
{
    other_for_each(t, "ISR-4", check_pairs);
}
