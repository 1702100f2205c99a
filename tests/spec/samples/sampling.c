/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sampling.h"

#include "arch/cpu/traps/trap_frame.h"
#include "tests/run/counting.h"
#include "tests/spec/observe.h"
#include "tests/spec/samples/sample_events.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/spec/samples/sample_whole.h"
#include "tests/spec/samples/sampling_arch.h"
#include "tests/workloads/kinds/registers.h"

#define PDIR_COUNTER 1u /* that has the precise distribution of instructions */

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

void sampling_set_ring(struct sampling *sampling, unsigned ring)
{
    static const struct workload by_fault = {.gate_landing = registers_user_back,
                                             .gate_vector = VECTOR_GP};
    static const struct workload by_syscall = {.syscall_landing = registers_user_back};
    void (*const entries[])(void) = {NULL, registers_run_ring1, registers_run_ring2,
                                     registers_run_user};

    sampling->ring = ring;
    sampling->entry = entries[ring];
    sampling->entry_points = ring == 3 ? &by_syscall : &by_fault;
    sampling->counters[0].flags = COUNTER_USR;
}

uint64_t sampling_enabled(const struct sampling *sampling)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < sampling->count; i++)
        if (!sampling->counters[i].plain)
            bits |= sampling_bit(sampling->counters[i].counter);
    return bits;
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
    if (sampling->fields)
        pebs_set_fields(sampling->fields);
}

static struct pebs_layout layout_of(const struct sampling *sampling)
{
    struct pebs_layout layout = {.records = sampling->records,
                                 .threshold = sampling->threshold,
                                 .data_config = sampling->data_config};

    for (unsigned i = 0; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];
        uint64_t *resets = item->counter.fixed ? layout.fixed_reset : layout.reset;

        resets[item->counter.number] = -item->reset & pmu_counter_mask(item->counter);
    }
    return layout;
}

static const struct sampling *current;

static void program_counters(const struct run *run, struct observation *seen)
{
    const struct pebs_layout layout = layout_of(current);

    (void)seen;
    if (current->before)
        current->before();
    set_late_fields(current, &layout);
    pmu_reset();
    for (unsigned i = 0; i < current->count; i++) {
        const struct sampling_counter *item = &current->counters[i];

        pmu_write_period(item->counter, item->first);
        pmu_program(item->counter, item->event,
                    item->flags ? item->flags : COUNTER_OS | COUNTER_USR);
    }
    pebs_make_adaptive(current->basic ? pebs_counters() & ~current->basic : run->pebs_enable);
    if (current->frozen)
        pmu_status_set(current->frozen);
}

void sampling_collect(struct sampling *sampling, const struct observation *seen)
{
    for (unsigned i = 0; i < sampling->count; i++)
        sampling->counters[i].value = pmu_read(sampling->counters[i].counter);
    sampling->tsc_before = seen->tsc_before;
    sampling->tsc_after = seen->tsc_after;
    sampling->interrupts = seen->interrupts;
}

static void collect(struct sampling *sampling, const struct observation *seen)
{
    sampling_collect(sampling, seen);
    sampling->status = pmu_status() & pmu_status_mask();
    sampling->index = pebs_index();
    sampling->index_bytes = pebs_index_bytes();
    sampling->pebs_enable_end = pebs_disable();
    pmu_reset();
}

static void (*entry_of(const struct sampling *sampling))(void)
{
    if (sampling->entry)
        return sampling->entry;
    return (void (*)(void))((uintptr_t)registers_run + sampling->moved);
}

struct run sampling_run_of(const struct sampling *sampling, bool metrics, struct pmi_log *log)
{
    struct run run = {
        .debugctl = sampling->debugctl,
        .hold_off_interrupts = true,
        .entry = entry_of(sampling),
        .argument = sampling->argument,
        .entry_points = sampling->entry_points,
        .control_last = true,
        .policy = PMI_COUNT,
        .interrupts_wanted = sampling->interrupts_wanted,
        .delivery = sampling->delivery,
        .log = log,
    };

