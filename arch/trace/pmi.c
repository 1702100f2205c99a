/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/pmi.h"

#include "arch/cpu/identity/identity.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/apic/unclaimed.h"
#include "arch/lib/printf.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features_found.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"

/*
 * Called from pmi_entry.S with TR off; debugctl is what stood there before. Return the bits of
 * IA32_DEBUGCTL that the exit sets again, by a fresh read and write.
 */
uint64_t pmi_service(struct trap_frame *frame, uint64_t debugctl);
uint64_t pmi_nmi_service(struct trap_frame *frame, uint64_t debugctl);

static bool bts_threshold_reached(void)
{
    const volatile struct ds_management_area *area = &trace_state()->memory->area;

    /* Nothing else tells that BTS was the cause (F5.21, ISR-3). */
    return area->bts_index >= area->bts_interrupt_threshold;
}

static void append_record(struct pmi_log *log, const struct bts_record *record)
{
    if (log->record_count < log->record_capacity)
        log->records[log->record_count++] = *record;
    else
        log->records_lost = true;
}

void pmi_drain_bts(struct pmi_log *log)
{
    size_t index = bts_index();

    if (index > BTS_RECORDS_MAX) {
        log->records_lost = true; /* not an index that a record could have left */
        index = 0;
    }
    for (size_t i = 0; i < index; i++)
        append_record(log, bts_records() + i);
    bts_rewind();
}

void pmi_drain_pebs(struct pmi_log *log)
{
    size_t index = pebs_index(), length = index * pebs_record_size();

    if (index == PEBS_NO_THRESHOLD || length > log->pebs_capacity - log->pebs_count) {
        log->records_lost = true;
    } else {
        __builtin_memcpy(log->pebs_bytes + log->pebs_count, pebs_record_bytes(0), length);
        log->pebs_count += length;
    }
    pebs_rewind();
}

static unsigned find_causes(const struct pmi_log *log, uint64_t status, uint64_t overflowed)
{
    unsigned causes = 0;

    if (bts_threshold_reached())
        causes |= PMI_CAUSE_BTS;
    if (pebs_threshold_reached())
        causes |= PMI_CAUSE_PEBS;
    if (status & PERF_GLOBAL_STATUS_ARCH_PEBS)
        causes |= PMI_CAUSE_ARCH_PEBS;
    if (overflowed)
        causes |= PMI_CAUSE_COUNTER;
    return causes & log->armed;
}

/* What the routine turns off while it works, to be given back at its end (ISR-5). */
struct stopped {
    uint64_t control, pebs;
};

/*
 * Counting first: a PEBS counter that wraps while its enable is off would run on without a reload.
 * A routine that only looks leaves the counters to whoever observes them.
 */
static struct stopped stop(const struct pmi_log *log)
{
    struct stopped stopped = {0, 0};

    if (pmu_version() >= 2) {
        stopped.control = pmu_global_control();
        if (log->policy == PMI_SERVE)
            pmu_set_global_control(0);
    }
    if (log->armed & PMI_CAUSE_PEBS)
        stopped.pebs = pebs_disable();
    return stopped;
}

uint64_t pmi_entry_by(enum apic_delivery delivery)
{
    return (uint64_t)(delivery == APIC_DELIVERY_NMI ? pmi_nmi_entry : pmi_entry);
}

uint64_t pmi_iret_by(enum apic_delivery delivery)
{
    return (uint64_t)(delivery == APIC_DELIVERY_NMI ? pmi_nmi_iret : pmi_iret);
}

/* Is the newest record that of this very interrupt? */
static bool stored_itself(size_t index, uint64_t entry)
{
    return index > 0 && index <= BTS_RECORDS_MAX && bts_records()[index - 1].to == entry;
}

