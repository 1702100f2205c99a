/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default run, and which events store records. */
#include "tests/spec/samples/sample_events.h"

#include "arch/cpu/ground/percpu.h"
#include "arch/lib/printf.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/workloads/kinds/registers.h"

#define SAMPLE_ARCH_RECORDS                                                                        \
    10000 /* more than the workload brings: the buffer has no such limit                           \
           */

struct counter sample_counter(enum pmu_event event)
{
    PMU_EACH_GENERAL(i)
        if (event == PMU_INSTRUCTIONS && i < AXIS_GENERAL_POINTS &&
            choice_of(CHOICE_PEBS_INSTRUCTIONS, i) == VALUE_YES)
            return (struct counter){.number = i};
    return (struct counter){.number = 0};
}

struct sampling sample_default(enum pmu_event event)
{
    bool branches = pmu_event_is_branches(event);
    uint64_t steps = (uint64_t)(register_states_end - register_states) - 1;
    struct sampling sampling = {
        .records = 26, /* the most that format 0 has room for, less one */
        .threshold = PEBS_NO_THRESHOLD,
        .data_config = pebs_format() >= PEBS_FORMAT_ADAPTIVE ? PEBS_DATA_GPRS : 0,
        .arch = {.size_code = 3, .threshold = PEBS_ARCH_NO_THRESHOLD},
        .arch_groups = PEBS_ARCH_GPRS,
    };

    if (sampling_is_architectural())
        sampling.records = SAMPLE_ARCH_RECORDS;

    /* The last record that fits the steps leaves no room for one in what comes after them. The
     * sixth instruction record is one of a step if all come late, the seventh none if none does. */
    sampling_add(&sampling, sample_counter(event), event, branches ? 50 : steps / 6,
                 branches ? 40 : steps / 7);
    return sampling;
}

/* Once, from the records of a default run; of the first one the start of counting is not exact. */
static void observe_skid(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t before = sample_event_of_slot(item->event, 0), largest = 0;

    for (size_t slot = 1; slot < sampling->index && slot < sampling->records; slot++) {
        uint64_t event = sample_event_of_slot(item->event, slot);
        uint64_t due = before + sample_spacing(item, slot);

        if (before && event > due + largest)
            largest = event - due;
        before = event;
    }
    choice_learn(t, CHOICE_PEBS_SKID, largest);
}

/* Format 0 is that of Core and Atom, whose C4H/04H is the branches predicted taken. */
static bool is_another_event(enum pmu_event event)
{
    return event == PMU_BRANCHES_PRECISE && pebs_format() == 0;
}

/* The default run: does it store anything? A record at the wrong place is one for the tests to see.
 * True as well where it could not be, which has failed the test. The spacing is learnt from
 * branches, where they can be sampled. */
static bool try_on(struct test_context *t, unsigned number, enum pmu_event event,
                   enum pmu_event branches)
{
    struct sampling sampling = sample_default(branches);
    bool stored;

    sampling.counters[0].counter.number = number;
    if (branches != PMU_EVENT_COUNT)
        sample_learn_when(t, &sampling);
    sampling = sample_default(event);
    sampling.counters[0].counter.number = number;
    if (!sampling_run(t, &sampling))
        return true;
    stored = sampling.index || sampling_find_stray_write(0);
    if (number == 0)
        choice_learn(t, CHOICE_PEBS_EVENT, stored ? VALUE_YES : VALUE_NO, event);
    if (event != PMU_INSTRUCTIONS)
        return stored;
    choice_learn(t, CHOICE_PEBS_INSTRUCTIONS, stored ? VALUE_YES : VALUE_NO, number);
    if (sampling.index > 1)
        observe_skid(t, &sampling);
    return stored;
}

/* On the first counter that samples them. */
static bool try_instructions(struct test_context *t)
{
    enum pmu_event branches = sample_branches(t);

    PMU_EACH_GENERAL(i)
        if (i < AXIS_GENERAL_POINTS && sample_counter_samples((struct counter){.number = i}) &&
            try_on(t, i, PMU_INSTRUCTIONS, branches))
            return true;
    return false;
}

static bool try_event(struct test_context *t, enum pmu_event event)
{
    if (!pmu_event_available(event) || is_another_event(event))
        return false;
    if (event == PMU_INSTRUCTIONS)
        return try_instructions(t);
    return try_on(t, 0, event, PMU_EVENT_COUNT);
}

static enum { UNTRIED, WORKS, DOES_NOT } tried[PROCESSORS_MAX][PMU_EVENT_COUNT];
LEARNED_STATE(tried);

bool sample_event_works(struct test_context *t, enum pmu_event event)
{
    unsigned slot = features_slot();

    if (tried[slot][event] == UNTRIED)
        tried[slot][event] = try_event(t, event) ? WORKS : DOES_NOT;
    return tried[slot][event] == WORKS;
}

/* In the order in which they are tried for what must be exact. */
static const enum pmu_event candidates[] = {PMU_BRANCHES, PMU_BRANCHES_PRECISE, PMU_INSTRUCTIONS};

static bool works_on_pmc0(struct test_context *t, enum pmu_event event)
{
    return sample_event_works(t, event) && !sample_counter(event).number;
}

enum pmu_event sample_best_event(struct test_context *t)
{
    for (size_t i = 0; i < COUNT_OF(candidates); i++)
        if (works_on_pmc0(t, candidates[i]))
            return candidates[i];
    return PMU_EVENT_COUNT;
}

enum pmu_event sample_branches(struct test_context *t)
{
    for (size_t i = 0; i < COUNT_OF(candidates); i++)
        if (pmu_event_is_branches(candidates[i]) && sample_event_works(t, candidates[i]))
            return candidates[i];
    return PMU_EVENT_COUNT;
}

bool sample_has_branches(struct test_context *t)
{
    if (sample_branches(t) == PMU_EVENT_COUNT)
        test_skip(t, SAMPLE_NO_BRANCHES);
    return sample_branches(t) != PMU_EVENT_COUNT;
}

enum pmu_event sample_any_event(struct test_context *t)
{
    return works_on_pmc0(t, PMU_INSTRUCTIONS) ? PMU_INSTRUCTIONS : sample_branches(t);
}

const char *sample_candidates(void)
{
    static char list[16 * COUNT_OF(candidates)];
    size_t length = 0;

    for (size_t i = 0; i < COUNT_OF(candidates); i++) {
        unsigned select = pmu_event_select(candidates[i], 0) & 0xffff;

        length += format_string(list + length, sizeof list - length, "%s%02XH/%02XH", i ? ", " : "",
                                select & 0xff, select >> 8);
    }
    return list;
}

bool sample_is_possible(struct test_context *t, enum pmu_event event)
{
    if (event == PMU_EVENT_COUNT)
        test_skip(t, "IA32_PEBS_ENABLE: PMC0 stores a record for none of the events %s",
                  sample_candidates());
    return event != PMU_EVENT_COUNT;
}
