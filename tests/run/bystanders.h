/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands beside the thing that a test is about: the bits of IA32_DEBUGCTL, the filter of the
 * LBR stack, other counters that are enabled, may sample, may interrupt and have overflowed. A row
 * of tests/oracle/covering.h says which of it is set, and one thing happens to it.
 */
#ifndef TESTS_RUN_BYSTANDERS_H
#define TESTS_RUN_BYSTANDERS_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/oracle/covering.h"
#include "tests/run/facility.h"
#include "tests/run/run.h"

#define BYSTANDER_RECORDS 2048 /* of the BTS buffer: more than a program here has transfers */

struct bystanders {
    uint64_t debugctl, select;
    uint64_t own;         /* counters of the test itself, by their bits of the global registers */
    uint64_t pebs_enable; /* of other counters */
    uint64_t control;     /* other counters that are enabled; they count ring 3 */
    uint64_t interrupting, overflowed; /* other counters, likewise by their bits */
    uint64_t frozen;                   /* LBR_Frz, CTR_Frz and OvfBuf, set by software */
};

/* Of the bits of a row that this processor has. */
struct bystanders bystanders_of_row(unsigned row, uint64_t own);

/*
 * The rows one after another, each that says something else of the bits that this processor has:
 * all of them, or one half, in which any two bits still take all four values, but for the one that
 * divides the halves: whether other counters may interrupt.
 */
enum rows { ROWS_ALL, ROWS_HALF, ROWS_OTHER_HALF };
#define BYSTANDERS_EACH(t, row, rows)                                                              \
    for (unsigned row = 0; row < COVERING_ROWS && !test_has_failed(t); row++)                      \
        if (bystanders_have_row(row, rows))
bool bystanders_have_row(unsigned row, enum rows rows);

struct bystander_run {
    const struct program *program;
    void (*start)(void); /* programs the test's own counters, IF = 0; NULL: nothing */
    /* Sees before, right before the program; NULL: nothing. */
    void (*ready)(const struct facility *before);
    uint64_t own_control;     /* of them, those that the run enables */
    size_t bts_threshold;     /* in records; 0: none to reach */
    uint64_t sampled;         /* own counters that sample: the first record reaches the threshold */
    size_t interrupts_wanted; /* stop waiting for late interrupts once so many have come */
    /* Results. */
    struct facility before, after; /* right before the program, and right behind it */
    struct seen seen;
};

/*
 * IF = 0 while the program runs and until the registers are read; then the interrupt comes if one
 * is pending, and is counted, not served. False after a test_fail(). What was set stays set but for
 * IA32_DEBUGCTL (and, in perfmon version 1, the counters), and the counters stand still, until
 * bystanders_end() puts everything off.
 */
bool bystanders_run(struct test_context *t, const struct bystanders *beside,
                    struct bystander_run *run);
void bystanders_end(void);

#endif
