/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen after a step of a walk beside what the reference has: every difference a finding,
 * and afterwards the reference goes on with what was seen. */
#ifndef TESTS_RANDOM_WALK_CHECK_H
#define TESTS_RANDOM_WALK_CHECK_H

#include "tests/random/walk_path.h"

struct walk_judge {
    struct test_context *t;
    struct reference reference;
    struct path path;
    struct walk_job job;
    struct lbr_snapshot lbr;                 /* before the step */
    struct walk_zone zones[REFERENCE_AREAS]; /* likewise */
    uint64_t start[WALK_COUNTERS];           /* the counters' values before the step */
    enum maybe pending;                      /* likewise */
};

/* burst: the step was one, else all stayed off. */
void walk_check(struct walk_judge *judge, bool burst);

/* What errata speak of beside an interrupt: of all counters that may have asked for it, by the
 * reference and by the status that was seen. */
unsigned walk_circumstances(const struct reference *r, uint64_t status);

#endif
