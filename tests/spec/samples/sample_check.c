/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_check.h"

#include "arch/cpu/traps/user.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/workloads/kinds/registers.h"

/* Branches before the first jump: the bracket's CALL. After the last: the RET. */
#define BRANCHES_BEFORE 1
#define BRANCHES_AFTER  1

/* Instructions before the first step, the CALL included, and after the last: registers_run and the
 * bracket. */
#define INSTRUCTIONS_BEFORE (registers_instructions_before + 1)
#define INSTRUCTIONS_AFTER  (registers_instructions_after + 3)

_Static_assert(REGISTERS_STEP_LENGTH > SAMPLE_SKID_LIMIT + 1,
               "the arming must be over before the next branch");

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

/* Both tables are in the order of addresses. SIZE_MAX: not in this one. */
static size_t find_state(const struct register_state *table, uint64_t ip)
{
    size_t from = 0, to = states();

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (table[middle].ip == ip)
            return middle;
        if (table[middle].ip < ip)
            from = middle + 1;
        else
            to = middle;
    }
    return SIZE_MAX;
}

static size_t state_at(uint64_t ip)
{
    size_t state = find_state(register_states, ip);

    return state != SIZE_MAX ? state : find_state(register_states_user, ip);
}

static uint64_t known_events(enum pmu_event event)
{
    return pmu_event_is_branches(event) ? REGISTERS_STEPS : steps();
}

/* The first event after the known steps. */
static uint64_t known_end(enum pmu_event event)
{
    return sample_first_event(event) + known_events(event);
}

uint64_t sample_first_event(enum pmu_event event)
{
    return pmu_event_is_branches(event) ? BRANCHES_BEFORE + 1 : INSTRUCTIONS_BEFORE + 1;
}

uint64_t sample_events_in_all(enum pmu_event event)
{
    if (pmu_event_is_branches(event))
        return BRANCHES_BEFORE + known_events(event) + BRANCHES_AFTER;
    return INSTRUCTIONS_BEFORE + known_events(event) + INSTRUCTIONS_AFTER;
}

size_t sample_cause_of_event(enum pmu_event event, uint64_t number)
{
    uint64_t place = number - sample_first_event(event);

    if (number < sample_first_event(event) || place >= known_events(event))
        return SIZE_MAX;
    return pmu_event_is_branches(event) ? state_at(registers_truth[place].from) : place;
}

/* Architectural PEBS: as the first record with the registers showed it. */
static bool eventing_ip_is_next(void)
{
    return sampling_is_architectural() && choice_of(CHOICE_ARCH_PEBS_IP) == VALUE_NEXT;
}

size_t sample_cause_of_record(const struct pebs_record *record)
{
    size_t state = state_at(record->has_state_ip ? record->ip : record->eventing_ip);
    bool is_next = record->has_state_ip ? pebs_is_trap_like() : eventing_ip_is_next();

    if (state == SIZE_MAX || !is_next)
        return state;
    return state ? state - 1 : SIZE_MAX;
}

static const struct register_state *state_of(const struct sampling *sampling, size_t number)
{
    return (sampling->ring == 3 ? register_states_user : register_states) + number;
}

/* General registers at a state; RAX and RSP are not of the common pattern. */
static uint64_t register_at(const struct sampling *sampling, const struct register_state *state,
                            unsigned number)
{
    unsigned place = number - (number < GPR_RSP ? GPR_RCX : GPR_RCX + 1);

    if (number == GPR_RAX)
        return state->rax;
    if (number == GPR_RSP)
        return (uint64_t)(sampling->ring == 3 ? user_stack_top : registers_stack) -
               REGISTERS_OFF_STACK;
    if (place < state->turned)
        return ~REGISTERS_VALUE((uint64_t)number);
    return REGISTERS_VALUE((uint64_t)number);
}

static bool check_state(struct test_context *t, const struct sampling *sampling,
                        const struct pebs_record *record, size_t number)
{
    const struct register_state *state = state_of(sampling, number);
    bool held;

    if (record->ip != state->ip) {
        test_find(t, &(struct finding){
                         .kind = FINDING_PEBS_IP, .expected = state->ip, .got = record->ip});
        return false;
    }
    held = EXPECT_EQUAL(t, PEBS_FLAGS, "RFLAGS in the record", record->flags & ~FLAG_RF,
                        state->flags | sampling->argument);
    for (unsigned i = 0; record->has_gprs && i < GPR_COUNT; i++)
        held &= EXPECT_EQUAL(t, PEBS_GPR, gpr_names[i], record->gpr[i],
                             register_at(sampling, state, i));
    return held;
}

/* Which counters the record names (F3.43, F3.45, F13.37). */
static bool check_counters(struct test_context *t, const struct pebs_record *record,
                           const struct sample_expected *expected)
{
    uint64_t sampling = expected->bits | expected->others;

    if (record->has_applicable)
        return EXPECT_EQUAL(t, PEBS_APPLICABLE, "applicable counters in the record",
                            record->applicable, expected->bits);
    if (record->has_global_status)
        return EXPECT_EQUAL(t, PEBS_STATUS, "overflow bits of sampling counters in the record",
                            record->global_status & sampling, expected->bits);
    return true;
}

