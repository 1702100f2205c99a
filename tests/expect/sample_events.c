/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default run, and which events store records. */
#include "tests/expect/pebs_readings.h"
#include "tests/expect/sample_check.h"
#include "tests/workloads/registers.h"

struct sampling sample_default(enum pmu_event event)
{
    const struct counter pmc0 = {.number = 0};
    bool branches = event == PMU_BRANCHES;
    uint64_t steps = (uint64_t)(register_states_end - register_states) - 1;
    struct sampling sampling = {
        .records = 26, /* the most that format 0 has room for, less one */
        .threshold = PEBS_NO_THRESHOLD,
        .data_config = pebs_format() == PEBS_FORMAT_ADAPTIVE ? PEBS_DATA_GPRS : 0,
    };

    /* The last record that fits the steps leaves no room for one in what comes after them. The
     * sixth instruction record is one of a step if all come late, the seventh none if none does. */
    sampling_add(&sampling, pmc0, event, branches ? 50 : steps / 6, branches ? 40 : steps / 7);
    return sampling;
}

/* Once, from the records of a default run; of the first one the start of counting is not exact. */
static void observe_skid(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t before = sample_event_of_slot(item->event, 0), largest = 0;

    for (size_t slot = 1; slot < sampling->index && slot < sampling->records; slot++) {
        uint64_t event = sample_event_of_slot(item->event, slot), due = before + item->reset;

        if (pebs_reading_of_spacing() != PEBS_SPACING_PERIOD)
            due++;
        if (before && event > due + largest)
            largest = event - due;
        before = event;
    }
    test_observe(t, "PEBS records of instructions come up to %llu instructions late",
                 (unsigned long long)largest);
}

/* The default run, once for each event; from its records of branches the spacing is learnt. */
static bool try_event(struct test_context *t, enum pmu_event event)
{
    struct sampling sampling = sample_default(event);

    if (event != PMU_BRANCHES)
        sample_event_works(t, PMU_BRANCHES); /* for the spacing */
    if (!pmu_event_available(event) || !sampling_run(t, &sampling))
        return false;
    sample_learn_spacing(t, &sampling);
    if (sampling.index > 1 && event == PMU_INSTRUCTIONS)
        observe_skid(t, &sampling);
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
