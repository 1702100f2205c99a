/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debug store interrupt service routine (F5.20 to F5.24). BTS, PEBS and counter overflow share
 * its vector (ISR-2).
 *
 * Its gate leads straight to pmi_entry, which clears TR before its first branch. If TR was set, the
 * routine sets it again right before its IRET. An interrupt therefore adds exactly two records to a
 * trace: its own (interrupted instruction -> pmi_entry) and that of pmi_iret (-> interrupted
 * instruction).
 */
#ifndef ARCH_TRACE_PMI_H
#define ARCH_TRACE_PMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/apic/apic.h"

struct bts_record;

/* Facilities that can raise the interrupt, and the causes that the routine found (ISR-3). */
#define PMI_CAUSE_BTS       1u /* BTS index at or past its threshold */
#define PMI_CAUSE_PEBS      2u /* PEBS index at or past its threshold */
#define PMI_CAUSE_ARCH_PEBS 8u /* WR at or past it: IA32_PERF_GLOBAL_STATUS[54] */
#define PMI_CAUSE_COUNTER   4u /* a counter's bit in that register; perfmon version 2 on */

/* After this many interrupts in one log, more than any test needs, PMI_SERVE lets no more come. */
#define PMI_STORM 100000u

enum pmi_policy {
    PMI_SERVE, /* handle every cause, acknowledge, re-arm, unmask the LVT, return */
    PMI_COUNT, /* only log the interrupt: status, buffers and LVT entry stay as after delivery */
};

/* One interrupt, as the routine found it before it handled any cause. TR is clear then; with
 * PMI_SERVE counters are off, and PEBS is off if it is armed. The values here are those before
 * that. */
struct pmi_event {
    uint64_t rip;            /* saved by the processor: the interrupted code's next instruction */
    uint16_t cs;             /* saved; bits 1:0 are the ring */
    uint64_t rflags;         /* saved; IF = 0: an interrupt inside an interrupt (F5.23) */
    bool lvt_masked;         /* LVT mask bit (F5.12) */
    bool traced;             /* TR was set: the interrupt may have left records */
    unsigned causes;         /* PMI_CAUSE_…; 0 when none was found */
    uint64_t debugctl;       /* before TR was cleared (arch/trace/debugctl.h) */
    uint64_t global_control; /* 0 before perfmon version 2 */
    uint64_t global_status;  /* likewise */
    uint64_t overflowed;     /* counters' bits of the status, except those of PEBS */
    size_t index;            /* BTS records in the buffer */
    bool stored_itself;      /* TO of the newest of them is the routine's entry */
    size_t records_ahead;    /* BTS records drained by earlier interrupts of this log */
    size_t pebs_index;       /* PEBS records in the buffer */
};

struct pmi_log {
    enum pmi_policy policy;
    enum apic_delivery delivery;
    unsigned armed; /* PMI_CAUSE_… whose facility is programmed; the routine reports no others */

    struct pmi_event *events;
    size_t event_capacity, event_count; /* the count goes on past the capacity */

    struct bts_record *records; /* drained BTS records, oldest first */
    size_t record_capacity, record_count;
    uint8_t *pebs_bytes;              /* drained PEBS records, byte for byte */
    size_t pebs_capacity, pebs_count; /* bytes */
    bool records_lost; /* more came than fit, or an index was no whole number of records */

    /* Called to load the next period of the overflowed counters. May be NULL. */
    void (*reload)(uint64_t overflowed);
    /* Called before any cause is handled. May be NULL. */
    void (*observe)(const struct pmi_event *event);
    /* What the routine sets again at its end, because a legacy freeze clears it (F7.7): the value
     * of IA32_PERF_GLOBAL_CTRL, if that has become 0, and whether IA32_DEBUGCTL.LBR. */
    uint64_t resume_control;
    bool resume_lbr;
};

/*
 * Points the gate and the LVT performance entry at the routine, empties the log and unmasks the
 * LVT. With NMI delivery, NMIs without a cause go to the common handlers.
 */
void pmi_start(struct pmi_log *log);

/* Masks the LVT and resets the gate. The log stays readable. */
void pmi_stop(void);

/*
 * Does nothing on bare metal. Under a hypervisor it makes a counter overflow, and clears
 * FEATURE_PMI if no interrupt comes. Needs the local APIC, and interrupts enabled.
 */
void pmi_try(void);

/* How often the routine has logged an interrupt since boot. */
uint64_t pmi_taken(void);

/*
 * Number of NMIs without a cause or a handler that this processor got after pmi_start() with NMI
 * delivery, until pmi_forget_nmis(). Such an NMI may be a second one for the same overflow, or a
 * late one (AAJ125, HSD91).
 */
size_t pmi_unclaimed_nmis(void);

/* From now on an unhandled NMI is again taken for one of the board's (arch/cpu/apic/unclaimed.h),
 * not for a performance interrupt. */
void pmi_forget_nmis(void);

/* Append the rest of the BTS or PEBS buffer to the log, oldest first, and rewind the buffer. */
void pmi_drain_bts(struct pmi_log *log);
void pmi_drain_pebs(struct pmi_log *log);

/* The routine's first instruction, and its IRET; the second pair is for NMI delivery. */
extern void pmi_entry(void);
extern void pmi_iret(void);
extern void pmi_nmi_entry(void);
extern void pmi_nmi_iret(void);

/* Entry and IRET of this delivery. */
uint64_t pmi_entry_by(enum apic_delivery delivery);
uint64_t pmi_iret_by(enum apic_delivery delivery);

#endif
