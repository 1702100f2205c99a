/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the observation after a step of a walk with the reference. Every difference is a
 * finding; afterwards the reference adopts the observation. */
#ifndef TESTS_WALK_WALK_CHECK_H
#define TESTS_WALK_WALK_CHECK_H

#include "tests/walk/walk_path.h"

struct walk_judge {
    struct test_context *t;
    struct reference reference;
    struct path path;
    struct walk_job job;
    struct lbr_snapshot lbr;                 /* before the step */
    struct facility_look off;                /* likewise */
    struct walk_zone zones[REFERENCE_AREAS]; /* likewise */
    uint64_t start[WALK_COUNTERS];           /* values of the counters before the step */
    enum maybe pending;                      /* likewise */
};

/* burst: the step was a burst; otherwise everything stayed off. */
void walk_check(struct walk_judge *judge, bool burst);

/* Returns UNDER(…) bits, the circumstances of an interrupt that errata speak of: those of all
 * counters that may have requested it, by the reference or by the `status` read. */
unsigned walk_circumstances(const struct reference *r, uint64_t status);

/* The parts of walk_check(). walk_check_store() lets the reference take over the observed memory
 * and index, from which the next step starts. */
void walk_check_lbr(struct walk_judge *judge);
void walk_check_store(struct walk_judge *judge);

/* Names the claim as broken, unless the check held. */
void walk_breaks_unless(struct walk_judge *judge, bool held, const char *claim);

/* The claim about how this processor freezes the LBR stack (if `lbr`) or the counters. */
const char *walk_freeze_claim(const struct reference *r, bool lbr);

#endif
