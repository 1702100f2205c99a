/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_short.h"

#include "arch/cpu/ground/msr.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_events.h"
#include "tests/workloads/armed_write.h"
#include "tests/workloads/kinds/registers.h"

/* Into the fences behind the first jump; and no more than there are in all. */
#define INSTRUCTIONS_BEFORE (REGISTERS_FENCES + 20)
#define INSTRUCTIONS_ALL    (5 * REGISTERS_FENCES)

static uint64_t first_of(enum pmu_event event)
{
    return pmu_event_is_branches(event) ? ARMED_WRITE_BRANCHES_BEFORE : INSTRUCTIONS_BEFORE;
}

struct sampling sample_short(enum pmu_event event)
{
    static const struct register_write nothing = {IA32_DEBUGCTL, 0};
    struct sampling sampling = sample_default(event);

    sampling.entry = armed_write;
    sampling.argument = (uint64_t)&nothing;
    sampling.counters[0].first = first_of(event);
    sampling.counters[0].reset = SAMPLING_NEVER;
    return sampling;
}

struct sampling_counter *sample_short_add(struct sampling *sampling, struct counter counter,
                                          uint64_t reset)
{
    enum pmu_event event = sampling->counters[0].event;

    return sampling_add(sampling, counter, event, first_of(event), reset);
}

/* Branches behind the one that stored the record: the RET, and that one itself where it is the
 * first of the next period. Of several counters each may have had to wait for one more. */
static bool is_due(const struct sampling *sampling, uint64_t since)
{
    uint64_t due = choice_of(CHOICE_PEBS_SPACING) == VALUE_PERIOD ? 2 : 1;

    if (!pmu_event_is_branches(sampling->counters[0].event))
        return since <= INSTRUCTIONS_ALL;
    return since == due || (sampling->count > 1 && since < due);
}

bool sample_short_expect_reload(struct test_context *t, const struct sampling *sampling,
                                const struct sampling_counter *item)
{
    uint64_t mask = pmu_counter_mask(item->counter);

    return EXPECT(t, COUNT_LOW, is_due(sampling, (item->value + item->reset) & mask),
                  "counter %u is at %#lx after the run, its reset value is %#lx",
                  item->counter.number, item->value, -item->reset & mask);
}
