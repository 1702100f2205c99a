/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/freeze_run.h"

#include "arch/cpu/features.h"
#include "arch/cpu/insn.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "kernel/time.h"
#include "tests/run/landings.h"
#include "tests/oracle/sample_events.h"

/* Enough jumps that half of them are more than an LBR stack holds, few enough that one PMI comes.
 */
#define PROGRAM_TRANSFERS 1600

/* Odd, so that no stack's depth divides it: the same program twice still moves the top of stack. */
#define SHORT_TRANSFERS 81

#define BTS_RECORDS_WANTED  2000
#define BTS_THRESHOLD       600
#define PEBS_RECORDS_WANTED 8
#define PEBS_THRESHOLD      3
#define WAIT_MICROSECONDS   1000000
#define SETTLE_MICROSECONDS 100

static struct pmi_event events[8];
static struct pmi_log log;
static struct freeze_seen *observed;

static struct counters_seen read_counters(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    struct counters_seen seen = {{0}};

    for (unsigned i = 0; i < count; i++)
        seen.value[i] = pmu_read(counters[i]);
    return seen;
}

/* In the routine: everything as found, the counters twice. The first one who looks sees it. */
static void observe(const struct pmi_event *event)
{
    if (!observed)
        return;
    observed->event = *event;
    observed->first_read = read_counters(); /* right after the status, which it explains */
    lbr_capture(&observed->lbr_in_routine);
    observed->second_read = read_counters();
    observed = NULL;
}

/* What the routine would see, while the interrupt waits for IF (F5.7). */
static void observe_held_off(uint64_t debugctl)
{
    const struct pmi_event event = {
        .debugctl = debugctl,
        .global_control = pmu_global_control(),
        .global_status = pmu_status(),
    };

    observe(&event);
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

/* All counters count both rings from zero; none of them interrupts. */
static void program_counters(const struct freeze_trigger *trigger)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    pmu_reset();
    for (unsigned i = 0; i < count; i++) {
        pmu_program(counters[i], event_of(counters[i]), COUNTER_OS | COUNTER_USR);
        pmu_write(counters[i], 0);
    }
    if (trigger->kind == TRIGGER_PEBS && !trigger->counter.fixed)
        pmu_program(trigger->counter, sampled_event, COUNTER_OS | COUNTER_USR);
}

uint64_t freeze_debugctl(const struct freeze_trigger *trigger, uint64_t bits)
{
    uint64_t trace = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;

    return DEBUGCTL_LBR | bits | (trigger->kind == TRIGGER_BTS ? trace : 0);
}

static void run_bracket(const struct program *program, uint64_t debugctl, uint64_t *found)
{
    struct bracket bracket = {
        .on = debugctl, .entry = program->entry, .argument = program->argument};

    landings_set(program->workload);
    bracket_run(&bracket);
    landings_reset(program->workload);
    *found = bracket.found;
}

static const struct program *program_of(const struct freeze_trigger *trigger)
{
    return trigger->user ? program_of_user_jumps(PROGRAM_TRANSFERS)
                         : program_of_length(PROGRAM_TRANSFERS);
}

/* How many events the counter has in one such program: the overflow is put in its middle. */
static uint64_t events_in_program(const struct freeze_trigger *trigger, uint64_t debugctl)
{
    const struct program *program = program_of(trigger);
    uint64_t counted, found;

    program_counters(trigger);
    pmu_set_global_control(pmu_all_counters());
    run_bracket(program, debugctl, &found);
    pmu_set_global_control(0);
    counted = pmu_read(trigger->counter);
    pmu_reset();
    return counted;
}

static const char *arm_bts(void)
{
    const struct bts_layout layout = {.records = BTS_RECORDS_WANTED, .threshold = BTS_THRESHOLD};

    return bts_prepare(&layout);
}

static const char *arm_pebs(struct counter counter, uint64_t period)
{
    struct pebs_layout layout = {.records = PEBS_RECORDS_WANTED, .threshold = PEBS_THRESHOLD};
    uint64_t bit = counter.fixed ? PEBS_FIXED(counter.number) : PEBS_GENERAL(counter.number);
    uint64_t start = -period & pmu_counter_mask(counter);
    const char *refusal;

    if (counter.fixed)
        layout.fixed_reset[counter.number] = start;
    else
        layout.reset[counter.number] = start;
    refusal = pebs_prepare(&layout);
    if (refusal)
        return refusal;
    pebs_make_adaptive(bit);
    pmu_write(counter, start);
    pebs_enable(bit);
    return NULL;
}

static const char *arm_counter(const struct freeze_trigger *trigger, uint64_t period)
{
    unsigned flags = COUNTER_OS | COUNTER_USR | (trigger->without_pmi ? 0 : COUNTER_PMI);

    pmu_program(trigger->counter, event_of(trigger->counter), flags);
    pmu_write_period(trigger->counter, period);
    return NULL;
}

