/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does INFO count the events of a counter that is set to log them (F20.24)? The manual does not say
 * whether the branch's own event is among them. So straight code before a branch has more events
 * than INFO can count, a ring that the counter leaves out has none, and a jump right after another
 * has at most two, its own and that one's.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/spec/observe.h"
#include "tests/workloads/stretches.h"

#define COUNTERS  4u /* that can be logged */
#define SATURATED 3u /* "3 or more" */

/* The counter that logs; where none does the counts mean nothing (F20.21). */
static unsigned logging;
static unsigned rings; /* COUNTER_… that it counts in */

/* The others count as well, and log nothing. */
static void start(const struct run *run, struct observation *seen)
{
    uint64_t select = 0;

    (void)run, (void)seen;
    pmu_reset();
    for (unsigned i = 0; i < COUNTERS; i++)
        if (pmu_counter_exists((struct counter){.number = i}))
            pmu_program((struct counter){.number = i}, PMU_INSTRUCTIONS,
                        i == logging ? rings : COUNTER_OS | COUNTER_USR);
    rdmsr_safe(IA32_PERFEVTSEL0 + logging, &select);
    wrmsr_safe(IA32_PERFEVTSEL0 + logging, select | PERFEVTSEL_EVENT_LOGGING);
}

static bool is_end_of_stretch(uint64_t from)
{
    for (const uint64_t *end = event_stretch_ends; end < event_stretch_ends_end; end++)
        if (*end == from)
            return true;
    return false;
}

/* Returns whether it is an entry of the stretches. */
static bool check_entry(struct test_context *t, const struct lbr_entry *entry, unsigned expected)
{
    if (!is_end_of_stretch(entry->from))
        return false;
    EXPECT(t, LBR_FLAGS, entry->events[logging] == expected,
           "INFO tells of %u events of PMC%u at %pS, expected %u", entry->events[logging], logging,
           (void *)entry->from, expected);
    return true;
}

/* What was logged before an earlier branch is not logged again. Returns as check_entry(). */
static bool check_chained(struct test_context *t, const struct lbr_entry *entry)
{
    if (entry->from != (uint64_t)event_stretch_chained)
        return false;
    EXPECT(t, LBR_FLAGS, entry->events[logging] < SATURATED,
           "INFO tells of %u events or more of PMC%u between two jumps right behind each other",
           SATURATED, logging);
    return true;
}

static void expect_entries(struct test_context *t, const char *whose, size_t got, size_t expected)
{
    EXPECT(t, LBR_MISSING, got >= expected, "%zu entries %s, not %zu", got, whose, expected);
    EXPECT(t, LBR_EXTRA, got <= expected, "%zu entries %s, not %zu", got, whose, expected);
}

static void check(struct test_context *t, unsigned expected)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR,
                            .entry = event_stretch,
                            .hold_off_interrupts = true,
                            .lbr = true,
                            .control = pmu_all_counters(),
                            .ahead = start,
                            .behind = run_stop_counting};
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t found = 0, chained = 0, count;
    struct observation seen;

    if (!observe(t, NULL, &run, &seen))
        return;
    count = lbr_entries_of(&seen.lbr.after, entries);
    for (size_t i = 0; i < count; i++) {
        found += check_entry(t, &entries[i], expected);
        chained += check_chained(t, &entries[i]);
    }
    expect_entries(t, "of the stretches", found,
                   (size_t)(event_stretch_ends_end - event_stretch_ends));
    expect_entries(t, "of the last jump of the chain", chained, 1);
    pmu_reset();
}

static void check_counter(struct test_context *t, unsigned number)
{
    logging = number;
    rings = COUNTER_OS | COUNTER_USR;
    check(t, SATURATED);
    rings = COUNTER_USR;
    check(t, 0);
}

static bool can_log(unsigned number)
{
    return lbr_arch()->event_counters >> number & 1 &&
           pmu_counter_exists((struct counter){.number = number});
}

TEST_UNLESS(arch_lbr, events_of_counters_are_logged, CLAIMS("ALBR-5"), NEEDS(ARCH_LBR, PERFMON2),
            !(lbr_arch()->event_counters & 1) || !pmu_event_available(PMU_INSTRUCTIONS),
            "CPUID.1CH:ECX[19:16] = %u: no counter whose events are logged",
            lbr_arch()->event_counters)
{
    TEST_EACH_WHERE(t, number, 0u, COUNTERS, can_log(number), "ALBR-5", "pmc%u", number)
        check_counter(t, number);
}
