/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program with the LBR stack recording, and compares the stack with the program's truth. */
#ifndef TESTS_RUN_LBR_RUN_H
#define TESTS_RUN_LBR_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/lbr.h"
#include "kernel/test.h"
#include "tests/run/program.h"

struct lbr_run {
    uint64_t debugctl; /* while the program runs */
    uint64_t select;   /* MSR_LBR_SELECT */
    bool hold_off_interrupts;
};

struct lbr_result {
    bool cleared; /* the stack was all zero before */
    uint64_t debugctl_end;
    struct lbr_snapshot before, after;
};

void lbr_run(const struct program *program, const struct lbr_run *run, struct lbr_result *result);

/*
 * The newest entries must be the last transfers of the truth that MSR_LBR_SELECT lets pass, exactly
 * and in order; entries that nothing was recorded into must be as they were; the top of stack must
 * have moved on by the number of transfers recorded. Learns open readings on the way. Returns
 * whether all held.
 */
bool lbr_compare(struct test_context *t, const struct transfer *truth, size_t count,
                 uint64_t select, const struct lbr_result *result);

/* The newest entries alone, with MSR_LBR_SELECT = 0; what is older may be anything. */
bool lbr_compare_newest(struct test_context *t, const struct transfer *truth, size_t count,
                        const struct lbr_result *result);

/* lbr_run() and lbr_compare() of a program's own truth. */
bool lbr_check(struct test_context *t, const struct program *program, const struct lbr_run *run);

/* All registers of the stack and the top of stack alike? */
bool lbr_same(const struct lbr_snapshot *a, const struct lbr_snapshot *b);

/*
 * Whether TR without LBR goes on updating the stack, BTS as in debugctl, by a run of its own when
 * no test has asked before (D 9); with BTS that run programs the DS save area anew.
 */
bool lbr_tr_feeds(struct test_context *t, uint64_t debugctl);

/* On Core microarchitecture nothing is said about the stack while TR is set (F2.8). */
bool lbr_is_undefined_with_tr(void);

#endif
