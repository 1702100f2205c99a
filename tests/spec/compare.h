/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a trace with the records that it must hold, in order, no more and no fewer. Every
 * difference is a finding; the trace of the test has the records around the first. A missing or
 * extra record does not make later ones wrong.
 */
#ifndef TESTS_SPEC_COMPARE_H
#define TESTS_SPEC_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include "arch/trace/bts.h"
#include "kernel/report/branch_trace.h"
#include "kernel/report/test.h"
#include "tests/spec/expected.h"

/* An erratum of this processor explains every difference, or there is none. */
enum comparison { UNLIKE, ALIKE_EXPLAINED, ALIKE_ALL };

/* got: oldest first. Learns how the processor reads what the manual leaves open. */
enum comparison compare_records(struct test_context *t, const struct expected *expected,
                                const struct bts_record *got, size_t got_count);

/* Only the expected records from number `first` to before `end`. */
enum comparison compare_some(struct test_context *t, const struct expected *expected, size_t first,
                             size_t end, const struct bts_record *got, size_t got_count);

/* The newest of the expected records are in a circular buffer of so many, BTS_RECORDS_MAX at most.
 */
enum comparison compare_circular(struct test_context *t, const struct expected *expected,
                                 const struct bts_record *slots, size_t capacity);

/* What a finding, a check that held, and a step of a trace say of the transfer that they are of. */
void transfer_name(struct finding *finding, const struct transfer *transfer);
void transfer_held(struct test_context *t, enum finding_kind kind, const struct transfer *transfer);
void transfer_in_trace(struct trace_step *step, const struct transfer *transfer);

#endif
