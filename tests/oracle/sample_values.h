/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of counters in a record (F22.8): just those that were asked for, in order, each what its
 * counter held when the record was stored. Every counter counts from a value of its own, so that
 * none is taken for another.
 */
#ifndef TESTS_ORACLE_SAMPLE_VALUES_H
#define TESTS_ORACLE_SAMPLE_VALUES_H

#include "tests/run/sampling.h"

struct sample_values {
    uint32_t general, fixed; /* counters whose values are asked for, by number */
    bool metrics;
    bool own_is_open; /* the sampling counter's may be there, too: CHOICE_ARCH_PEBS_OWN */
};

/* Is it asked for? */
bool sample_value_is_asked(const struct sample_values *asked, struct counter counter);

/* The counters whose values a record may have. Returns how many. */
unsigned sample_values_counters(struct counter *list);

/*
 * Makes all of them but the first of the sampling count beside it: general-purpose ones its
 * branches. allow: PEBS_ARCH_ALLOW_IN_RECORD for those that are asked for, or 0.
 */
void sample_values_add(struct sampling *sampling, const struct sample_values *asked,
                       uint64_t allow);

/* All records of a run, after sample_check_all(). */
void sample_values_check(struct test_context *t, const struct sampling *sampling,
                         const struct sample_values *asked);

#endif
