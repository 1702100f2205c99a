/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of one processor have come to; of several, all of it together. Pure. */
#ifndef KERNEL_RUN_OUTCOME_H
#define KERNEL_RUN_OUTCOME_H

#include "kernel/report/findings.h"
#include "kernel/report/errata.h"
#include "kernel/report/ktap.h"
#include "kernel/report/verdict.h"

struct outcome {
    struct ktap_totals totals;
    struct claim_set broken;
    unsigned unexpected_passes;

    /* Tests of the facilities under test: how many there were, and how many found what they need.
     */
    unsigned facility_tests, facility_tests_met;
};

/* Of this processor, and on the one that writes the log of the others as well. */
struct outcome *outcome(void);

/* All but how many tests are planned: that is known from the start. */
void outcome_add(struct outcome *all, const struct outcome *one);

void outcome_add_broken(struct outcome *all, const struct claim_set *claims);

/* Whether as many tests ran as were planned; what they say together. */
bool outcome_is_whole(const struct outcome *all);
enum verdict outcome_verdict(const struct outcome *all);

/* What runs anywhere is no evidence that the facilities under test work. */
bool outcome_is_of_nothing(const struct outcome *all);

#endif
