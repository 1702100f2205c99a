/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the values of counters in a record (F22.8): those requested and no others, in order, each
 * what its counter held when the record was stored. Every counter starts at a different value, so
 * that none can be taken for another.
 */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_VALUES_H
#define TESTS_SPEC_SAMPLES_SAMPLE_VALUES_H

#include "tests/spec/samples/sampling.h"

struct sample_values {
    uint32_t general, fixed; /* counters whose values are requested, as bits */
    bool metrics;
    bool own_is_open; /* the sampling counter's value may be there too: CHOICE_ARCH_PEBS_OWN */
};

/* Is this counter's value requested? */
bool sample_value_is_asked(const struct sample_values *asked, struct counter counter);

/* The counters whose values a record may have. Returns how many. */
unsigned sample_values_counters(struct counter *list);

/*
 * Adds all those counters, except the sampling's first, as plain counters; general-purpose ones
 * count branches. allow: PEBS_ARCH_ALLOW_IN_RECORD for the requested ones, or 0.
 */
void sample_values_add(struct sampling *sampling, const struct sample_values *asked,
                       uint64_t allow);

/* Checks all records of a run, after sample_check_all(). */
void sample_values_check(struct test_context *t, const struct sampling *sampling,
                         const struct sample_values *asked);

#endif
