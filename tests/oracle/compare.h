/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact comparison of a trace with what it must hold: the same records in the same order, no more
 * and no fewer. Every difference is a finding, the first with the records around it; a record that
 * is missing or too many does not make the later ones wrong. All return whether nothing differed
 * but what an erratum of this processor explains.
 */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include "arch/trace/bts.h"
#include "kernel/report/test.h"
#include "tests/oracle/expected.h"

/* got: oldest first. Learns open readings of debugctl on the way. */
bool compare_records(struct test_context *t, const struct expected *expected, uint64_t debugctl,
                     const struct bts_record *got, size_t got_count);

/* The same for the first so many expected records alone. Needs every reading in the list settled.
 */
bool compare_prefix(struct test_context *t, const struct expected *expected,
                    const struct bts_record *got, size_t count);

/*
 * A circular buffer of so many records after the expected ones were stored one after another: slot
 * s holds the last one whose number leaves s over. Needs every reading in the list settled.
 */
bool compare_circular(struct test_context *t, const struct expected *expected,
                      const struct bts_record *slots, size_t capacity);

#endif
