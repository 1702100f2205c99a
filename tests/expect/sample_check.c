/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/expect/sample_check.h"

#include "arch/cpu/features.h"
#include "arch/cpu/user.h"
#include "tests/expect/counting.h"
#include "tests/expect/pebs_readings.h"
#include "tests/workloads/registers.h"

/* Jumps before the two instructions in the middle of the workload, which are no branches. */
#define JUMPS_BEFORE_MIDDLE (REGISTERS_STEPS / 2)

/* Branches before the first jump: the bracket's CALL. After the last: the RET. */
#define BRANCHES_BEFORE 1
#define BRANCHES_AFTER  1

/* Instructions before the first step, the CALL included, and after the last: registers_run and the
 * bracket. */
#define INSTRUCTIONS_BEFORE (registers_instructions_before + 1)
#define INSTRUCTIONS_AFTER  (registers_instructions_after + 3)

#define FLAG_RF (1ull << 16) /* means nothing here (F14.10) */

static size_t states(void)
{
    return (size_t)(register_states_end - register_states);
}

/* The last row is the state after the last jump, no step any more. */
static size_t steps(void)
{
    return states() - 1;
}

static size_t cause_of_jump(size_t jump)
{
    return 2 * jump + 1 + (jump >= JUMPS_BEFORE_MIDDLE ? 2 : 0);
}

uint64_t sample_first_event(enum pmu_event event)
{
    return event == PMU_BRANCHES ? BRANCHES_BEFORE + 1 : INSTRUCTIONS_BEFORE + 1;
}

uint64_t sample_events_in_all(enum pmu_event event)
{
    if (event == PMU_BRANCHES)
        return BRANCHES_BEFORE + REGISTERS_STEPS + BRANCHES_AFTER;
    return INSTRUCTIONS_BEFORE + steps() + INSTRUCTIONS_AFTER;
}

size_t sample_cause_of_event(enum pmu_event event, uint64_t number)
{
    uint64_t place = number - sample_first_event(event);

    if (number < sample_first_event(event))
        return SIZE_MAX;
    if (event == PMU_BRANCHES)
        return place < REGISTERS_STEPS ? cause_of_jump(place) : SIZE_MAX;
    return place < steps() ? place : SIZE_MAX;
}

static size_t state_at(uint64_t ip)
{
    for (size_t i = 0; i < states(); i++)
        if (register_states[i].ip == ip || register_states_user[i].ip == ip)
            return i;
    return SIZE_MAX;
}

size_t sample_cause_of_record(const struct pebs_record *record)
{
    size_t state = state_at(record->has_state_ip ? record->ip : record->eventing_ip);

    if (state == SIZE_MAX || !record->has_state_ip || !pebs_is_trap_like())
        return state;
    return state ? state - 1 : SIZE_MAX;
}

static bool is_of_ring_3(const struct sampling *sampling)
{
    return sampling->entry == registers_run_user;
}

static const struct register_state *state_of(const struct sampling *sampling, size_t number)
{
    return (is_of_ring_3(sampling) ? register_states_user : register_states) + number;
}

/* General registers at a state; RAX and RSP are not of the common pattern. */
static uint64_t register_at(const struct sampling *sampling, const struct register_state *state,
                            unsigned number)
{
    if (number == GPR_RAX)
        return state->rax;
    if (number == GPR_RSP)
        return (uint64_t)(is_of_ring_3(sampling) ? user_stack_top : registers_stack);
    return REGISTERS_VALUE((uint64_t)number);
}

static bool check_state(struct test_context *t, const struct sampling *sampling,
                        const struct pebs_record *record, size_t number)
{
    const struct register_state *state = state_of(sampling, number);
    bool held;

    if (record->ip != state->ip) {
        test_fail(t, "IP in the record: expected %pS, got %pS", (void *)state->ip,
                  (void *)record->ip);
        return false;
    }
    held = EXPECT_EQUAL(t, "RFLAGS in the record", record->flags & ~FLAG_RF, state->flags);
    for (unsigned i = 0; record->has_gprs && i < GPR_COUNT; i++)
        held &= EXPECT_EQUAL(t, gpr_names[i], record->gpr[i], register_at(sampling, state, i));
    return held;
}

