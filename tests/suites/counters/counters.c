/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does every counter that CPUID.0AH promises count, in the rings that its select names, and only
 * while it is enabled?
 */
#include "arch/cpu/traps/debug.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"

/* Long enough for events that do not come with each instruction. */
#define LONG_ITERATIONS 500
#define TRIES           20 /* for a clock to advance in */

static void check_exact_counts(struct test_context *t, struct counting *counting,
                               enum pmu_event event)
{
    const uint64_t lengths[] = {1, 2, 3, 100, LONG_ITERATIONS};

    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        counting->iterations = lengths[i];
        counting_expect(t, counting, event, counting->items[0].flags,
                        counting_measure(t, counting));
    }
}

static void check_counts_more_of_more(struct test_context *t, struct counting *counting)
{
    uint64_t few, many;

    counting->iterations = LONG_ITERATIONS / 20;
    few = counting_measure(t, counting);
    counting->iterations = LONG_ITERATIONS;
    many = counting_measure(t, counting);
    EXPECT(t, COUNT_LOW, few > 0, "counts nothing in %u iterations", LONG_ITERATIONS / 20);
    EXPECT(t, COUNT_LOW, many > few, "counts %lu in %u iterations and %lu in %u", few,
           LONG_ITERATIONS / 20, many, LONG_ITERATIONS);
}

/* Returns false if no event tells what the counter counts. */
static bool check_event_of(struct test_context *t, struct counter counter,
                           struct counting *counting)
{
    enum pmu_event event = counting_event(t, counter);

    if (event == PMU_EVENT_COUNT)
        return false;
    counting_add(counting, counter, event);
    if (counting_is_exact(event))
        check_exact_counts(t, counting, event);
    else
        check_counts_more_of_more(t, counting);
    return true;
}

static void check_own_event(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop};

    check_event_of(t, counter, &counting);
}

TEST(counters, count_their_event, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    counting_each(t, NULL, NULL, check_own_event);
}

static void check_branches(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop};

    counting_add(&counting, counter, PMU_BRANCHES);
    check_exact_counts(t, &counting, PMU_BRANCHES);
}

TEST(counters, count_branches, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    if (pmu_event_available(PMU_BRANCHES))
        counting_each_general(t, check_branches);
    else
        test_skip(t, "CPUID.0AH:EBX says that there is no event %s", pmu_event_name(PMU_BRANCHES));
}

/* Runs the workload once for each counter of retired instructions. */
static void check_instructions_of(struct test_context *t, const struct counted_workload *workload)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters);

    for (unsigned i = 0; i < count; i++) {
        struct counting counting = {.workload = workload, .iterations = 100};

        counting_add(&counting, counters[i], PMU_INSTRUCTIONS);
        counting_expect(t, &counting, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR,
                        counting_measure(t, &counting));
    }
    if (!count)
        test_skip(t, "no counter counts %s", pmu_event_name(PMU_INSTRUCTIONS));
    counting_end();
}

TEST(counters, a_string_instruction_counts_once, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    test_under(t, UNDER(STRING));
    check_instructions_of(t, &workload_counted_string);
}

struct delivery {
    const char *name;
    unsigned kind;
    const struct counted_workload *workload;
    uint8_t vector;
    void (*handler)(void);
};

#define DELIVERIES 100

/* How many more are counted than retire. */
static int64_t excess_of(struct test_context *t, struct counter counter,
                         const struct counted_workload *workload)
{
    struct counting counting = {.workload = workload, .iterations = DELIVERIES};
    uint64_t counted;

    counting_add(&counting, counter, PMU_INSTRUCTIONS);
    counted = counting_measure(t, &counting);
    return (int64_t)(counted - counting_truth(&counting, PMU_INSTRUCTIONS, COUNTER_OS));
}

static int64_t excess_of_delivery(struct test_context *t, struct counter counter,
                                  const struct delivery *delivery)
{
    int64_t excess;

    interrupt_gate_direct(delivery->vector, delivery->handler, 0);
    excess = excess_of(t, counter, delivery->workload);
    interrupt_gate_reset(delivery->vector);
    return excess;
}

static int64_t of_each(int64_t excess)
{
    return (excess + (excess < 0 ? -DELIVERIES : DELIVERIES) / 2) / DELIVERIES;
}

/*
 * Each delivery adds the same count, at most one; where far transfers count as two, so does IRET
 * (F21.32). A faulting instruction that retires looks like a delivery that counts, so the test
 * fails only if the count varies or exceeds that.
 */