static struct pmi_event look(const struct pmi_log *log, const struct trap_frame *frame,
                             uint64_t debugctl, const struct stopped *stopped)
{
    struct pmi_event event = {
        .rip = frame->rip,
        .cs = (uint16_t)frame->cs,
        .rflags = frame->rflags,
        .lvt_masked = apic_pmi_is_masked(),
        .traced = debugctl & DEBUGCTL_TR,
        .debugctl = debugctl_with_lbr(debugctl, lbr_arch_read_control()),
        .global_control = stopped->control,
        .index = bts_index(),
        .records_ahead = log->record_count,
        .pebs_index = log->armed & PMI_CAUSE_PEBS ? pebs_index() : 0,
    };

    event.stored_itself = stored_itself(event.index, pmi_entry_by(log->delivery));
    event.global_status = pmu_status();
    event.overflowed = event.global_status & pmu_all_counters() & ~stopped->pebs;
    event.causes = find_causes(log, event.global_status, event.overflowed);
    return event;
}

static uint64_t taken; /* since the start */

static void note(struct pmi_log *log, const struct pmi_event *event)
{
    if (log->event_count < log->event_capacity)
        log->events[log->event_count] = *event;
    log->event_count++;
    taken++;
}

uint64_t pmi_taken(void)
{
    return taken;
}

static void handle_causes(struct pmi_log *log, const struct pmi_event *event)
{
    if (event->causes & PMI_CAUSE_BTS)
        pmi_drain_bts(log);
    if (event->causes & PMI_CAUSE_PEBS)
        pmi_drain_pebs(log);
    if (event->causes & PMI_CAUSE_COUNTER && log->reload)
        log->reload(event->overflowed);
}

/*
 * Before counting goes on: an overflow that comes then finds the LVT open (F5.18). Clearing the
 * status is also what thaws the streamlined freeze (F7.8). In a storm the LVT stays masked: the
 * next interrupt would come before the program's next instruction, as an NMI even before the
 * watchdog's.
 */
static void acknowledge(const struct pmi_log *log, const struct pmi_event *event)
{
    pmu_status_clear(event->global_status);
    if (log->event_count < PMI_STORM)
        apic_pmi_unmask();
}

/* PEBS before counting, for the reason that stop() has. The legacy freeze wants its enable bits
 * back (F7.7). */
static void resume(const struct pmi_log *log, const struct stopped *stopped)
{
    uint64_t control = stopped->control;

    if (log->armed & PMI_CAUSE_PEBS)
        pebs_enable(stopped->pebs);
    if (log->policy != PMI_SERVE || pmu_version() < 2)
        return;
    if (!control && pmu_version() < 4)
        control = log->resume_control;
    pmu_set_global_control(control);
}

static uint64_t debugctl_at_exit(const struct pmi_log *log, const struct pmi_event *event)
{
    uint64_t bits = event->debugctl & DEBUGCTL_TR;

    if (log->resume_lbr && pmu_version() < 4)
        bits |= DEBUGCTL_LBR;
    return bits;
}

/* The delivery of ours masks its entry (F5.12), which was open until then. Of another NMI the cause
 * may have come up in this routine, whose own instructions count. */
static bool may_be_of_the_board(const struct pmi_log *log, const struct pmi_event *event)
{
    return !event->lvt_masked || (log->policy == PMI_COUNT && log->event_count > 0);
}

/* The whole routine; false when the interrupt has another cause. */
static bool work(const struct trap_frame *frame, uint64_t debugctl, uint64_t *debugctl_bits)
{
    struct pmi_log *log = trace_state()->pmi_log;
    struct stopped stopped;
    struct pmi_event event;

    *debugctl_bits = debugctl & DEBUGCTL_TR;
    if (!log)
        return false;
    stopped = stop(log);
    event = look(log, frame, debugctl, &stopped);
    if (log->delivery == APIC_DELIVERY_NMI && may_be_of_the_board(log, &event))
        unclaimed_suspect(VECTOR_NMI);
    if (!event.causes && log->delivery == APIC_DELIVERY_NMI) {
        resume(log, &stopped);
        return false;
    }
    apic_pmi_has_come();
    note(log, &event);
    if (log->observe)
        log->observe(&event);
    if (log->policy == PMI_SERVE) {
        handle_causes(log, &event);
        acknowledge(log, &event);
        *debugctl_bits = debugctl_at_exit(log, &event);
    }
    resume(log, &stopped);
    return true;
}

uint64_t pmi_service(struct trap_frame *frame, uint64_t debugctl)
{
    uint64_t bits;

    work(frame, debugctl, &bits);
    apic_eoi();
    return bits;
}

