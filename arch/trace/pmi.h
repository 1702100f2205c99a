/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debug store interrupt service routine (F5.20 to F5.24), for every cause: BTS, PEBS and
 * counter overflow share one vector (ISR-2).
 *
 * Its gate leads straight to pmi_entry, whose first branch comes after TR was cleared: the only
 * records that one interrupt adds to a trace are its own (interrupted instruction -> pmi_entry) and
 * that of pmi_iret (-> interrupted instruction), and a test can expect exactly these two.
 */
#ifndef ARCH_TRACE_PMI_H
#define ARCH_TRACE_PMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/apic/apic.h"

struct bts_record;

/* Facilities that can ask for the interrupt, and what the routine found to be its cause (ISR-3). */
#define PMI_CAUSE_BTS       1u /* BTS index at or past its threshold */
#define PMI_CAUSE_PEBS      2u /* PEBS index at or past its threshold */
#define PMI_CAUSE_ARCH_PEBS 8u /* IA32_PERF_GLOBAL_STATUS[54]: architectural PEBS, WR likewise */
#define PMI_CAUSE_COUNTER   4u /* a counter's bit in IA32_PERF_GLOBAL_STATUS; version 2 on */

/* So many interrupts in one log are a storm that no test asks for: PMI_SERVE lets no more come. */
#define PMI_STORM 100000u

enum pmi_policy {
    PMI_SERVE, /* handle every cause, acknowledge, re-arm, unmask the LVT, go on */
    PMI_COUNT, /* only note it: status, buffers and the LVT entry stay as delivery left them */
};

/* One interrupt, as the routine found it before it changed anything but TR. */
struct pmi_event {
    uint64_t rip;      /* saved by the processor: the next instruction of what was interrupted */
    uint16_t cs;       /* likewise; bits 1:0 are the ring */
    uint64_t rflags;   /* likewise; IF = 0: an interrupt inside an interrupt (F5.23) */
    bool lvt_masked;   /* LVT mask bit (F5.12) */
    bool traced;       /* TR was set: the interrupt may have left records */
    unsigned causes;   /* PMI_CAUSE_…; 0 when none was found */
    uint64_t debugctl; /* with TR */
    uint64_t global_control; /* 0 before version 2 */
    uint64_t global_status;  /* 0 before version 2 */
    uint64_t overflowed;     /* counters' bits of the status, those that PEBS takes apart */
    size_t index;            /* BTS records in the buffer */
    bool stored_itself;      /* the newest of them ends at the routine's entry */
    size_t records_ahead;    /* BTS records drained by earlier interrupts of this log */
    size_t pebs_index;       /* PEBS records in the buffer */
};

struct pmi_log {
    enum pmi_policy policy;
    enum apic_delivery delivery;
    unsigned armed; /* PMI_CAUSE_… whose facility was programmed: what the routine looks for */

    struct pmi_event *events;
    size_t event_capacity, event_count; /* the count goes on past the capacity */

    struct bts_record *records; /* drained BTS records, oldest first */
    size_t record_capacity, record_count;
    uint8_t *pebs_bytes; /* drained PEBS records, byte for byte */
    size_t pebs_capacity, pebs_count;
    bool records_lost; /* more were drained than fit, or an index was off its records */

    /* Called for the counters that overflowed, to load their next period. May be NULL. */
    void (*reload)(uint64_t overflowed);
    /* Sees the processor as found, before any cause is handled. May be NULL. */
    void (*observe)(const struct pmi_event *event);
    /* What a legacy freeze took and the end of the routine gives back (F7.7). 0, false: nothing. */
    uint64_t resume_control;
    bool resume_lbr;
};

/*
 * Points the gate and the LVT performance entry at the routine and unmasks the LVT; the log is
 * empty. With NMI delivery, NMIs without a cause go on to the common handlers.
 */
void pmi_start(struct pmi_log *log);

/* Masks the LVT and takes the gate back. The log stays readable. */
void pmi_stop(void);

/*
 * Under a hypervisor: has a counter overflow, and where no interrupt comes of it FEATURE_PMI is
 * gone. Needs the local APIC, and interrupts to be enabled.
 */
void pmi_try(void);

/* How often the routine was entered since the start. */
uint64_t pmi_taken(void);

/*
 * NMIs without a cause that no handler wanted, since performance interrupts were delivered as NMIs:
 * a second one for the same overflow, or one that came too late (AAJ125, HSD91).
 */
size_t pmi_unclaimed_nmis(void);

/* From here on an NMI that no handler wants is the board's again (arch/cpu/apic/unclaimed.h). */
void pmi_forget_nmis(void);

/* Appends what is left in the BTS or PEBS buffer to the log, oldest first, and rewinds it. */
void pmi_drain_bts(struct pmi_log *log);
void pmi_drain_pebs(struct pmi_log *log);

/* The routine's first instruction, and its IRET. */
extern void pmi_entry(void);
extern void pmi_iret(void);
extern void pmi_nmi_entry(void);
extern void pmi_nmi_iret(void);

/* Those of the two that belong to a delivery. */
uint64_t pmi_entry_by(enum apic_delivery delivery);
uint64_t pmi_iret_by(enum apic_delivery delivery);

#endif
