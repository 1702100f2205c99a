/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bystanders: what is set although the test is about something else. These are bits of
 * IA32_DEBUGCTL, the filter of the LBR stack, and other counters, which may be enabled, sample,
 * interrupt, or have overflowed. A row of tests/run/covering.h says which are set. Then one
 * thing happens.
 */
#ifndef TESTS_RUN_BYSTANDERS_H
#define TESTS_RUN_BYSTANDERS_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/run/covering.h"
#include "tests/run/facility.h"
#include "tests/run/run.h"

#define BYSTANDER_RECORDS 2048 /* size of the BTS buffer; no program here has as many transfers */

struct bystanders {
    unsigned row;
    uint64_t debugctl, select;
    uint64_t own;         /* the test's own counters, as bits of the global registers */
    uint64_t pebs_enable; /* the bits of other counters */
    uint64_t control;     /* other counters that are enabled; they count in ring 3 */
    uint64_t interrupting, overflowed; /* other counters, as bits */
    uint64_t frozen;                   /* LBR_Frz, CTR_Frz and OvfBuf, set by software */
};

/* The bits of IA32_DEBUGCTL that are enumerated, and of those of LBR, BTF and BTS the ones whose
 * facility is there. */
uint64_t bystanders_debugctl(void);

/* The bystanders of a row, without bits that this processor lacks. */
struct bystanders bystanders_of_row(unsigned row, uint64_t own);

/*
 * Goes through the rows, without those that repeat an earlier one on this processor. One half has
 * the rows in which other counters may interrupt, the other half the rest. In each half any two
 * other bits still take all four values.
 */
enum rows { ROWS_ALL, ROWS_HALF, ROWS_OTHER_HALF };
#define BYSTANDERS_EACH(t, row, rows)                                                              \
    for (unsigned row = 0; row < COVERING_ROWS && !test_has_failed(t); row++)                      \
        if (bystanders_have_row(row, rows))
bool bystanders_have_row(unsigned row, enum rows rows);

struct bystander_run {
    const struct program *program;
    void (*start)(void); /* programs the test's own counters, with IF = 0; may be NULL */
    /* Called right before the program with what was read; may be NULL. */
    void (*ready)(const struct facility *before);
    uint64_t own_control;     /* those of the own counters that the run enables */
    size_t bts_threshold;     /* in records; 0: never reached */
    uint64_t sampled;         /* own counters that sample: the first record reaches the threshold */
    size_t interrupts_wanted; /* stop waiting for late interrupts once so many have come */
    /* Results. */
    struct facility before, after; /* right before the program, and right behind it */
    struct observation seen;
};

/* Adds a note that lists the bystanders, for a failure: "beside it, row 3: IA32_DEBUGCTL LBR TR
 * BTS; …". */
void bystanders_note(struct test_context *t, const struct bystanders *beside);

/*
 * IF = 0 from before the program until the registers are read. Then a pending interrupt is
 * delivered, and counted without being served. Afterwards the counters stand still and the
 * registers keep their values, except IA32_DEBUGCTL (and the counters' own enables in perfmon
 * version 1). bystanders_end() switches everything off. What the run recorded is compared. Returns
 * false, with the note, after a finding that no erratum explains.
 */
bool bystanders_run(struct test_context *t, const struct bystanders *beside,
                    struct bystander_run *run);
void bystanders_end(void);

#endif
