/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/walk_machine.h"

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/apic/smi.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/trace_state.h"
#include "kernel/machine/time.h"
#include "tests/run/entry_points.h"

#define PENDING_MICROSECONDS 20000 /* an interrupt takes a while to come (F3.23) */
#define TAKE_MICROSECONDS    5

_Static_assert(REFERENCE_AREAS * sizeof(struct walk_zone) <= BTS_BUFFER_BYTES, "room for both");

/* Whose interrupts come, on each processor. */
static struct walk_job *current[PROCESSORS_MAX];

const struct burst_code *walk_burst_code(void)
{
    bool both = feature_present(FEATURE_ARCH_LBR) && feature_present(FEATURE_PERFMON2);

    return both ? &burst_lbr_code : &burst_code;
}

struct ds_management_area *walk_area(const struct walk_job *job)
{
    return (struct ds_management_area *)job->area_address[job->reference->area];
}

static size_t interrupts_so_far(const struct walk_job *job)
{
    return *(const volatile size_t *)&job->log.event_count;
}

static void observe(const struct pmi_event *event)
{
    struct walk_job *job = current[this_cpu()->index];
    size_t number = job->log.event_count - 1;

    (void)event;
    if (number >= WALK_EVENTS)
        return;
    job->seen.index_at[number] = *(volatile uint64_t *)&walk_area(job)->bts_index;
    job->seen.operation_at[number] = (size_t)(job->burst.next - job->operations);
}

/* --- looking --- */

static void look(struct walk_job *job)
{
    struct walk_seen *seen = &job->seen;
    struct wait wait = time_wait(PENDING_MICROSECONDS);

    while (job->wants_interrupt && !apic_is_pending(VECTOR_PMI) && !interrupts_so_far(job) &&
           wait_goes_on(&wait))
        ;
    seen->pending = apic_is_pending(VECTOR_PMI);
    facility_look(&seen->off, false);
    lbr_capture(&seen->lbr);
    seen->interrupts = interrupts_so_far(job);
}

/* --- doing --- */

static void do_counter(const struct reference *r, unsigned number)
{
    const struct reference_counter *c = &r->counters[number];

    pmu_program_off(c->counter);
    pmu_write(c->counter, c->low);
    if (c->flags)
        pmu_program(c->counter, c->event, c->flags);
}

static void do_take(void)
{
    struct wait wait = time_wait(TAKE_MICROSECONDS);

    insn_sti();
    while (wait_goes_on(&wait))
        ;
    insn_cli();
}

/* The reference has been told before, and has what is to be written. */
static void do_step(struct walk_job *job)
{
    const struct reference *r = job->reference;

    switch (job->step->kind) {
    case WALK_LAYOUT:
    case WALK_AREA:
        wrmsr_safe(IA32_DS_AREA, job->area_address[r->area]);
        break;
    case WALK_SELECT:
        lbr_select(r->select);
        break;
    case WALK_LBR_CLEAR:
        lbr_clear();
        break;
    case WALK_COUNTER:
        if (r->counter_count)
            do_counter(r, job->step->number[0] % r->counter_count);
        if (r->counter_count && job->step->number[3])
            do_counter(r, job->step->number[3] % r->counter_count);
        /* fall through */
    case WALK_PEBS:
        if (feature_present(FEATURE_PEBS))
            wrmsr_safe(IA32_PEBS_ENABLE, r->pebs_enable);
        break;
    case WALK_UNMASK:
        apic_pmi_unmask();
        break;
    case WALK_MASK:
        apic_pmi_mask();
        break;
    case WALK_TAKE:
        do_take();
        if (job->step->number[0])
            apic_pmi_unmask();
        break;
    default:
        break;
    }
}

static void do_burst(struct walk_job *job)
{
    struct burst *burst = &job->burst;

    *burst = (struct burst){
        .next = job->operations,
        .debugctl = debugctl_itself(job->reference->debugctl),
        .lbr_control = lbr_arch_control(job->reference->debugctl & DEBUGCTL_LBR),
        .control = job->reference->control,
        .has_control = feature_present(FEATURE_PERFMON2),
        .interrupts_open = job->interrupts_open,
    };

    if (job->entry_points)
        entry_points_set(job->entry_points);
    walk_burst_code()->run(burst);
    if (job->entry_points)
        entry_points_reset(job->entry_points);
    job->seen.debugctl = debugctl_with_lbr(burst->found_debugctl, burst->found_lbr);
    job->seen.control = burst->found_control;
    job->seen.status = burst->found_status & pmu_status_mask();
}

void walk_apply(void *argument)
{
    struct walk_job *job = argument;
    struct smi_mark mark = smi_mark();

    job->seen = (struct walk_seen){0};
    job->log.event_count = 0;
    if (job->step)
        do_step(job);
    else
        do_burst(job);
    look(job);
    job->seen.smi = smi_count_since(&mark);
}

/* --- begin and end --- */

void walk_open(void *argument)
{
    static const struct bts_layout usual = {.records = 2, .threshold = BTS_NO_THRESHOLD};
    struct walk_job *job = argument;

    insn_cli();
    job->seen = (struct walk_seen){0};
    debugctl_clear();
    job->wrong = bts_prepare(&usual);
    job->zones = (struct walk_zone *)trace_state()->memory->buffer;
    lbr_clear();
    lbr_select(0);
    pmu_reset();
    job->log = (struct pmi_log){
        .policy = PMI_COUNT,
        .delivery = APIC_DELIVERY_FIXED,
        .armed = PMI_CAUSE_COUNTER,
        .events = job->seen.events,
        .event_capacity = WALK_EVENTS,
        .observe = observe,
    };
    current[this_cpu()->index] = job;
    pmi_start(&job->log);
    facility_try();
    look(job);
}

void walk_close(void *argument)
{
    struct walk_job *job = argument;

    do_take(); /* what is pending must not come later */
    pmi_stop();
    pmu_reset();
    if (feature_present(FEATURE_PEBS))
        wrmsr_safe(IA32_PEBS_ENABLE, 0);
    lbr_select(0);
    __builtin_memset(trace_state()->memory->buffer, DS_POISON,
                     REFERENCE_AREAS * sizeof(struct walk_zone));
    job->wrong = bts_find_stray_write(0);
    insn_sti();
}
