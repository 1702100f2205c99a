/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/freeze/freeze_run.h"

#include "arch/cpu/identity/features.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "tests/run/retry.h"
#include "tests/spec/observe.h"
#include "tests/spec/samples/sample_events.h"
#include "tests/spec/samples/sampling.h"

/* Enough jumps that half of them are more than an LBR stack holds, few enough that one PMI comes.
 */
#define PROGRAM_TRANSFERS 1600

/* Odd, so that no stack's depth divides it: the same program twice still moves the top of stack. */
#define SHORT_TRANSFERS 81

#define BTS_RECORDS_WANTED  2000
#define BTS_THRESHOLD       600
#define PEBS_RECORDS_WANTED 8
#define PEBS_THRESHOLD      3

static void keep_event(const struct pmi_event *event);

static struct pmi_event events[8];
static struct pmi_log log = {
    .events = events, .event_capacity = COUNT_OF(events), .observe = keep_event};
static struct freeze_observation *observed;

struct counters_seen freeze_read_counters(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    struct counters_seen seen = {{0}};

    for (unsigned i = 0; i < count; i++)
        seen.value[i] = pmu_read(counters[i]);
    return seen;
}

/* In the routine: everything as found, the counters twice. The first one who looks sees it. */
static void keep_event(const struct pmi_event *event)
{
    if (!observed)
        return;
    observed->event = *event;
    observed->first_read = freeze_read_counters(); /* right after the status, which it explains */
    lbr_capture(&observed->lbr_in_routine);
    observed->second_read = freeze_read_counters();
    observed = NULL;
}

/* What the routine would see, while the interrupt waits for IF (F5.7). */
static void observe_held_off(const struct run *run, struct observation *seen)
{
    const struct pmi_event event = {
        .debugctl = seen->debugctl_end,
        .global_control = seen->control_end,
        .global_status = pmu_status(),
    };

    (void)run;
    keep_event(&event);
}

static enum pmu_event event_of(struct counter counter)
{
    return counter.fixed ? pmu_fixed_event(counter.number) : PMU_INSTRUCTIONS;
}

/* A general-purpose counter that samples counts what PEBS can sample. */
static enum pmu_event sampled_event;

static bool choose_event(struct test_context *t, const struct freeze_trigger *trigger)
{
    if (trigger->kind != TRIGGER_PEBS || trigger->counter.fixed)
        return true;
    sampled_event = sample_any_event(t);
    return sample_is_possible(t, sampled_event);
}

static const struct freeze_trigger *current;
static uint64_t current_period;

/* All counters count both rings from zero, far from an overflow. Where the trigger has no PMI bit
 * the others have theirs, which must not count for it. */
static void program_counters(const struct run *run, struct observation *seen)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    unsigned flags = COUNTER_OS | COUNTER_USR | (current->without_pmi ? COUNTER_PMI : 0);

    (void)run, (void)seen;
    pmu_reset();
    for (unsigned i = 0; i < count; i++) {
        pmu_program(counters[i], event_of(counters[i]), flags);
        pmu_write(counters[i], 0);
    }
    if (current->kind == TRIGGER_PEBS && !current->counter.fixed)
        pmu_program(current->counter, sampled_event, COUNTER_OS | COUNTER_USR);
}

uint64_t freeze_recording(void)
{
    return feature_present(FEATURE_LBR) ? DEBUGCTL_LBR : 0;
}

uint64_t freeze_debugctl(const struct freeze_trigger *trigger, uint64_t bits)
{
    uint64_t trace = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;

    return freeze_recording() | bits | trigger->also | (trigger->kind == TRIGGER_BTS ? trace : 0);
}

static const struct program *program_of(const struct freeze_trigger *trigger)
{
    return trigger->user ? program_of_user_jumps(PROGRAM_TRANSFERS)
                         : program_of_length(PROGRAM_TRANSFERS);
}

/* How many events the counter has in one such program: the overflow is put in its middle. */
static uint64_t events_in_program(const struct freeze_trigger *trigger, uint64_t debugctl)
{
    const struct run run = {
        .debugctl = debugctl,
        .control = pmu_all_counters(),
        .ahead = program_counters,
        .behind = run_stop_counting,
    };
    struct observation seen;
    uint64_t counted;

    current = trigger;
    run_quietly(program_of(trigger), &run, &seen);
    counted = pmu_read(trigger->counter);
    pmu_reset();
    return counted;
}

static struct pebs_layout pebs_layout_of(struct counter counter, uint64_t period)
{
    struct pebs_layout layout = {.records = PEBS_RECORDS_WANTED, .threshold = PEBS_THRESHOLD};
    uint64_t *reset = counter.fixed ? layout.fixed_reset : layout.reset;

    reset[counter.number] = -period & pmu_counter_mask(counter);
    return layout;
}

static void arm(const struct run *run, struct observation *seen)
{
    unsigned flags = COUNTER_OS | COUNTER_USR | (current->without_pmi ? 0 : COUNTER_PMI);

    program_counters(run, seen);
    if (current->kind == TRIGGER_COUNTER)
        pmu_program(current->counter, event_of(current->counter), flags);
    if (current->kind == TRIGGER_PEBS)
        pebs_make_adaptive(run->pebs_enable);
    if (current->kind != TRIGGER_BTS)
        pmu_write_period(current->counter, current_period);
}