/* Which counters the record names (F3.43, F3.45, F13.37). */
static bool check_counters(struct test_context *t, const struct pebs_record *record,
                           const struct sample_expected *expected)
{
    uint64_t sampling = expected->bits | expected->others;

    if (record->has_applicable)
        return EXPECT_EQUAL(t, "applicable counters in the record", record->applicable,
                            expected->bits);
    if (record->has_global_status)
        return EXPECT_EQUAL(t, "overflow bits of sampling counters in the record",
                            record->global_status & sampling, expected->bits);
    return true;
}

bool sample_check_record(struct test_context *t, const struct sampling *sampling,
                         const struct pebs_record *record, const struct sample_expected *expected)
{
    const struct register_state *cause = state_of(sampling, expected->cause);
    bool held = check_counters(t, record, expected);

    if (record->has_state_ip)
        held &= check_state(t, sampling, record, expected->cause + (pebs_is_trap_like() ? 1 : 0));
    if (record->has_eventing_ip && record->eventing_ip != cause->ip) {
        test_fail(t, "eventing IP in the record: expected %pS, got %pS", (void *)cause->ip,
                  (void *)record->eventing_ip);
        held = false;
    }
    if (record->has_tsc)
        held &= EXPECT(t, record->tsc >= sampling->tsc_before && record->tsc <= sampling->tsc_after,
                       "TSC in the record: %#llx, not from %#llx to %#llx",
                       (unsigned long long)record->tsc, (unsigned long long)sampling->tsc_before,
                       (unsigned long long)sampling->tsc_after);
    if (record->has_format) {
        held &= EXPECT_EQUAL(t, "configuration in the record", record->format_config,
                             sampling->data_config);
        held &= EXPECT_EQUAL(t, "size in the record", record->format_size, pebs_record_size());
    }
    return held;
}

uint64_t sample_spacing(const struct sampling_counter *item)
{
    return item->reset + (pebs_reading_of_spacing() == PEBS_SPACING_PERIOD_PLUS_ONE ? 1 : 0);
}

/* The event of a cause: the other way round than sample_cause_of_event(). 0: none. */
static uint64_t event_of_cause(enum pmu_event event, size_t cause)
{
    for (uint64_t number = sample_first_event(event); number <= sample_events_in_all(event);
         number++)
        if (sample_cause_of_event(event, number) == cause)
            return number;
    return 0;
}

/* The first two records tell how far records are apart. */
static void learn_spacing(struct test_context *t, const struct sampling_counter *item,
                          uint64_t first_event)
{
    struct pebs_record record;
    uint64_t apart;

    if (pebs_reading_of_spacing() != PEBS_SPACING_UNSEEN)
        return;
    pebs_decode(1, &record);
    apart = event_of_cause(item->event, sample_cause_of_record(&record)) - first_event;
    pebs_reading_learn_spacing(t, apart == item->reset ? PEBS_SPACING_PERIOD
                                                       : PEBS_SPACING_PERIOD_PLUS_ONE);
}

/*
 * The first overflow comes after item->first events, the next event stores the record (F3.62). Of
 * instructions it is open whether those that start counting are counted too.
 */
static uint64_t first_event(struct test_context *t, const struct sampling_counter *item)
{
    uint64_t expected = item->first + 1, got;
    struct pebs_record record;

    if (item->event == PMU_BRANCHES)
        return expected;
    pebs_decode(0, &record);
    got = event_of_cause(item->event, sample_cause_of_record(&record));
    if (got + COUNT_SLACK >= expected && got <= expected + COUNT_SLACK)
        return got;
    test_fail(t, "the first record was stored by event %llu, expected event %llu",
              (unsigned long long)got, (unsigned long long)expected);
    return 0;
}

