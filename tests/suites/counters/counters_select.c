/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A general-purpose counter counts if it is enabled and the ring is one that its select names
 * (F6.20), a fixed one if its field of IA32_FIXED_CTR_CTRL names the ring. Does it stand still when
 * one of these is missing, whatever else its select or field says?
 */
#include "arch/cpu/ground/msr.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"

#define PERFEVTSEL_INV     (1u << 23)
#define PERFEVTSEL_CMASK_1 (1u << 24)
#define INVERTED           (PERFEVTSEL_INV | PERFEVTSEL_CMASK_1)
#define FIRST_OTHER_BIT    8u /* above the event; 34 is the last that any version knows (F6.2) */
#define LAST_OTHER_BIT     34u

static const struct counting counting = {.workload = &workload_counted_user, .iterations = 10};

/* Where the processor refuses a bit (F6.10) the select stays 0, and the counter still, too. */
static void program_all(uint64_t select)
{
    PMU_EACH_GENERAL(i)
        wrmsr_safe(pmu_select_register(i), select);
}

static unsigned circumstances(uint64_t select)
{
    const uint64_t rings = PERFEVTSEL_OS | PERFEVTSEL_USR;

    return (select & INVERTED) == INVERTED && (select & rings) != rings ? UNDER(INVERTED) : 0;
}

/* All counters at once; instructions retire in both rings. */
static void check_still(struct test_context *t, uint64_t select)
{
    program_all(select);
    counting_run_workload(&counting);
    PMU_EACH_GENERAL(i) {
        uint64_t value = pmu_read((struct counter){.number = i});
        const struct finding finding = {
            .kind = FINDING_COUNT_HIGH, .got = value, .under = circumstances(select)};

        if (value)
            test_find_as(t, &finding,
                         "IA32_PMC%u is %#lx after a run with IA32_PERFEVTSEL%u = %#lx", i, value,
                         i, select);
    }
    test_checked(t);
    program_all(0);
}

/*
 * The others of the bits one by one, and once more so that each cycle counts in which the event
 * does not happen (F6.21): then every event does.
 */
static void check_beside(struct test_context *t, uint64_t select)
{
    const uint64_t wanted = PERFEVTSEL_EN | PERFEVTSEL_OS | PERFEVTSEL_USR;

    pmu_reset();
    pmu_set_global_control(pmu_all_counters());
    check_still(t, select);
    for (unsigned bit = FIRST_OTHER_BIT; bit <= LAST_OTHER_BIT && !test_has_failed(t); bit++)
        if (!(wanted >> bit & 1)) {
            check_still(t, select | 1ull << bit);
            check_still(t, select | 1ull << bit | INVERTED);
        }
    counting_end();
}

TEST(counters, stand_still_whatever_else_the_select_says, CLAIMS("PM-1"), NEEDS(PERFMON, SYSCALL))
{
    const uint64_t instructions = pmu_event_select(PMU_INSTRUCTIONS, 0);

    test_plan(t, 2);
    test_begin(t, NULL, "in_no_ring");
    check_beside(t, instructions);
    test_end(t);
    test_begin(t, NULL, "not_enabled");
    check_beside(t, (instructions & ~(uint64_t)PERFEVTSEL_EN) | PERFEVTSEL_OS | PERFEVTSEL_USR);
    test_end(t);
}

/* All bits of a field except those of the rings, alone and together: AnyThread, the interrupt, and
 * the adaptive record 32 bits higher (F6.3, F3.48). A refused write (F6.10) leaves the field 0. */
static void check_fixed_still(struct test_context *t, unsigned number)
{
    const uint64_t bits[] = {1ull << 2, 1ull << 3, 1ull << 32};
    const struct counter counter = {.fixed = true, .number = number};

    for (unsigned subset = 0; subset < 1u << COUNT_OF(bits) && !test_has_failed(t); subset++) {
        uint64_t field = 0;

        for (size_t i = 0; i < COUNT_OF(bits); i++)
            field |= subset >> i & 1 ? bits[i] << 4 * number : 0;
        wrmsr_safe(IA32_FIXED_CTR_CTRL, pmu_fixed_control_with(field));
        counting_run_workload(&counting);
        EXPECT(t, COUNT_HIGH, !pmu_read(counter),
               "IA32_FIXED_CTR%u is %#lx after a run with IA32_FIXED_CTR_CTRL = %#lx", number,
               pmu_read(counter), field);
        wrmsr_safe(IA32_FIXED_CTR_CTRL, pmu_fixed_control_with(0));
    }
}

TEST(counters, fixed_ones_stand_still_whatever_else_their_field_says, CLAIMS("PM-1"),
     NEEDS(PERFMON2, SYSCALL))
{
    pmu_reset();
    pmu_set_global_control(pmu_all_counters());
    for (unsigned i = 0; i < pmu_fixed_count() && !test_has_failed(t); i++)
        if (pmu_counter_exists((struct counter){.fixed = true, .number = i}))
            check_fixed_still(t, i);
    counting_end();
}