static bool run_to_interrupt(struct test_context *t, uint64_t bits,
                             struct freeze_observation *found)
{
    static const unsigned causes[] = {[TRIGGER_COUNTER] = PMI_CAUSE_COUNTER,
                                      [TRIGGER_PEBS] = PMI_CAUSE_PEBS | PMI_CAUSE_COUNTER,
                                      [TRIGGER_BTS] = PMI_CAUSE_BTS};
    const struct freeze_trigger *trigger = current;
    const bool is_pebs = trigger->kind == TRIGGER_PEBS, is_bts = trigger->kind == TRIGGER_BTS;
    const struct pebs_layout pebs = pebs_layout_of(trigger->counter, current_period);
    const struct run run = {
        .debugctl = freeze_debugctl(trigger, bits),
        .hold_off_interrupts = trigger->held_off,
        .layout = {.records = is_bts ? BTS_RECORDS_WANTED : 0, .threshold = BTS_THRESHOLD},
        .lbr = feature_present(FEATURE_LBR),
        .pebs = is_pebs ? &pebs : NULL,
        .pebs_enable = is_pebs ? sampling_bit(trigger->counter) : 0,
        .control = pmu_all_counters(),
        .armed = causes[trigger->kind],
        .policy = PMI_COUNT,
        .delivery = trigger->delivery,
        .interrupts_wanted = !trigger->without_pmi,
        .log = &log,
        .ahead = arm,
        .behind = trigger->held_off ? observe_held_off : NULL,
    };
    struct observation seen;
    bool good;

    observed = found;
    good = observe(t, found->program, &run, &seen);
    found->debugctl_end = seen.debugctl_end;
    found->interrupts = seen.interrupts;
    found->lbr_end = seen.lbr.after;
    return good;
}

static void collect(struct freeze_observation *seen)
{
    seen->counters_end = freeze_read_counters();
    seen->control_end = pmu_global_control();
    seen->status_end = pmu_status();
}

static bool run_once(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits,
                     struct freeze_observation *seen)
{
    uint64_t counted = 2;
    bool good;

    if (!choose_event(t, trigger))
        return false;
    if (trigger->kind != TRIGGER_BTS)
        counted = events_in_program(trigger, freeze_recording());
    if (!EXPECT(t, COUNT_LOW, counted >= 2, "the trigger's counter counts nothing"))
        return false;
    current = trigger;
    current_period = trigger->kind == TRIGGER_PEBS ? counted / (PEBS_THRESHOLD + 2) : counted / 2;
    *seen = (struct freeze_observation){.program = program_of(trigger), .period = current_period};
    good = run_to_interrupt(t, bits, seen);
    if (trigger->kind == TRIGGER_PEBS)
        pebs_disable();
    collect(seen);
    return good;
}

bool freeze_run(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits,
                struct freeze_observation *seen)
{
    struct retry retry = retry_begin();
    bool good = run_once(t, trigger, bits, seen);

    while (good && retry_if_disturbed(&retry)) {
        freeze_end();
        good = run_once(t, trigger, bits, seen);
    }
    return good;
}

void freeze_end(void)
{
    pmi_stop();
    if (feature_present(FEATURE_PEBS_RECORDS))
        pebs_disable();
    debugctl_clear();
    pmu_reset();
}

struct freeze_motion freeze_run_on(uint64_t debugctl)
{
    static struct lbr_snapshot before, after;
    struct counters_seen first = freeze_read_counters(), last;
    const struct program *program = program_of_length(SHORT_TRANSFERS);
    const struct run run = {.debugctl = debugctl};
    struct observation ignored;

    lbr_capture(&before);
    run_quietly(program, &run, &ignored);
    lbr_capture(&after);
    last = freeze_read_counters();
    return (struct freeze_motion){
        .lbr = __builtin_memcmp(&before, &after, sizeof before) != 0,
        .counters = counters_moved(&first, &last, PMU_GENERAL_MAX),
        .low = counters_moved(&first, &last, FREEZE_LOW_COUNTERS),
    };
}

/* What the trigger's counter had when the routine looked, right after it read the status. */
static uint64_t value_in_routine(const struct freeze_trigger *trigger,
                                 const struct freeze_observation *seen)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), i = 0;

    while (i < count && (counters[i].fixed != trigger->counter.fixed ||
                         counters[i].number != trigger->counter.number))
        i++;
    return i < count ? seen->first_read.value[i] : 0;
}

bool freeze_ran_past_zero(const struct freeze_trigger *trigger,
                          const struct freeze_observation *seen)
{
    return value_in_routine(trigger, seen) <= pmu_counter_mask(trigger->counter) / 2;
}

bool counters_moved(const struct counters_seen *a, const struct counters_seen *b, unsigned general)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        if ((counters[i].fixed || counters[i].number < general) && a->value[i] != b->value[i])
            return true;
    return false;
}

bool counters_all_moved(const struct counters_seen *a, const struct counters_seen *b)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        if (event_of(counters[i]) == PMU_INSTRUCTIONS && a->value[i] == b->value[i])
            return false;
    return true;
}
