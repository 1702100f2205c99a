/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program, with LBR and every counter on, until a chosen trigger raises a
 * performance-monitoring interrupt. Keeps the registers, the LBR stack and the counters as the
 * interrupt routine found them and as they are at the end, so that a check sees what was frozen.
 */
#ifndef TESTS_SPEC_FREEZE_FREEZE_RUN_H
#define TESTS_SPEC_FREEZE_FREEZE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/lbr.h"
#include "arch/trace/pmi.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/program.h"

enum trigger_kind { TRIGGER_COUNTER, TRIGGER_PEBS, TRIGGER_BTS };

struct freeze_trigger {
    enum trigger_kind kind;
    struct counter counter; /* what overflows; unused for BTS */
    bool without_pmi; /* the counter's PMI bit stays clear: nothing may freeze (FRZ-9, FRZ-10) */
    bool held_off;    /* ring 0 with IF = 0; "in the routine" then means before STI */
    bool user;        /* the program runs in ring 3 */
    enum apic_delivery delivery;
    uint64_t also; /* further bits of IA32_DEBUGCTL to set */
};

struct counters_seen {
    uint64_t value[PMU_COUNTERS_MAX]; /* in the order of pmu_counters() */
};

struct freeze_observation {
    const struct program *program;
    uint64_t period; /* events until the trigger's counter overflows */
    size_t interrupts;
    struct pmi_event event; /* the first interrupt; no address if held off */
    struct lbr_snapshot lbr_in_routine,
        lbr_end; /* at the start of the routine; after the program */
    struct counters_seen first_read, second_read, counters_end;
    uint64_t debugctl_end; /* right before the bracket cleared it */
    uint64_t control_end, status_end;
};

/*
 * bits: bits 11 and 12 of IA32_DEBUGCTL. The bracket clears LBR and tracing; everything else stays
 * as the program left it, frozen or not, until freeze_end() switches all off. Returns false after a
 * test_skip() or test_fail() if the trigger cannot be programmed.
 */
bool freeze_run(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits,
                struct freeze_observation *seen);
void freeze_end(void);

/*
 * Had the counter of a PEBS trigger overflowed again when the routine read it? Storing a record
 * clears the overflow bit and reloads the counter (F3.63). A counter that nothing freezes
 * counts on and may pass zero again, which sets the bit.
 */
bool freeze_ran_past_zero(const struct freeze_trigger *trigger,
                          const struct freeze_observation *seen);

/* The bit of IA32_DEBUGCTL that makes the LBR stack record; 0 if there is no stack to freeze. */
uint64_t freeze_recording(void);

/* IA32_DEBUGCTL while the program runs, with these freeze bits and this trigger. */
uint64_t freeze_debugctl(const struct freeze_trigger *trigger, uint64_t bits);

/* Runs a short program with this IA32_DEBUGCTL and the counters as they are. Returns whether the
 * LBR stack, and any counter, has changed. */
struct freeze_motion {
    bool lbr, counters, low; /* low: counters other than PMC4 and above */
};
struct freeze_motion freeze_run_on(uint64_t debugctl);

struct counters_seen freeze_read_counters(void);

#define FREEZE_LOW_COUNTERS 4 /* PMC0 to PMC3 */

/* The first is true if every counter that counts instructions differs, the second if any fixed
 * counter differs, or one of the `general` general-purpose counters from PMC0 on. */
bool counters_all_moved(const struct counters_seen *a, const struct counters_seen *b);
bool counters_moved(const struct counters_seen *a, const struct counters_seen *b, unsigned general);

#endif