static void check_delivery(struct test_context *t, struct counter counter,
                           const struct delivery *delivery, int64_t far_overcount)
{
    int64_t excess = excess_of_delivery(t, counter, delivery), each = of_each(excess);
    int64_t apart = excess - each * DELIVERIES;

    if (each < 0 || each > 1 + far_overcount || apart < -2 * COUNT_SLACK || apart > 2 * COUNT_SLACK)
        test_find_as(t,
                     &(struct finding){.kind = excess < 0 ? FINDING_COUNT_LOW : FINDING_COUNT_HIGH,
                                       .expected = 0,
                                       .got = (uint64_t)excess},
                     "%u of %s and their handlers count %ld too many, expected none, or the same "
                     "for each",
                     DELIVERIES, delivery->name, excess);
    else
        choice_learn(t, CHOICE_DELIVERY_COUNTED, each > far_overcount ? VALUE_YES : VALUE_NO,
                     delivery->kind, counter.fixed);
}

static void check_fault(struct test_context *t, struct counter counter)
{
    static const struct delivery deliveries[] = {
        {"INT n", TRANSFER_INT, &workload_counted_interrupt, VECTOR_TEST,
         counted_interrupt_handler},
        {"single-step traps", TRANSFER_DEBUG, &workload_counted_trap, VECTOR_DB,
         counted_trap_handler},
        {"faults", TRANSFER_EXCEPTION, &workload_counted_undefined, VECTOR_UD,
         counted_undefined_handler},
    };
    int64_t far_overcount = of_each(excess_of(t, counter, &workload_counted_far)) > 0 ? 1 : 0;

    test_under(t, UNDER(INSTRUCTIONS));
    for (size_t i = 0; i < COUNT_OF(deliveries); i++)
        check_delivery(t, counter, &deliveries[i], far_overcount);
    debug_status_take();
}

TEST(counters, a_faulting_instruction_does_not_count, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters);

    for (unsigned i = 0; i < count; i++)
        check_fault(t, counters[i]);
    if (!count)
        test_skip(t, "no counter counts %s", pmu_event_name(PMU_INSTRUCTIONS));
    counting_end();
}

/* The global enable first and the counter's own last: the same events, and none before or after. */
static void check_own_enable_last(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .own_enable = true};
    uint64_t after;

    if (!check_event_of(t, counter, &counting))
        return;
    after = pmu_read(counter);
    counting_run_workload(&counting);
    EXPECT_EQUAL(t, COUNT_HIGH, "the counter, its own enable cleared and the global one set",
                 pmu_read(counter), after);
    pmu_set_global_control(0);
}

TEST(counters, count_whichever_enable_comes_last, CLAIMS("FRZ-7"), NEEDS(PERFMON2))
{
    counting_each(t, NULL, NULL, check_own_enable_last);
}

static unsigned circumstances(enum pmu_event event)
{
    if (event == PMU_BRANCH_MISPREDICTS)
        return UNDER(MISPREDICTS);
    return event == PMU_REFERENCE_CYCLES ? UNDER(REFERENCE) : 0;
}

/* Every architectural event by name; those of caches and predictors are the processor's own. */
static void check_event(struct test_context *t, enum pmu_event event)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = LONG_ITERATIONS};
    uint64_t counted;

    counting_add(&counting, (struct counter){.number = 0}, event);
    counted = counting_measure(t, &counting);
    counting.items[0].flags = 0;
    EXPECT_EQUAL(t, COUNT_HIGH, "count with neither ring enabled", counting_measure(t, &counting),
                 0);
    test_under(t, circumstances(event)); /* of how much it counts */
    if (event == PMU_CORE_CYCLES || event == PMU_REFERENCE_CYCLES || event == PMU_SLOTS ||
        event == PMU_RETIRING)
        EXPECT(t, COUNT_LOW, counted > 0, "counts nothing in %u iterations", LONG_ITERATIONS);
    if (event == PMU_BRANCH_MISPREDICTS)
        EXPECT(t, COUNT_HIGH,
               counted <= counting_truth(&counting, PMU_BRANCHES, COUNTER_OS) + COUNT_SLACK,
               "%lu branches mispredicted of %lu", counted,
               counting_truth(&counting, PMU_BRANCHES, COUNTER_OS));
    if (counting_is_exact(event))
        counting_expect(t, &counting, event, COUNTER_OS, counted);
    counting_end();
}

static void format_event_identifier(enum pmu_event event, char *text, size_t size)
{
    format_string(text, size, "%s", pmu_event_name(event));
    for (; *text; text++)
        if (*text == ' ')
            *text = '_';
}

TEST(counters, events_of_the_enumeration, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    char name[40];

    test_plan(t, PMU_ARCHITECTURAL_EVENTS);
    for (unsigned event = 0; event < PMU_ARCHITECTURAL_EVENTS; event++) {
        format_event_identifier(event, name, sizeof name);
        test_begin(t, NULL, "%s", name);
        if (pmu_event_available(event))
            check_event(t, event);
        else
            test_skip(t, "%s: no event %u",
                      trace_features()->perfmon.own.leaves & PERFMON_OWN_EVENTS
                          ? "CPUID.23H, sub-leaf 3"
                          : "CPUID.0AH:EBX and EAX[31:24]",
                      event);
        test_end(t);
    }
}