    for (unsigned i = 0; i < sampling->count; i++)
        run.control |= pmu_global_bit(sampling->counters[i].counter);
    if (metrics && feature_present(FEATURE_PERF_METRICS))
        run.control |= PERF_GLOBAL_METRICS;
    return run;
}

/* The BTS buffer is laid out too, so that its fields are in order for the interrupt routine. */
static bool run_in_ds_area(struct test_context *t, struct sampling *sampling)
{
    const struct pebs_layout layout = layout_of(sampling);
    const struct pebs_layout first = first_layout(sampling, &layout);
    struct pmi_log log = {.events = sampling->events, .event_capacity = SAMPLING_EVENTS_MAX};
    struct run run = sampling_run_of(sampling, sampling->data_config & PEBS_DATA_METRICS, &log);
    const char *refusal = pebs_refusal(&layout);
    struct observation seen = {0};

    run.layout.records = SAMPLING_BTS_RECORDS;
    run.layout.threshold = sampling->bts_threshold ? sampling->bts_threshold : BTS_NO_THRESHOLD;
    run.first = sampling->bts_first;
    run.pebs = &first;
    run.pebs_enable = sampling_enabled(sampling);
    run.armed = PMI_CAUSE_PEBS;
    run.ahead = program_counters;
    current = sampling;
    if (!refusal)
        refusal = run_quietly(NULL, &run, &seen);
    if (!expect_programmed(t, refusal))
        return false;
    observe_left_alone(t, &run, &seen);
    collect(sampling, &seen);
    return true;
}

static bool run_once(struct test_context *t, struct sampling *sampling)
{
    if (sampling_is_architectural())
        return expect_programmed(t, sampling_arch_run(t, sampling));
    return run_in_ds_area(t, sampling);
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

static unsigned circumstances(const struct sampling *sampling)
{
    unsigned under = UNDER(PEBS);

    if (sampling->count > 1)
        under |= UNDER(SEVERAL);
    for (unsigned i = 0; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];
        bool is_short = item->reset < SAMPLING_SHORT_PERIOD || item->first < SAMPLING_SHORT_PERIOD;

        under |= is_short ? UNDER(SHORT_PERIOD) : 0;
        if (item->event != PMU_INSTRUCTIONS)
            continue;
        under |= UNDER(INSTRUCTIONS);
        if (!item->counter.fixed && item->counter.number == PDIR_COUNTER)
            under |= UNDER(PDIR);
    }
    return under;
}

bool sampling_run(struct test_context *t, struct sampling *sampling)
{
    if (!is_possible(t, sampling))
        return false;
    sample_learn_when(t, sampling);
    return sampling_try(t, sampling);
}

bool sampling_try(struct test_context *t, struct sampling *sampling)
{
    test_under(t, circumstances(sampling));
    if (!run_once(t, sampling))
        return false;
    if (sampling->fields)
        return true;
    if (sampling->index > sampling->records + 1)
        FIND(t, PEBS_INDEX, "the PEBS index points at no record of the buffer");
    else if (!sampling_is_architectural())
        sample_check_whole(t, sampling);
    return sampling->index <= sampling->records + 1;
}

/* One whole record behind the index, and nothing else, is one too many. */
bool sampling_expect_no_stray_write(struct test_context *t, size_t records)
{
    const char *stray = sampling_find_stray_write(records);
    const struct finding finding = {
        .kind = FINDING_PEBS_EXTRA,
        .where = "behind the index",
        .expected = records,
        .got = records + 1,
        .under = UNDER(DISABLED),
    };

    if (!stray)
        return true;
    if (!sampling_find_stray_write(records + 1))
        return test_find(t, &finding);
    return FIND(t, STRAY_WRITE, "written to although out of bounds: %s", stray);
}
