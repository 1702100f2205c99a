/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/freeze/isr_run.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "tests/run/retry.h"
#include "tests/spec/choices/write_outcome.h"
#include "tests/spec/observe.h"
#include "tests/spec/samples/sample_events.h"

#define TRANSFERS      1500
#define BTS_RECORDS    2000
#define BTS_THRESHOLD  1000
#define PEBS_RECORDS   20  /* within the 4 KiB that format 0 may have (F3.70) */
#define PEBS_PERIOD    450 /* more events than the end of the routine has */
#define COUNTER_PERIOD 700
#define FAR_PERIOD     (1u << 24) /* never reached in a run */

static void reload(uint64_t overflowed);

static struct pmi_event events[16];
static struct bts_record records[2 * BTS_RECORDS];
static uint8_t pebs_bytes[0x8000];
static struct pmi_log log = {
    .events = events,
    .event_capacity = COUNT_OF(events),
    .records = records,
    .record_capacity = COUNT_OF(records),
    .pebs_bytes = pebs_bytes,
    .pebs_capacity = sizeof pebs_bytes,
    .reload = reload,
};
static struct isr_observation *current;
static enum pmu_event sampled_event;
static uint64_t counter_period;

static void reload(uint64_t overflowed)
{
    current->reloads++;
    current->reloaded |= overflowed;
    pmu_write_period(current->counter, FAR_PERIOD);
}

/* PEBS samples on general-purpose counter 0; the overflow is some other counter's. */
static bool choose_counter(struct test_context *t, struct counter *counter)
{
    const struct counter candidates[] = {{.number = 1}, {.fixed = true, .number = 0}};

    for (size_t i = 0; i < COUNT_OF(candidates); i++) {
        if (!pmu_counter_exists(candidates[i]))
            continue;
        *counter = candidates[i];
        return true;
    }
    test_skip(t, "CPUID.0AH: no counter besides the one that PEBS takes");
    return false;
}

static uint64_t pebs_start(void)
{
    return -(uint64_t)PEBS_PERIOD & pmu_counter_mask((struct counter){.number = 0});
}

static void program_counters(const struct run *run, struct observation *seen)
{
    const struct counter sampler = {.number = 0};

    (void)seen;
    current->ds_area = read_ours(IA32_DS_AREA);
    pmu_program(sampler, sampled_event, COUNTER_OS | COUNTER_USR);
    pmu_write(sampler, pebs_start());
    pmu_program(current->counter, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR | COUNTER_PMI);
    pmu_write_period(current->counter, counter_period);
    pebs_make_adaptive(run->pebs_enable);
}

static void collect(struct isr_observation *seen)
{
    seen->pebs_enable_end = pebs_disable();
    seen->status_end = pmu_status() & pmu_all_counters() & ~seen->pebs_enable;
    seen->ds_area_end = read_ours(IA32_DS_AREA);
    seen->pebs_index_end = pebs_index();
    pmi_drain_pebs(&log);
    pmu_reset();
}

bool isr_run(struct test_context *t, const struct isr_run *how, struct isr_observation *seen)
{
    const struct pebs_layout pebs = {.records = PEBS_RECORDS,
                                     .threshold =
                                         how->causes & PMI_CAUSE_PEBS ? 1 : PEBS_RECORDS - 1,
                                     .reset = {pebs_start()}};
    struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
        .layout = {.records = BTS_RECORDS,
                   .threshold = how->causes & PMI_CAUSE_BTS ? BTS_THRESHOLD : BTS_RECORDS - 1},
        .pebs = &pebs,
        .pebs_enable = PEBS_GENERAL(0),
        .policy = PMI_SERVE,
        .armed = ISR_ALL_CAUSES,
        .delivery = how->delivery,
        .hold_off_interrupts = how->hold_off_interrupts,
        .interrupts_wanted = how->causes != 0,
        .log = &log,
        .ahead = program_counters,
        .behind = run_stop_counting,
    };
    struct retry retry = retry_begin();
    bool good;

    sampled_event = sample_any_event(t);
    counter_period = how->causes & PMI_CAUSE_COUNTER ? COUNTER_PERIOD : FAR_PERIOD;
    current = seen;
    do {
        *seen = (struct isr_observation){.debugctl = run.debugctl, .pebs_enable = run.pebs_enable};
        pmu_reset();
        if (!sample_is_possible(t, sampled_event) || !choose_counter(t, &seen->counter))
            return false;
        run.control = seen->control = pmu_global_bit(seen->counter) | 1;
        good = observe(t, program_of_length(TRANSFERS), &run, &seen->run);
        collect(seen);
    } while (retry_if_disturbed(&retry));
    return good;
}
