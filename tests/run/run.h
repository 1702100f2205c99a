/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a program. struct run is its setup: what is on and what may come meanwhile. struct
 * observation has all that can be seen of the run. tests/spec says what must be seen.
 *
 *     const struct run run = {.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
 *                             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}};
 *     struct observation seen;
 *
 *     if (run_program(t, program_of_workload(&workload_rings), &run, &seen))
 *         EXPECT_EQUAL(t, INDEX, "BTS index", seen.index, 12);
 */
#ifndef TESTS_RUN_RUN_H
#define TESTS_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/bts.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmi.h"
#include "kernel/report/test.h"
#include "tests/run/facility.h"
#include "tests/run/program.h"

struct observation;

/* A field that is zero is off, or has its usual value. */
struct run {
    uint64_t debugctl;        /* while the program runs */
    bool hold_off_interrupts; /* IF = 0 meanwhile */

    /* Without a program: what is called, and the workload whose entry points must be set, or NULL.
     */
    void (*entry)(void);
    uint64_t argument;
    const struct workload *entry_points;

    /* Branch trace store: set up if layout has records. */
    struct bts_layout layout;
    size_t first;                    /* where the first record goes: records from the base */
    bool keep_ds_area;               /* writes the fields but not IA32_DS_AREA */
    const struct bts_fields *fields; /* NULL, or values for bts_set_fields() */

    /* LBR stack: filled (run_fill_stack()), or cleared for calls, and read right before and after.
     */
    bool lbr;
    uint64_t select; /* MSR_LBR_SELECT */

    /* PEBS, set up after BTS if there is a layout, and counters, which ahead() programs. They stay
     * on after the run unless the bracket turns them off. */
    const struct pebs_layout *pebs;
    uint64_t pebs_enable; /* written right before the bracket */
    uint64_t control;     /* IA32_PERF_GLOBAL_CTRL, likewise */
    bool control_last;    /* the bracket writes `control`; IA32_DEBUGCTL is set around it */

    /* The interrupt. Its routine is installed if something is armed; a layout arms BTS. */
    unsigned armed; /* PMI_CAUSE_… other than BTS */
    enum pmi_policy policy;
    enum apic_delivery delivery;
    bool lvt_masked;          /* the LVT performance entry stays masked */
    size_t interrupts_wanted; /* stop waiting for late interrupts once so many have come */
    struct pmi_log *log; /* the routine's log, with reload and observe; NULL: the default one */
    bool once; /* do not repeat the run if an SMI disturbed it; implied if the log has callbacks, or
                  if the run has neither buffer nor LBR stack of its own */

    /* ahead() is called before all this is turned on. behind() is called right after the bracket,
     * with IF = 0 if interrupts are held off. Either may be NULL. */
    void (*ahead)(const struct run *run, struct observation *seen);
    void (*behind)(const struct run *run, struct observation *seen);
};

struct lbr_result {
    struct lbr_snapshot before, after;
};

struct observation {
    const struct program *program;
    uint64_t debugctl_end;          /* IA32_DEBUGCTL right before tracing was turned off */
    uint64_t control_end;           /* IA32_PERF_GLOBAL_CTRL likewise; see pmu_global_control() */
    bool refused;                   /* the processor refused the value that the bracket writes */
    uint64_t tsc_before, tsc_after; /* around the bracket */

    bool lvt_masked_end;
    size_t interrupts; /* PMIs from start to the end of the wait */
    const struct pmi_log *log;

    size_t index;                     /* in records, as the program left it, before draining */
    const struct bts_record *records; /* PMI_SERVE: all drained records; PMI_COUNT: the buffer */
    size_t count;                     /* of records; PMI_COUNT: the index */

    struct lbr_result lbr;

    struct facility_look before, after; /* right around the program */
    bool may_have_smi;                  /* one that was asked for, or that MSR_SMI_COUNT shows */
    bool had_interrupt;                 /* one that nobody claims */
    bool in_vain;                       /* see retry_was_in_vain() */
};

/* The observation is valid until the next run. False after a test_fail() if the run could not be
 * set up or left no valid result; after a test_skip() if each repetition of it was disturbed. */
bool run_program(struct test_context *t, const struct program *program, const struct run *run,
                 struct observation *seen);

/* The same without calling test_fail(), for another processor with its own log. Returns what was
 * wrong, or NULL. */
const char *run_quietly(const struct program *program, const struct run *run,
                        struct observation *seen);

/* Records branches of its own in each entry of the LBR stack, if there is one and it is not frozen:
 * what loses or moves an entry does not show in a stack of zeros. */
void run_fill_stack(void);

/* A function for `behind`: ends counting with the program, before an interrupt that is late or held
 * off. */
void run_stop_counting(const struct run *run, struct observation *seen);

/* Waits until `wanted` interrupts are in the log, at most a second (less if earlier ones were
 * missing), then a little longer for one too many. Returns how many came. */
size_t run_wait(const struct pmi_log *log, size_t wanted);

/* Fails the test if a save area was refused; refusal: the reason, or NULL. */
bool expect_programmed(struct test_context *t, const char *refusal);

/*
 * Tries a value of IA32_DEBUGCTL before a workload takes over the gate of #GP, which would take a
 * refusal for a fault of its own. Leaves out the bits that record at once, which are known to
 * exist. entry_points: the workload, or NULL.
 */
bool expect_debugctl_taken(struct test_context *t, const struct workload *entry_points,
                           uint64_t debugctl);

/* Fails the test if anything outside the first `records` records was written. */
bool expect_no_stray_write(struct test_context *t, size_t records);

#endif
