/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/side_by_side.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "kernel/machine/time.h"
#include "tests/run/other_processor.h"
#include "tests/spec/bts_check.h"

#define MEET_MICROSECONDS   1000000
#define SETTLE_MICROSECONDS 1000 /* for interrupts on their way, to whichever processor */

/* How often one of the two came to a meeting. */
static unsigned arrivals;

static bool meet(unsigned number)
{
    struct wait wait = time_wait(MEET_MICROSECONDS);

    __atomic_add_fetch(&arrivals, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&arrivals, __ATOMIC_ACQUIRE) < 2 * number)
        if (!wait_goes_on(&wait))
            return false;
        else
            insn_pause();
    return true;
}

static void settle(void)
{
    struct wait wait = time_wait(SETTLE_MICROSECONDS);

    while (wait_goes_on(&wait))
        insn_pause();
}

/* Event select, or the fixed counters' control. */
static uint64_t read_event(struct counter counter)
{
    return counter.fixed ? pmu_ours_fixed(rdmsr(IA32_FIXED_CTR_CTRL))
                         : rdmsr(pmu_select_register(counter.number));
}

static void program_counter(struct side *side)
{
    unsigned rings = side->counter_rings ? side->counter_rings : COUNTER_OS | COUNTER_USR;

    pmu_reset();
    pmu_write_period(side->counter, side->counter_period);
    pmu_program(side->counter, PMU_INSTRUCTIONS, rings | COUNTER_PMI);
    side->event = read_event(side->counter);
}

/* Both processors' logs are open from here on, and all is set but what the run turns on now. */
static void begin_together(const struct run *run, struct observation *seen)
{
    struct side *side = (struct side *)(uintptr_t)run;

    (void)seen;
    if (run->control)
        program_counter(side);
    if (!meet(1))
        side->wrong = "the other processor did not come to the start";
}

static void keep_settings(struct side *side)
{
    if (side->run.lbr && feature_present(FEATURE_LBR_SELECT))
        side->selected = lbr_selected();
    if (!side->run.control)
        return;
    pmu_set_global_control(0);
    side->counted = pmu_read(side->counter);
    side->event_end = read_event(side->counter);
}

static void end_together(const struct run *run, struct observation *seen)
{
    struct side *side = (struct side *)(uintptr_t)run;

    (void)seen;
    keep_settings(side);
    settle();
    if (!meet(2) && !side->wrong)
        side->wrong = "the other processor did not come to the end";
    settle();
    side->status = pmu_status();
    side->overflowed |= side->status & pmu_all_counters();
}

/* Without an interrupt nothing may stand past the last record; with one the buffer was used twice.
 */
static size_t untouched_from(const struct side *side)
{
    size_t records = side->run.layout.records;

    return side->log.event_count || side->circle || side->seen.index > records ? records
                                                                               : side->seen.index;
}

static void collect(struct side *side)
{
    side->ds_area_end = rdmsr(IA32_DS_AREA);
    side->stray = bts_find_stray_write(untouched_from(side));
    for (size_t i = 0; i < side->log.event_count && i < SIDE_EVENTS_MAX; i++)
        side->overflowed |= side->events[i].overflowed;
    if (side->run.control)
        pmu_reset();
}

static void prepare(struct side *side)
{
    struct run *run = &side->run;

    side->wrong = NULL;
    side->overflowed = side->counted = side->status = 0;
    side->selected = side->event = side->event_end = 0;
    side->log = (struct pmi_log){
        .records = side->records,
        .record_capacity = SIDE_RECORDS_MAX,
        .events = side->events,
        .event_capacity = SIDE_EVENTS_MAX,
    };
    run->log = &side->log;
    run->control = side->counter_period ? pmu_global_bit(side->counter) : 0;
    run->armed = side->counter_period ? PMI_CAUSE_COUNTER : 0;
    run->ahead = begin_together;
    run->behind = end_together;
}

static void run_side(void *argument)
{
    struct side *side = argument;
    const char *refusal;

    prepare(side);
    refusal = run_quietly(&side->program, &side->run, &side->seen);
    if (refusal)
        side->wrong = refusal;
    else
        collect(side);
}

bool side_by_side(struct test_context *t, unsigned index, struct side sides[2])
{
    arrivals = 0;
    if (!other_begin(t, index, run_side, &sides[1]))
        return false;
    run_side(&sides[0]);
    if (!other_wait(t, index))
        return false;
    for (unsigned i = 0; i < 2; i++)
        EXPECT(t, SETUP, !sides[i].wrong, "processor %u: %s", i ? index : 0, sides[i].wrong);
    return !sides[0].wrong && !sides[1].wrong;
}

void side_expect_records(struct test_context *t, unsigned processor, const struct side *side)
{
    features_view(processor);
    EXPECT(t, INDEX, !side->log.records_lost, "processor %u: its index is off its own records",
           processor);
    if (bts_check_records(t, &side->run, &side->seen) == UNLIKE)
        test_note(t, "these are the records of processor %u", processor);
    EXPECT(t, STRAY_WRITE, !side->stray, "processor %u, written to although out of bounds: %s",
           processor, side->stray);
    EXPECT(t, MSR_VALUE,
           side->ds_area_end == (uint64_t)(uintptr_t)&trace_state_of(processor)->memory->area,
           "processor %u: IA32_DS_AREA ended as %#lx, not as set", processor, side->ds_area_end);
    features_view(0);
}

void side_expect_trace(struct test_context *t, unsigned processor, const struct side *side)
{
    side_expect_records(t, processor, side);
    EXPECT(t, MSR_VALUE, side->seen.debugctl_end == side->run.debugctl,
           "processor %u: IA32_DEBUGCTL was set to %#lx and ended as %#lx", processor,
           side->run.debugctl, side->seen.debugctl_end);
}
