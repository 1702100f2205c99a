/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a trace with the records that it must hold, in order, no more and no fewer. Every
 * difference is a finding; the first comes with the records around it. A missing or extra record
 * does not make later ones wrong. All functions return true if nothing differed except what an
 * erratum of this processor explains.
 */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include "arch/trace/bts.h"
#include "kernel/report/test.h"
#include "tests/oracle/expected.h"

/* got: oldest first. Learns how the processor reads debugctl where the manual leaves it open. */
bool compare_records(struct test_context *t, const struct expected *expected, uint64_t debugctl,
                     const struct bts_record *got, size_t got_count);

/* The same for the first `count` expected records only. No record of the list may be open. */
bool compare_prefix(struct test_context *t, const struct expected *expected,
                    const struct bts_record *got, size_t count);

/*
 * A circular buffer of `capacity` records after the expected ones were stored: slot s holds the
 * last one whose number modulo capacity is s. No record of the list may be open.
 */
bool compare_circular(struct test_context *t, const struct expected *expected,
                      const struct bts_record *slots, size_t capacity);

#endif
