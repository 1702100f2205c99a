/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sum of test results of one or several processors. Pure. */
#ifndef KERNEL_RUN_OUTCOME_H
#define KERNEL_RUN_OUTCOME_H

#include "kernel/report/errata.h"
#include "kernel/report/ktap.h"

struct outcome {
    struct ktap_totals totals;
    struct claim_set broken;
    unsigned unexpected_passes;

    /* Tests of facilities under test: all that ran, and those whose needs were met. */
    unsigned facility_tests, facility_tests_met;
};

/* Outcome of this processor; on the one that writes the log, of all processors. */
struct outcome *outcome(void);

/* Adds *one to *all, except the number of planned tests, which is known from the start. */
void outcome_add(struct outcome *all, const struct outcome *one);

void outcome_add_broken(struct outcome *all, const struct claim_set *claims);

/* The first says whether all planned tests ran. The second gives the verdict on the outcome. */
bool outcome_is_whole(const struct outcome *all);
enum verdict outcome_verdict(const struct outcome *all);

/* Is the outcome no evidence, because all tests were skipped or no facility under test was
 * found? */
bool outcome_is_of_nothing(const struct outcome *all);

#endif
