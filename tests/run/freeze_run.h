/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program until one chosen trigger raises a performance-monitoring interrupt, with LBR and
 * every counter on, and keeps what was frozen: registers, LBR stack and counters as the routine
 * found them, and again at the end.
 */
#ifndef TESTS_RUN_FREEZE_RUN_H
#define TESTS_RUN_FREEZE_RUN_H

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
    bool held_off;    /* ring 0 with IF = 0: what is seen "in the routine" is seen before STI */
    bool user;        /* the program runs in ring 3 */
    enum apic_delivery delivery;
    uint64_t also; /* bits of IA32_DEBUGCTL that are set besides */
};

struct counters_seen {
    uint64_t value[PMU_COUNTERS_MAX]; /* in the order of pmu_counters() */
};

struct freeze_seen {
    const struct program *program;
    uint64_t period; /* events of the trigger's counter to its overflow */
    size_t interrupts;
    struct pmi_event event;                      /* the first interrupt; held off: no address */
    struct lbr_snapshot lbr_in_routine, lbr_end; /* as the routine began; after the program */
    struct counters_seen first_read, second_read, counters_end;
    uint64_t debugctl_end; /* right before the bracket turned it off */
    uint64_t control_end, status_end;
};

/*
 * bits: DEBUGCTL bits 11 and 12 as the test sets them. Leaves the machine as the program ended,
 * frozen where it froze, with LBR and tracing off by the bracket; freeze_end() puts everything off.
 * Skips, or fails, and returns false when the trigger cannot be programmed.
 */
bool freeze_run(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits,
                struct freeze_seen *seen);
void freeze_end(void);

/*
 * Whether the counter of a PEBS trigger has overflowed once more by the time that the routine
 * looked. A record takes the overflow bit back and the counter starts below zero again (F3.63); one
 * that nothing freezes runs on, and past zero its bit may be set.
 */
bool freeze_ran_past_zero(const struct freeze_trigger *trigger, const struct freeze_seen *seen);

/* The bit of IA32_DEBUGCTL that makes the LBR stack record; 0 where there is none to freeze. */
uint64_t freeze_recording(void);

/* IA32_DEBUGCTL while the program runs, with these freeze bits and this trigger. */
uint64_t freeze_debugctl(const struct freeze_trigger *trigger, uint64_t bits);

/* What moves while a short program runs with this IA32_DEBUGCTL and the counters as they are. */
struct freeze_motion {
    bool lbr, counters;
};
struct freeze_motion freeze_run_on(uint64_t debugctl);

/* Every counter that counts instructions in ring 0 differs (all), at least one counter differs
 * (any), or at least one but general counter 4 and later ones (low). */
bool counters_all_moved(const struct counters_seen *a, const struct counters_seen *b);
bool counters_any_moved(const struct counters_seen *a, const struct counters_seen *b);
bool counters_low_moved(const struct counters_seen *a, const struct counters_seen *b);

#endif
