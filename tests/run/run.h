/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a program: what is set up, what turns it on, what may come meanwhile (struct run), and
 * all that can be seen of it (struct seen). What must be seen is the business of tests/oracle.
 *
 *     const struct run run = {.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
 *                             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}};
 *     struct seen seen;
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
#include "tests/run/program.h"

struct seen;

/* What is zero is off, or as it always is. */
struct run {
    uint64_t debugctl;        /* while the program runs */
    bool hold_off_interrupts; /* IF = 0 meanwhile */

    /* Without a program: what is called, and whose landings must be set; that may be NULL. */
    void (*entry)(void);
    uint64_t argument;
    const struct workload *landings;

    /* Branch trace store: laid out where it has records. */
    struct bts_layout layout;
    size_t first;                    /* where the first record goes, in records from the base */
    bool keep_ds_area;               /* IA32_DS_AREA is not written again, only the fields */
    const struct bts_fields *fields; /* NULL, or what these hold; the index need be no record's */

    /* LBR stack: cleared, and looked at right before and after. */
    bool lbr;
    uint64_t select; /* MSR_LBR_SELECT */

    /* PEBS, laid out after BTS where there is a layout, and counters; ahead() programs those. They
     * stay on after the run where the bracket does not turn them off. */
    const struct pebs_layout *pebs;
    uint64_t pebs_enable; /* on right before the bracket */
    uint64_t control;     /* IA32_PERF_GLOBAL_CTRL, likewise */
    bool control_last;    /* the bracket writes that, and IA32_DEBUGCTL is on around it */

    /* The interrupt; its routine is there where something is armed, BTS by its layout. */
    unsigned armed; /* PMI_CAUSE_… besides */
    enum pmi_policy policy;
    enum apic_delivery delivery;
    bool lvt_masked;          /* the LVT performance entry stays masked */
    size_t interrupts_wanted; /* stop waiting for late interrupts once so many have come */
    struct pmi_log *log;      /* where it keeps things, reload and observe; NULL: the runs' own */
    bool once; /* not made again when an SMI came; never so where the log calls somebody, or where
                * neither buffer nor stack is the run's own */

    /* Called before all this is turned on and right behind the bracket, IF = 0 there where
     * interrupts are held off; NULL: nothing. */
    void (*ahead)(const struct run *run, struct seen *seen);
    void (*behind)(const struct run *run, struct seen *seen);
};

struct lbr_result {
    bool cleared; /* the stack was all zero before */
    struct lbr_snapshot before, after;
};

struct seen {
    const struct program *program;
    uint64_t debugctl_end; /* IA32_DEBUGCTL right before tracing was turned off */
    uint64_t control_end;  /* IA32_PERF_GLOBAL_CTRL likewise, where there was one to set */
    bool refused;          /* the processor did not take the value that the bracket writes */
    uint64_t tsc_before, tsc_after; /* around the bracket */

    bool lvt_masked_end;
    size_t interrupts; /* PMIs from start to the end of the wait */
    const struct pmi_log *log;

    size_t index; /* as the program left it, before anything was drained; records */
    const struct bts_record *records; /* PMI_SERVE: all drained; PMI_COUNT: the buffer itself */
    size_t count;                     /* PMI_SERVE: drained; PMI_COUNT: index */

    struct lbr_result lbr;
};

/* The result stays until the next run. False after a test_fail() when it could not be set up, or
 * left what is no result. */
bool run_program(struct test_context *t, const struct program *program, const struct run *run,
                 struct seen *seen);

/* The same without a word, for another processor with a log of its own: NULL, or what was wrong. */
const char *run_quietly(const struct program *program, const struct run *run, struct seen *seen);

/* For behind: counting ends with the program, before an interrupt that is late or held off. */
void run_stop_counting(const struct run *run, struct seen *seen);

/* Waits until so many interrupts are in the log, at most a second (less where others have not
 * come), and a little longer for one too many. Returns how many came. */
size_t run_wait(const struct pmi_log *log, size_t wanted);

/* Fails the test with the reason why a save area was refused, where there is one. */
bool expect_programmed(struct test_context *t, const char *refusal);

/*
 * While a workload has the gate of #GP a refusal of IA32_DEBUGCTL would go unheard, and would land
 * where the workload expects a fault of its own: it is tried before, but for the bits that record
 * at once, each of which is known to be there. landings: whose gate it is; may be NULL.
 */
bool expect_debugctl_taken(struct test_context *t, const struct workload *landings,
                           uint64_t debugctl);

/* Fails the test when anything outside the first so many records was touched. */
bool expect_no_stray_write(struct test_context *t, size_t records);

#endif
