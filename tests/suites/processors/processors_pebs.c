/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each processor have a PEBS buffer and a PEBS interrupt of its own (ISR-4)? One of two
 * samples while the other is armed and has nothing to sample.
 */
#include "arch/trace/bts.h"
#include "kernel/report/test.h"
#include "tests/run/other_processor.h"
#include "tests/run/run.h"
#include "tests/spec/samples/sample_check.h"

struct sampler {
    struct test_context *t;
    enum pmu_event event;
    size_t samples;
};

/* May call test functions, because the other processor waits meanwhile. */
static void sample(void *argument)
{
    struct sampler *sampler = argument;
    struct sampling sampling = sample_default(sampler->event);

    sampling.threshold = 4;
    sampling.interrupts_wanted = 1;
    if (!sampling_run(sampler->t, &sampling))
        return;
    sampler->samples = sampling.index;
    sample_check_all(sampler->t, &sampling);
    sampling_expect_no_stray_write(sampler->t, sampling.index);
    EXPECT(sampler->t, PMI_MISSING, sampling.interrupts,
           "the processor that samples took no interrupt");
}

struct armed {
    enum pmu_event event;
    const char *wrong; /* why it could not be armed, or NULL */
    struct pmi_log log;
    size_t index; /* found at the end, in records */
    uint64_t pebs_enable;
    const char *stray;
};

#define ARMED_RECORDS 8

static void arm(void *argument)
{
    struct armed *armed = argument;
    const struct bts_layout no_bts = {.records = 16, .threshold = BTS_NO_THRESHOLD};
    const struct pebs_layout layout = {.records = ARMED_RECORDS, .threshold = 1};
    const struct counter pmc0 = {.number = 0};

    armed->wrong = bts_prepare(&no_bts);
    if (!armed->wrong)
        armed->wrong = pebs_prepare(&layout);
    if (armed->wrong)
        return;
    armed->log = (struct pmi_log){.policy = PMI_COUNT, .armed = PMI_CAUSE_PEBS};
    pmi_start(&armed->log);
    pmu_reset();
    pmu_write_period(pmc0, 1u << 30);
    pmu_program(pmc0, armed->event, COUNTER_OS | COUNTER_USR);
    pebs_make_adaptive(PEBS_GENERAL(0));
    pebs_enable(PEBS_GENERAL(0));
    pmu_set_global_control(pmu_global_bit(pmc0));
}

static void disarm(void *argument)
{
    struct armed *armed = argument;

    pmu_set_global_control(0);
    armed->pebs_enable = pebs_disable();
    pmi_stop();
    pmu_reset();
    armed->index = pebs_index();
    armed->stray = pebs_find_stray_write(0);
}

/* Here, or on another processor. */
static bool do_on(struct test_context *t, unsigned index, processor_function function,
                  void *argument)
{
    if (index)
        return other_run(t, index, function, argument);
    function(argument);
    return true;
}

static void check_sampling(struct test_context *t, enum pmu_event event, unsigned sampling,
                           unsigned waiting)
{
    static struct armed armed;
    struct sampler sampler = {.t = t, .event = event};

    armed = (struct armed){.event = event};
    if (!do_on(t, waiting, arm, &armed) || !expect_programmed(t, armed.wrong))
        return;
    if (!do_on(t, sampling, sample, &sampler) || !do_on(t, waiting, disarm, &armed))
        return;
    EXPECT(t, PEBS_EXTRA, !armed.index && !armed.stray,
           "processor %u sampled, and processor %u has %zu records%s%s", sampling, waiting,
           armed.index, armed.stray ? ", and was written to at " : "",
           armed.stray ? armed.stray : "");
    EXPECT(t, PMI_EXTRA, !armed.log.event_count,
           "processor %u sampled, and processor %u took the interrupt", sampling, waiting);
    EXPECT(t, MSR_VALUE, armed.pebs_enable == PEBS_GENERAL(0),
           "processor %u sampled, and IA32_PEBS_ENABLE of processor %u became %#lx", sampling,
           waiting, armed.pebs_enable);
}

static void check_pebs(struct test_context *t, unsigned index)
{
    enum pmu_event event = sample_best_event(t);

    if (!sample_is_possible(t, event))
        return;
    check_sampling(t, event, 0, index);
    check_sampling(t, event, index, 0);
}

TEST(processors, pebs_records_are_its_own, CLAIMS("ISR-4"),
     NEEDS(SECOND_PROCESSOR, PEBS_RECORDS, PMI))
{
    other_for_each(t, "ISR-4", check_pebs);
}