/* What is in a record is a claim of its own, whichever the test is about. */
static bool held_or_breaks(struct test_context *t, bool held, const char *claim)
{
    if (!held)
        test_breaks(t, claim);
    return held;
}

#define LONGEST_JCC 6u /* bytes */

/* Is the event a branch, from this state on, and the next state right behind it? */
static bool is_not_taken(const struct sampling *sampling, const struct register_state *state)
{
    return pmu_event_is_branches(sampling->counters[0].event) && state[1].ip > state->ip &&
           state[1].ip - state->ip <= LONGEST_JCC;
}

/* F22.35 does not say whether the instruction pointer of the basic group is that of the
 * instruction, as in adaptive records, or of the next one. */
static void learn_eventing_ip(struct test_context *t, const struct pebs_record *record,
                              const struct register_state *cause)
{
    bool is_known = choice_of(CHOICE_ARCH_PEBS_IP) != VALUE_UNKNOWN;

    if (!sampling_is_architectural() || is_known || !record->has_state_ip)
        return;
    if (record->eventing_ip == cause->ip || record->eventing_ip == cause[1].ip)
        choice_learn(t, CHOICE_ARCH_PEBS_IP,
                     record->eventing_ip == cause->ip ? VALUE_INSTRUCTION : VALUE_NEXT);
}

/* No record with the registers has shown it yet. */
static bool may_be_next(const struct pebs_record *record, const struct register_state *cause)
{
    return sampling_is_architectural() && choice_of(CHOICE_ARCH_PEBS_IP) == VALUE_UNKNOWN &&
           record->eventing_ip == cause[1].ip;
}

static bool check_eventing_ip(struct test_context *t, const struct sampling *sampling,
                              const struct pebs_record *record, const struct register_state *cause,
                              bool held)
{
    uint64_t expected;

    learn_eventing_ip(t, record, cause);
    expected = cause[eventing_ip_is_next()].ip;
    if (record->eventing_ip == expected || may_be_next(record, cause))
        return true;
    test_find(t, &(struct finding){.kind = FINDING_PEBS_EVENTING_IP,
                                   .expected = expected,
                                   .got = record->eventing_ip,
                                   .under = is_not_taken(sampling, cause) ? UNDER(NOT_TAKEN) : 0,
                                   .same_record = !held});
    return false;
}

/* The groups that it says are those that were asked for, and end where it says (F22.9, F22.10). */
static bool check_format(struct test_context *t, const struct sampling *sampling,
                         const struct pebs_record *record)
{
    const struct pebs_kind kind = pebs_kind();
    bool held = EXPECT_EQUAL(t, PEBS_FORMAT, "configuration in the record", record->format_config,
                             pebs_format_said(&kind, sampling->data_config));

    held &=
        EXPECT_EQUAL(t, PEBS_FORMAT, "size in the record", record->format_size, pebs_record_size());
    /* Whether a mask of counters stands there again is derived, not told (F22.12). */
    if (!(sampling->data_config >> 32 & 0xffff))
        held &= EXPECT_EQUAL(t, PEBS_LATENCY, "what is in the place of a retire latency",
                             record->beside_config, 0);
    return held && EXPECT_EQUAL(t, PEBS_FORMAT, "bytes of the groups in the record", record->size,
                                record->format_size);
}

bool sample_check_record(struct test_context *t, const struct sampling *sampling,
                         const struct pebs_record *record, const struct sample_expected *expected)
{
    const struct register_state *cause = state_of(sampling, expected->cause);
    bool held = check_counters(t, record, expected);

    test_compared(t, 1);
    if (record->has_state_ip)
        held &= held_or_breaks(
            t, check_state(t, sampling, record, expected->cause + (pebs_is_trap_like() ? 1 : 0)),
            sampling_is_architectural() ? "APEBS-1" : "PEBS-1");
    if (record->has_eventing_ip)
        held &= check_eventing_ip(t, sampling, record, cause, held);
    if (record->has_tsc)
        held &= EXPECT(t, PEBS_TSC,
                       record->tsc >= sampling->tsc_before && record->tsc <= sampling->tsc_after,
                       "TSC in the record: %#lx, not from %#lx to %#lx", record->tsc,
                       sampling->tsc_before, sampling->tsc_after);
    if (record->has_format)
        held &= check_format(t, sampling, record);
    return held_or_breaks(t, held, sampling_is_architectural() ? "APEBS-3" : "PEBS-4");
}

/* The record, as if the code had run at its own place. */
static void decode(const struct sampling *sampling, size_t slot, struct pebs_record *record)
{
    sampling_decode(slot, record);
    record->ip -= sampling->moved;
    record->eventing_ip -= sampling->moved;
}

/* The event that the record blames: the other way round than sample_cause_of_event(). 0: none. */
static uint64_t event_of_record(enum pmu_event event, const struct pebs_record *record)
{
    size_t cause = sample_cause_of_record(record);
    uint64_t first = sample_first_event(event);

    for (uint64_t number = first; number < first + known_events(event); number++)
        if (sample_cause_of_event(event, number) == cause)
            return number;
    return 0;
}