uint64_t pmi_nmi_service(struct trap_frame *frame, uint64_t debugctl)
{
    uint64_t bits;

    if (!work(frame, debugctl, &bits))
        interrupt_dispatch(frame);
    return bits;
}

/* One that was on its way when the routine was taken from its gate: it has no handler any more
 * (F5.18). */
static bool end_late_interrupt(struct trap_frame *frame)
{
    (void)frame;
    apic_eoi();
    return true;
}

/*
 * After all other handlers: a defect of the processor, to be reported and no reason to stop. Where
 * the board is known to raise NMIs it may be one of those, and is counted among them as well.
 */
static bool count_unclaimed_nmi(struct trap_frame *frame)
{
    (void)frame;
    if (!trace_state()->pmi_was_nmi)
        return false;
    trace_state()->unclaimed_nmis++;
    return !unclaimed_come_at(VECTOR_NMI);
}

size_t pmi_unclaimed_nmis(void)
{
    return *(volatile size_t *)&trace_state()->unclaimed_nmis;
}

void pmi_forget_nmis(void)
{
    interrupt_remove_nmi_handler(count_unclaimed_nmi);
    trace_state()->pmi_was_nmi = false;
    trace_state()->unclaimed_nmis = 0;
}

static void expect_nmis(void)
{
    if (!trace_state()->pmi_was_nmi)
        interrupt_add_nmi_handler(count_unclaimed_nmi);
    trace_state()->pmi_was_nmi = true;
    interrupt_gate_direct(VECTOR_NMI, pmi_nmi_entry, 0);
}

void pmi_start(struct pmi_log *log)
{
    interrupt_set_handler(VECTOR_PMI, end_late_interrupt);
    log->record_count = 0;
    log->event_count = 0;
    log->pebs_count = 0;
    log->records_lost = false;
    trace_state()->pmi_log = log;
    if (log->delivery == APIC_DELIVERY_NMI)
        expect_nmis();
    else
        interrupt_gate_direct(VECTOR_PMI, pmi_entry, 0);
    apic_pmi_program(log->delivery, VECTOR_PMI);
    apic_pmi_unmask();
}

void pmi_stop(void)
{
    struct trace_state *state = trace_state();

    apic_pmi_mask();
    if (!state->pmi_log)
        return;
    if (state->pmi_log->delivery == APIC_DELIVERY_NMI)
        interrupt_gate_reset(VECTOR_NMI);
    else
        interrupt_gate_reset(VECTOR_PMI);
    state->pmi_log = NULL;
}

/* Does the interrupt come? A hypervisor may lend counters without it (F12.57). */
#define PERIOD 100u
#define LOOKS  2000000u /* instructions, and more, after which none comes */

static bool never_comes; /* the same on each processor: one hypervisor lends them */

static bool comes(void)
{
    const struct counter counter = {.number = 0};
    struct pmi_log log = {.policy = PMI_COUNT, .armed = PMI_CAUSE_COUNTER};
    bool seen;

    pmu_reset();
    pmi_start(&log);
    pmu_program(counter, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_PMI);
    pmu_write_period(counter, PERIOD);
    pmu_set_global_control(pmu_global_bit(counter));
    for (unsigned i = 0; i < LOOKS && !pmi_taken(); i++)
        insn_pause();
    seen = pmi_taken();
    pmi_stop();
    pmu_reset();
    return seen;
}

void pmi_try(void)
{
    if (identity_is_somebodys_guest(&cpu_features()->identity) && feature_present(FEATURE_PMI) &&
        feature_present(FEATURE_PERFMON))
        never_comes = !comes();
    cpu_features()->present[FEATURE_PMI] &= !never_comes;
}

static void probe(void)
{
    cpu_features()->present[FEATURE_PMI] = feature_present(FEATURE_APIC) && !never_comes;
}

static bool explain(enum feature feature, char *text, size_t size)
{
    if (feature != FEATURE_PMI)
        return false;
    if (!feature_present(FEATURE_APIC)) {
        feature_missing_reason(FEATURE_APIC, text, size);
        return true;
    }
    format_string(text, size, "no performance interrupt comes of an overflow of PMC0");
    trace_explain_lending(text, size);
    return true;
}

FEATURE_PROBER(pmi_prober, probe, explain, NULL);
