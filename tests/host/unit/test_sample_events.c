/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which counter samples instructions: is it found by trying, whatever the processor is called? */
#include "tests/spec/samples/sample_events.c"

#include "check.h"

#define GENERAL 4u

/* The processor: which counters store records of branches, and of instructions. */
static uint64_t of_branches, of_instructions;
static uint64_t enabled, taken; /* in IA32_PEBS_ENABLE; by others */
static unsigned runs;

/* What was learnt of each counter. */
static enum choice_value learnt[GENERAL], learnt_of_pmc0[PMU_EVENT_COUNT];

const struct register_state register_states[1], register_states_end[1];

unsigned pmu_general_from(unsigned number)
{
    while (number < GENERAL && taken >> number & 1)
        number++;
    return number < GENERAL ? number : PMU_GENERAL_MAX;
}

bool pmu_event_available(enum pmu_event event)
{
    return event != PMU_BRANCHES_PRECISE;
}

bool pmu_event_is_branches(enum pmu_event event)
{
    return event == PMU_BRANCHES || event == PMU_BRANCHES_PRECISE;
}

uint64_t pmu_event_select(enum pmu_event event, unsigned flags)
{
    (void)flags;
    return event;
}

unsigned pebs_format(void)
{
    return 4;
}

bool sampling_is_architectural(void)
{
    return false;
}

bool sample_counter_samples(struct counter counter)
{
    return enabled >> counter.number & 1;
}

struct sampling_counter *sampling_add(struct sampling *sampling, struct counter counter,
                                      enum pmu_event event, uint64_t first, uint64_t reset)
{
    struct sampling_counter *added = &sampling->counters[sampling->count++];

    *added = (struct sampling_counter){
        .counter = counter, .event = event, .first = first, .reset = reset};
    return added;
}

bool sampling_run(struct test_context *t, struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    uint64_t storing = item->event == PMU_INSTRUCTIONS ? of_instructions : of_branches;

    (void)t;
    runs++;
    sampling->index = storing >> item->counter.number & 1;
    return true;
}

const char *sampling_find_stray_write(size_t records)
{
    (void)records;
    return NULL;
}

void sample_learn_when(struct test_context *t, const struct sampling *sampling)
{
    (void)t;
    CHECK(sampling->counters[0].event == PMU_BRANCHES, "the spacing is learnt from branches");
}

uint64_t sample_spacing(const struct sampling_counter *item, size_t number)
{
    (void)number;
    return item->reset;
}

uint64_t sample_event_of_slot(enum pmu_event event, size_t slot)
{
    (void)event;
    return slot;
}

enum choice_value choice_value_at(enum choice choice, struct choice_point point)
{
    return choice == CHOICE_PEBS_INSTRUCTIONS ? learnt[point.at[0]] : VALUE_UNKNOWN;
}

bool choice_learn_at(struct test_context *t, enum choice choice, uint64_t value,
                     struct choice_point point)
{
    (void)t;
    if (choice == CHOICE_PEBS_INSTRUCTIONS)
        learnt[point.at[0]] = (enum choice_value)value;
    else
        learnt_of_pmc0[point.at[0]] = (enum choice_value)value;
    return true;
}

void test_skip(struct test_context *t, const char *format, ...)
{
    (void)t, (void)format;
}

static void be(uint64_t branches, uint64_t instructions)
{
    memset(tried, 0, sizeof tried);
    of_branches = branches;
    of_instructions = instructions;
    enabled = (1u << GENERAL) - 1;
    taken = runs = 0;
    memset(learnt, 0, sizeof learnt);
    memset(learnt_of_pmc0, 0, sizeof learnt_of_pmc0);
}

static void expect(const char *what, unsigned counter, enum pmu_event best, enum pmu_event any)
{
    bool works = sample_event_works(NULL, PMU_INSTRUCTIONS);

    CHECK(works == ((of_instructions & enabled & ~taken) != 0), "%s: works %d", what, works);
    CHECK(sample_counter(PMU_INSTRUCTIONS).number == counter, "%s: on PMC%u", what,
          sample_counter(PMU_INSTRUCTIONS).number);
    CHECK(sample_counter(PMU_BRANCHES).number == 0, "%s: branches on another", what);
    CHECK(sample_best_event(NULL) == best, "%s: best event %u", what, sample_best_event(NULL));
    CHECK(sample_any_event(NULL) == any, "%s: any event %u", what, sample_any_event(NULL));
}

static void test_pmc0(void)
{
    be(0xf, 0xf);
    expect("every counter", 0, PMU_BRANCHES, PMU_INSTRUCTIONS);
    CHECK(learnt[0] == VALUE_YES && learnt[1] == VALUE_UNKNOWN, "those behind it are not tried");
    CHECK(learnt_of_pmc0[PMU_INSTRUCTIONS] == VALUE_YES, "of PMC0");
    CHECK(runs == 2, "%u runs, one for each event", runs);
    be(0, 1);
    enabled = 1;
    expect("one counter, and instructions alone", 0, PMU_INSTRUCTIONS, PMU_INSTRUCTIONS);
}

/* Golden Cove (F22.22). */
static void test_others(void)
{
    be(0xf, 0xe);
    expect("all but PMC0", 1, PMU_BRANCHES, PMU_BRANCHES);
    CHECK(learnt[0] == VALUE_NO && learnt[1] == VALUE_YES, "both are told");
    CHECK(learnt_of_pmc0[PMU_INSTRUCTIONS] == VALUE_NO, "of PMC0");
    be(0xf, 0xe);
    taken = 2;
    expect("PMC1 is somebody else's", 2, PMU_BRANCHES, PMU_BRANCHES);
    be(0xf, 0x8);
    expect("the last one alone", 3, PMU_BRANCHES, PMU_BRANCHES);
    be(0xf, 0xe);
    enabled = 1;
    expect("the others cannot sample", 0, PMU_BRANCHES, PMU_BRANCHES);
    CHECK(learnt[1] == VALUE_UNKNOWN, "one that cannot sample is tried");
}

/* That PMC0 stores nothing must be seen, though another does. */
static void test_none(void)
{
    be(0xf, 0);
    expect("none", 0, PMU_BRANCHES, PMU_BRANCHES);
    be(0xe, 0xe);
    expect("PMC0 stores nothing", 1, PMU_EVENT_COUNT, PMU_EVENT_COUNT);
}

int main(void)
{
    test_pmc0();
    test_others();
    test_none();
    return check_result();
}