uint64_t sample_event_of_slot(enum pmu_event event, size_t slot)
{
    struct pebs_record record;

    sampling_decode(slot, &record);
    return event_of_record(event, &record);
}

struct span {
    uint64_t least, most;
};

/*
 * The first overflow comes after item->first events, that event or the next stores the record.
 * Instructions: it is open whether those that start counting are counted too. Rings 1 to 3: there
 * neither the bracket nor the way to the first step counts, but the IRET may (F6.26), or twice.
 */
static struct span first_due(const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    bool user = sampling->ring;
    uint64_t iret = user ? 1 + far_count_excess(1, 0) : 0;
    uint64_t event =
        sample_storing_event(item, 0) + (user ? sample_first_event(item->event) - 1 : 0);

    if (pmu_event_is_branches(item->event))
        return (struct span){event - iret, event + user};
    return (struct span){event - COUNT_SLACK, event + COUNT_SLACK + SAMPLE_SKID_LIMIT};
}

/* The events that may store the record in a slot, after the one that event number before stored. */
static struct span next_due(const struct sampling_counter *item, size_t slot, uint64_t before)
{
    uint64_t event = before + sample_spacing(item, slot);

    if (pmu_event_is_branches(item->event))
        return (struct span){event, event};
    return (struct span){before + item->reset, before + item->reset + 1 + SAMPLE_SKID_LIMIT};
}

/* The event that stored the record: as due, or as it says where more than one may. 0 after a
 * test_fail(). */
static uint64_t check_due(struct test_context *t, const struct sampling *sampling, size_t slot,
                          struct span due)
{
    const struct sampling_counter *item = &sampling->counters[0];
    struct pebs_record record;
    uint64_t event;

    if (due.least == due.most)
        return due.least;
    decode(sampling, slot, &record);
    event = event_of_record(item->event, &record);
    if (event >= due.least && event <= due.most)
        return event;
    FIND(t, PEBS_WHEN, "record %zu blames %pS, event %lu; expected event %lu to %lu", slot,
         (void *)(record.has_eventing_ip ? record.eventing_ip : record.ip), event, due.least,
         due.most);
    return 0;
}

/* Nothing is missing: one more record was not yet sure to come, or had no room. */
static bool check_count(struct test_context *t, const struct sampling *sampling, size_t stored,
                        uint64_t last_event)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t due = next_due(item, stored, last_event).most;

    return EXPECT_COUNT(t, PEBS, "records stored", sampling->index, stored) &&
           EXPECT(t, PEBS_MISSING, stored == sampling->records || due >= known_end(item->event),
                  "%zu records stored, and no further one by event %lu", stored, due);
}

uint64_t sample_check_all(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    struct sample_expected expected = {.bits = sampling_bit(item->counter)};
    uint64_t last = 0;
    size_t slot = 0;

    if (!EXPECT(t, PEBS_MISSING, sampling->index > 1, "%zu records, fewer than two",
                sampling->index))
        return 0;
    for (; slot < sampling->index && slot < sampling->records; slot++) {
        struct span due = slot ? next_due(item, slot, last) : first_due(sampling);
        uint64_t event = check_due(t, sampling, slot, due);
        struct pebs_record record;

        if (!event)
            return 0;
        expected.cause = sample_cause_of_event(item->event, event);
        if (expected.cause == SIZE_MAX)
            break;
        decode(sampling, slot, &record);
        if (!sample_check_record(t, sampling, &record, &expected)) {
            test_note(t, "that was record %zu, stored by event %lu", slot, event);
            return 0;
        }
        last = event;
    }
    return check_count(t, sampling, slot, last) ? last : 0;
}

uint64_t sample_last_event(const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t event;

    if (pmu_event_is_branches(item->event))
        return sample_storing_event(item, sampling->index - 1);
    event = sample_event_of_slot(item->event, sampling->index - 1);
    return event ? event : known_end(item->event);
}

bool sample_check_reload(struct test_context *t, const struct sampling *sampling,
                         uint64_t last_event)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t mask = pmu_counter_mask(item->counter);
    uint64_t since = sample_counted_since(item, last_event, sample_events_in_all(item->event));
    uint64_t expected = (since - item->reset) & mask;
    uint64_t slack = pmu_event_is_branches(item->event) ? 0 : COUNT_SLACK;

    if (!pmu_event_is_branches(item->event) && last_event >= known_end(item->event))
        slack += INSTRUCTIONS_AFTER; /* which of them it was is not known */
    if (((item->value - expected + slack) & mask) <= 2 * slack)
        return true;
    test_find_as(t,
                 &(struct finding){.kind = (item->value - expected) & mask & ~(mask >> 1)
                                               ? FINDING_COUNT_LOW
                                               : FINDING_COUNT_HIGH,
                                   .expected = expected,
                                   .got = item->value},
                 "the counter after the run: expected %#lx (reset value %#lx and %lu events), "
                 "got %#lx",
                 expected, -item->reset & mask, since, item->value);
    return false;
}
