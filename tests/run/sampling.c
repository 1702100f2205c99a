/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/sampling.h"

#include "arch/cpu/insn.h"
#include "arch/cpu/msr.h"
#include "arch/cpu/smi.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "kernel/time.h"
#include "tests/run/counting.h"
#include "tests/run/landings.h"
#include "tests/oracle/sample_events.h"
#include "tests/workloads/registers.h"

#define WAIT_FOR_WANTED_MICROSECONDS   1000000
#define WAIT_FOR_UNWANTED_MICROSECONDS 100

struct sampling_counter *sampling_add(struct sampling *sampling, struct counter counter,
                                      enum pmu_event event, uint64_t first, uint64_t reset)
{
    struct sampling_counter *added = &sampling->counters[sampling->count++];

    *added = (struct sampling_counter){
        .counter = counter, .event = event, .first = first, .reset = reset};
    return added;
}

uint64_t sampling_bit(struct counter counter)
{
    return counter.fixed ? PEBS_FIXED(counter.number) : PEBS_GENERAL(counter.number);
}

static uint64_t enabled_bits(const struct sampling *sampling)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < sampling->count; i++)
        if (!sampling->counters[i].plain)
            bits |= sampling_bit(sampling->counters[i].counter);
    return bits;
}

static void fill_resets(const struct sampling *sampling, struct pebs_layout *layout)
{
    for (unsigned i = 0; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];
        uint64_t value = -item->reset & pmu_counter_mask(item->counter);

        if (item->counter.fixed)
            layout->fixed_reset[item->counter.number] = value;
        else
            layout->reset[item->counter.number] = value;
    }
}

/* What the late fields hold at first would show: room for two records, no interrupt, a period that
 * never ends. */
static struct pebs_layout first_layout(const struct sampling *sampling,
                                       const struct pebs_layout *layout)
{
    struct pebs_layout first = *layout;

    if (sampling->late & SAMPLING_LATE_RESETS) {
        __builtin_memset(first.reset, 0, sizeof first.reset);
        __builtin_memset(first.fixed_reset, 0, sizeof first.fixed_reset);
    }
    if (sampling->late & SAMPLING_LATE_MAXIMUM)
        first.records = 2;
    if (sampling->late & SAMPLING_LATE_THRESHOLD)
        first.threshold = PEBS_NO_THRESHOLD;
    return first;
}

static void set_late_fields(const struct sampling *sampling, const struct pebs_layout *layout)
{
    for (unsigned i = 0; sampling->late & SAMPLING_LATE_RESETS && i < sampling->count; i++) {
        const struct counter counter = sampling->counters[i].counter;

        pebs_set_reset(sampling_bit(counter), counter.fixed ? layout->fixed_reset[counter.number]
                                                            : layout->reset[counter.number]);
    }
    if (sampling->late & (SAMPLING_LATE_MAXIMUM | SAMPLING_LATE_THRESHOLD))
        pebs_set_limits(layout);
}

/* The BTS buffer is laid out too, so that its fields are in order for the interrupt routine. */
static bool prepare(struct test_context *t, const struct sampling *sampling)
{
    const struct bts_layout no_bts = {.records = 16, .threshold = BTS_NO_THRESHOLD};
    struct pebs_layout layout = {.records = sampling->records,
                                 .threshold = sampling->threshold,
                                 .data_config = sampling->data_config};
    const char *refusal = bts_prepare(&no_bts);
    struct pebs_layout first;

    fill_resets(sampling, &layout);
    first = first_layout(sampling, &layout);
    if (!refusal)
        refusal = pebs_refusal(&layout);
    if (!refusal)
        refusal = pebs_prepare(&first);
    if (refusal)
        test_fail(t, "the DS save area was not programmed: %s", refusal);
    else
        set_late_fields(sampling, &layout);
    return !refusal;
}

static void program_counters(const struct sampling *sampling)
{
    pmu_reset();
    for (unsigned i = 0; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];

        pmu_write_period(item->counter, item->first);
        pmu_program(item->counter, item->event,
                    item->flags ? item->flags : COUNTER_OS | COUNTER_USR);
    }
    pebs_make_adaptive(enabled_bits(sampling));
}

static void run_bracket(struct sampling *sampling)
{
    struct bracket bracket = {
        .entry = sampling->entry ? sampling->entry : registers_run,
        .argument = sampling->argument,
        .hold_off_interrupts = true,
        .msr = IA32_PERF_GLOBAL_CTRL,
    };

    for (unsigned i = 0; i < sampling->count; i++)
        bracket.on |= pmu_global_bit(sampling->counters[i].counter);
    if (sampling->landings)
        landings_set(sampling->landings);
    debugctl_write_safe(sampling->debugctl);
    sampling->tsc_before = insn_rdtsc();
    bracket_run(&bracket);
    sampling->tsc_after = insn_rdtsc();
    debugctl_write_safe(0);
    if (sampling->landings)
        landings_reset(sampling->landings);
}

/* The interrupt routine counts behind the compiler's back. */
static size_t interrupts_so_far(const struct pmi_log *log)
{
    return *(const volatile size_t *)&log->event_count;
}

static void wait_for_interrupts(const struct pmi_log *log, size_t wanted)
{
    struct wait wait = time_wait(WAIT_FOR_WANTED_MICROSECONDS);

    while (interrupts_so_far(log) < wanted && wait_goes_on(&wait))
        ;
    wait = time_wait(WAIT_FOR_UNWANTED_MICROSECONDS);
    while (wait_goes_on(&wait))
        ;
}

static void collect(struct sampling *sampling)
{
    for (unsigned i = 0; i < sampling->count; i++)
        sampling->counters[i].value = pmu_read(sampling->counters[i].counter);
    sampling->status = pmu_status() & pmu_status_mask();
    sampling->index = pebs_index();
    sampling->pebs_enable_end = pebs_disable();
    pmu_reset();
}

static void run_once(struct sampling *sampling)
{
    struct pmi_log log = {
        .policy = PMI_COUNT,
        .armed = PMI_CAUSE_PEBS,
        .events = sampling->events,
        .event_capacity = SAMPLING_EVENTS_MAX,
    };

    program_counters(sampling);
    pmi_start(&log);
    pebs_enable(enabled_bits(sampling));
    run_bracket(sampling);
    wait_for_interrupts(&log, sampling->interrupts_wanted);
    pmi_stop();
    sampling->interrupts = interrupts_so_far(&log);
    collect(sampling);
}

/* False after a test_skip(): one of the counters has no event that stores records. */
static bool is_possible(struct test_context *t, const struct sampling *sampling)
{
    for (unsigned i = 0; i < sampling->count; i++)
        if (!sampling->counters[i].counter.fixed &&
            !sample_is_possible(t, sampling->counters[i].event))
            return false;
    return true;
}

bool sampling_run(struct test_context *t, struct sampling *sampling)
{
    struct smi_mark mark;
    unsigned tries = 0;

    if (!is_possible(t, sampling))
        return false;
    do {
        mark = smi_mark();
        if (!prepare(t, sampling))
            return false;
        run_once(sampling);
    } while (!sampling->once && smi_count_since(&mark) && ++tries < COUNTING_TRIES);
    if (sampling->index > sampling->records + 1)
        FIND(t, PEBS_INDEX, "the PEBS index points at no record of the buffer");
    return sampling->index <= sampling->records + 1;
}

bool sampling_expect_no_stray_write(struct test_context *t, size_t records)
{
    const char *stray = pebs_find_stray_write(records);

    if (stray)
        FIND(t, STRAY_WRITE, "written to although out of bounds: %s", stray);
    return !stray;
}
