/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sampling_arch.h"

#include "tests/spec/observe.h"

bool sampling_is_architectural(void)
{
    return feature_present(FEATURE_PEBS_ARCH) && !feature_present(FEATURE_PEBS_RECORDS);
}

void sampling_decode(size_t slot, struct pebs_record *record)
{
    struct pebs_arch_record arch;

    if (!sampling_is_architectural()) {
        pebs_decode(slot, record);
        return;
    }
    __builtin_memset(record, 0, sizeof *record);
    if (pebs_arch_decode(slot, &arch))
        *record = arch.common;
}

const char *sampling_find_stray_write(size_t records)
{
    return sampling_is_architectural() ? pebs_arch_find_stray_write(records)
                                       : pebs_find_stray_write(records);
}

static const struct sampling *current;
static const char *refusal;

static void program_counter(const struct sampling_counter *item)
{
    uint64_t config = item->allow | (item->plain ? 0 : current->arch_groups | PEBS_ARCH_ENABLE);

    pmu_write_period(item->counter, item->first);
    if (exception_happened(pebs_arch_program(item->counter, config, -item->reset)) && !refusal)
        refusal = "writing CFG_C of a counter raised an exception";
    pmu_program(item->counter, item->event, item->flags ? item->flags : COUNTER_OS | COUNTER_USR);
}

/* Anew for each run: the buffer, too. */
static void program_counters(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    refusal = pebs_arch_prepare(&current->arch);
    if (current->before)
        current->before();
    pmu_reset();
    for (unsigned i = 0; i < current->count; i++)
        program_counter(&current->counters[i]);
    if (current->frozen)
        pmu_status_set(current->frozen);
}

static void collect(struct sampling *sampling, const struct observation *seen)
{
    sampling_collect(sampling, seen);
    sampling->status = pmu_status() & (pmu_status_mask() | PERF_GLOBAL_STATUS_ARCH_PEBS);
    sampling->arch_end = pebs_arch_index();
    pebs_arch_stop();
    sampling->index = pebs_arch_records();
    pmu_reset();
}

const char *sampling_arch_run(struct test_context *t, struct sampling *sampling)
{
    struct pmi_log log = {.events = sampling->events, .event_capacity = SAMPLING_EVENTS_MAX};
    struct run run = sampling_run_of(sampling, sampling->arch_groups & PEBS_ARCH_METRICS, &log);
    struct observation seen = {0};
    const char *why;

    current = sampling;
    run.armed = PMI_CAUSE_ARCH_PEBS;
    run.ahead = program_counters;
    why = run_quietly(NULL, &run, &seen);
    observe_left_alone(t, &run, &seen);
    collect(sampling, &seen);
    return why ? why : refusal;
}