static const char *arm(const struct freeze_trigger *trigger, uint64_t period)
{
    switch (trigger->kind) {
    case TRIGGER_BTS:
        return arm_bts();
    case TRIGGER_PEBS:
        return arm_pebs(trigger->counter, period);
    default:
        return arm_counter(trigger, period);
    }
}

static void open_log(const struct freeze_trigger *trigger)
{
    static const unsigned causes[] = {[TRIGGER_COUNTER] = PMI_CAUSE_COUNTER,
                                      [TRIGGER_PEBS] = PMI_CAUSE_PEBS | PMI_CAUSE_COUNTER,
                                      [TRIGGER_BTS] = PMI_CAUSE_BTS};

    log = (struct pmi_log){
        .policy = PMI_COUNT,
        .delivery = trigger->delivery,
        .armed = causes[trigger->kind],
        .events = events,
        .event_capacity = COUNT_OF(events),
        .observe = observe,
    };
    pmi_start(&log);
}

static size_t interrupts_so_far(void)
{
    return *(volatile size_t *)&log.event_count;
}

static void wait_for_interrupt(bool wanted)
{
    struct wait wait = time_wait(WAIT_MICROSECONDS);

    while (wanted && !interrupts_so_far() && wait_goes_on(&wait))
        ;
    wait = time_wait(SETTLE_MICROSECONDS);
    while (wait_goes_on(&wait))
        ;
}

static void run_to_interrupt(const struct freeze_trigger *trigger, uint64_t bits,
                             struct freeze_seen *seen)
{
    observed = seen;
    open_log(trigger);
    if (trigger->held_off)
        insn_cli();
    pmu_set_global_control(pmu_all_counters());
    run_bracket(seen->program, freeze_debugctl(trigger, bits), &seen->debugctl_end);
    if (trigger->held_off) {
        observe_held_off(seen->debugctl_end);
        insn_sti();
    }
    wait_for_interrupt(!trigger->without_pmi);
    pmi_stop();
}

static void collect(struct freeze_seen *seen)
{
    seen->counters_end = read_counters();
    seen->control_end = pmu_global_control();
    seen->status_end = pmu_status();
    lbr_capture(&seen->lbr_end);
    seen->interrupts = interrupts_so_far();
}

bool freeze_run(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits,
                struct freeze_seen *seen)
{
    uint64_t counted = 2, period;
    const char *refusal;

    if (!choose_event(t, trigger))
        return false;
    if (trigger->kind != TRIGGER_BTS)
        counted = events_in_program(trigger, DEBUGCTL_LBR);
    if (!EXPECT(t, COUNT_LOW, counted >= 2, "the trigger's counter counts nothing"))
        return false;
    lbr_select(0);
    lbr_clear();
    program_counters(trigger);
    period = trigger->kind == TRIGGER_PEBS ? counted / (PEBS_THRESHOLD + 2) : counted / 2;
    refusal = arm(trigger, period);
    if (refusal) {
        test_fail(t, "the trigger was not programmed: %s", refusal);
        return false;
    }
    *seen = (struct freeze_seen){.program = program_of(trigger), .period = period};
    run_to_interrupt(trigger, bits, seen);
    if (trigger->kind == TRIGGER_PEBS)
        pebs_disable();
    collect(seen);
    return true;
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
    struct counters_seen first = read_counters(), last;
    const struct program *program = program_of_length(SHORT_TRANSFERS);
    uint64_t found;

    lbr_capture(&before);
    run_bracket(program, debugctl, &found);
    lbr_capture(&after);
    last = read_counters();
    return (struct freeze_motion){
        .lbr = __builtin_memcmp(&before, &after, sizeof before) != 0,
        .counters = counters_any_moved(&first, &last),
    };
}

/* What the trigger's counter had when the routine looked, right after it read the status. */
static uint64_t value_in_routine(const struct freeze_trigger *trigger,
                                 const struct freeze_seen *seen)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), i = 0;

    while (i < count && (counters[i].fixed != trigger->counter.fixed ||
                         counters[i].number != trigger->counter.number))
        i++;
    return i < count ? seen->first_read.value[i] : 0;
}

bool freeze_ran_past_zero(const struct freeze_trigger *trigger, const struct freeze_seen *seen)
{
    return value_in_routine(trigger, seen) <= pmu_counter_mask(trigger->counter) / 2;
}

bool counters_any_moved(const struct counters_seen *a, const struct counters_seen *b)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        if (a->value[i] != b->value[i])
            return true;
    return false;
}

bool counters_low_moved(const struct counters_seen *a, const struct counters_seen *b)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        if ((counters[i].fixed || counters[i].number < 4) && a->value[i] != b->value[i])
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