uint64_t sample_check_all(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    struct sample_expected expected = {.bits = sampling_bit(item->counter)};
    uint64_t event = 0, last = 0;
    size_t slot = 0;

    if (EXPECT(t, sampling->index > 1, "%zu records, fewer than two", sampling->index))
        event = first_event(t, item);
    if (!event)
        return 0;
    learn_spacing(t, item, event);
    while (slot < sampling->records && event <= sample_events_in_all(item->event)) {
        struct pebs_record record;

        expected.cause = sample_cause_of_event(item->event, event);
        if (expected.cause == SIZE_MAX)
            break;
        pebs_decode(slot, &record);
        if (!sample_check_record(t, sampling, &record, &expected)) {
            test_note(t, "that was record %zu, stored by event %llu", slot,
                      (unsigned long long)event);
            return 0;
        }
        last = event;
        event += sample_spacing(item);
        slot++;
    }
    return EXPECT_EQUAL(t, "records stored", sampling->index, slot) ? last : 0;
}

bool sample_check_reload(struct test_context *t, const struct sampling *sampling,
                         uint64_t last_event)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t mask = pmu_counter_mask(item->counter);
    uint64_t since = sample_events_in_all(item->event) - last_event +
                     (pebs_reading_of_spacing() == PEBS_SPACING_PERIOD ? 1 : 0);
    uint64_t expected = (since - item->reset) & mask;
    uint64_t slack = item->event == PMU_BRANCHES ? 0 : COUNT_SLACK;

    return EXPECT(t, ((item->value - expected + slack) & mask) <= 2 * slack,
                  "the counter after the run: expected %#llx (reset value %#llx and %llu events), "
                  "got %#llx",
                  (unsigned long long)expected, (unsigned long long)(-item->reset & mask),
                  (unsigned long long)since, (unsigned long long)item->value);
}

struct sampling sample_default(enum pmu_event event)
{
    const struct counter pmc0 = {.number = 0};
    bool branches = event == PMU_BRANCHES;
    struct sampling sampling = {
        .records = 26, /* the most that format 0 has room for, less one */
        .threshold = PEBS_NO_THRESHOLD,
        .data_config = pebs_format() == PEBS_FORMAT_ADAPTIVE ? PEBS_DATA_GPRS : 0,
    };

    /* The last record that fits the steps leaves no room for one in what comes after them. */
    sampling_add(&sampling, pmc0, event, branches ? 50 : 99, branches ? 40 : 80);
    return sampling;
}

/* The default run, once for each event; from its records the spacing is learnt. */
static bool try_event(struct test_context *t, enum pmu_event event)
{
    struct sampling sampling = sample_default(event);
    const struct sampling_counter *item = &sampling.counters[0];

    if (!pmu_event_available(event) || !sampling_run(t, &sampling))
        return false;
    if (sampling.index > 1 && counting_is_exact(event))
        learn_spacing(t, item, first_event(t, item));
    if (!sampling.index)
        test_observe(t, "PMC0 stores no PEBS record for the event %s", pmu_event_name(event));
    return sampling.index != 0;
}

bool sample_event_works(struct test_context *t, enum pmu_event event)
{
    static enum { UNTRIED, WORKS, DOES_NOT } tried[PMU_EVENT_COUNT];

    if (tried[event] == UNTRIED)
        tried[event] = try_event(t, event) ? WORKS : DOES_NOT;
    return tried[event] == WORKS;
}

enum pmu_event sample_best_event(struct test_context *t)
{
    if (sample_event_works(t, PMU_BRANCHES))
        return PMU_BRANCHES;
    sample_event_works(t, PMU_INSTRUCTIONS);
    return PMU_INSTRUCTIONS;
}