struct ring_case {
    const struct counted_workload *workload;
    unsigned flags;
    bool counts; /* something of the workload happens in the rings of the flags */
};

static void check_ring(struct test_context *t, struct counter counter, enum pmu_event event,
                       const struct ring_case *c)
{
    struct counting counting = {.workload = c->workload, .iterations = LONG_ITERATIONS};
    uint64_t counted;

    test_under(t, UNDER(FILTERED));
    counting_add(&counting, counter, event)->flags = c->flags;
    counted = counting_measure(t, &counting);
    /* A coarse clock may stand still. */
    for (unsigned i = 0; !counted && c->counts && i < TRIES; i++)
        counted = counting_measure(t, &counting);
    if (!c->counts)
        EXPECT(t, COUNT_HIGH, counted == 0, "%s counts %lu in rings it was not told to (flags %#x)",
               c->workload->name, counted, c->flags);
    else if (counting_is_exact(event))
        counting_expect(t, &counting, event, c->flags, counted);
    else
        EXPECT(t, COUNT_LOW, counted > 0, "%s counts nothing (flags %#x)", c->workload->name,
               c->flags);
}

static void check_rings(struct test_context *t, struct counter counter)
{
    const struct ring_case cases[] = {
        {&workload_counted_loop, COUNTER_OS, true},
        {&workload_counted_loop, COUNTER_USR, false},
        {&workload_counted_loop, 0, false},
        {&workload_counted_user, COUNTER_OS, true},
        {&workload_counted_user, COUNTER_USR, true},
        {&workload_counted_user, COUNTER_OS | COUNTER_USR, true},
        {&workload_counted_user, 0, false},
        {&workload_counted_compat, COUNTER_OS, true},
        {&workload_counted_compat, COUNTER_USR, true},
    };
    enum pmu_event event = counting_event(t, counter);

    for (size_t i = 0; event != PMU_EVENT_COUNT && i < COUNT_OF(cases); i++)
        check_ring(t, counter, event, &cases[i]);
}

TEST(counters, count_only_in_the_rings_told, CLAIMS("PM-1"), NEEDS(PERFMON, SYSCALL))
{
    counting_each(t, NULL, NULL, check_rings);
}

/* The counter's value does not change while the workload runs; read twice before and after. */
static void expect_still(struct test_context *t, const struct counting *counting, const char *why)
{
    struct counter counter = counting->items[0].counter;
    uint64_t before = pmu_read(counter), before_again = pmu_read(counter), after;

    counting_run_workload(counting);
    after = pmu_read(counter);
    EXPECT(t, COUNT_HIGH, before_again == before && after == before && pmu_read(counter) == after,
           "moves from %#lx to %#lx %s", before, after, why);
}

/* All the others may count: none of their enable bits is this one's. */
static void expect_still_beside_others(struct test_context *t, const struct counting *counting)
{
    struct counter counters[PMU_COUNTERS_MAX], own = counting->items[0].counter;
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        pmu_program(counters[i], PMU_CORE_CYCLES, COUNTER_OS | COUNTER_USR);
    pmu_set_global_control(pmu_all_counters() & ~pmu_global_bit(own));
    expect_still(t, counting, "while IA32_PERF_GLOBAL_CTRL enables all counters but this one");
    pmu_set_global_control(0);
}

static void check_stops(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 100};
    enum pmu_event event = counting_event(t, counter);

    if (event == PMU_EVENT_COUNT)
        return;
    counting_add(&counting, counter, event);
    counting_run(t, &counting);
    EXPECT(t, COUNT_LOW, counting_counted(&counting.items[0]) > 0,
           "counts nothing while it is enabled");
    if (pmu_version() >= 2) {
        expect_still(t, &counting, "with its bit of IA32_PERF_GLOBAL_CTRL clear");
        expect_still_beside_others(t, &counting);
    }
    pmu_program_off(counter);
    pmu_set_global_control(pmu_all_counters());
    expect_still(t, &counting, "with its own enable bits clear");
    pmu_set_global_control(0);
}

TEST(counters, stand_still_when_disabled, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    counting_each(t, NULL, NULL, check_stops);
}

/* Several at once, each with its own event: one does not take another's. */
TEST(counters, all_count_at_once, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = LONG_ITERATIONS};
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        counting_add(&counting, counters[i], i % 2 ? PMU_BRANCHES : PMU_INSTRUCTIONS);
    counting_run(t, &counting);
    for (unsigned i = 0; i < count; i++) {
        struct counting_item *item = &counting.items[i];
        enum pmu_event event =
            item->counter.fixed ? pmu_fixed_event(item->counter.number) : item->event;

        if (counting_is_exact(event) && pmu_event_available(event))
            counting_expect(t, &counting, event, item->flags, counting_counted(item));
    }
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS, as no counter overflowed", counting.status,
                0);
    counting_end();
}
