/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares all that a run left of the branch trace store with what the manual says of its program,
 * its setting and its fields: the records and where they lie, the index, every other byte, the
 * interrupts.
 */
#ifndef TESTS_SPEC_BTS_CHECK_H
#define TESTS_SPEC_BTS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"
#include "tests/spec/compare.h"

/* Learns what the manual leaves open. Returns false after a finding that no erratum explains. */
bool bts_check(struct test_context *t, const struct run *run, const struct observation *seen);

/* The records alone: those that are known to lie in the buffer, or that the routine has drained. */
enum comparison bts_check_records(struct test_context *t, const struct run *run,
                                  const struct observation *seen);

/* Of the run that is about to be done: must it be interrupted? Learns by runs of its own, if the
 * answers are not known, where a buffer is full and what it does then. */
bool bts_check_prepare(struct test_context *t, const struct program *program,
                       const struct run *run);

/* Before a run that goes on in the buffer of another one: what nothing may change is kept. */
void bts_keep_buffer(void);

/* How many of the program's transfers are stored for sure under this value of IA32_DEBUGCTL. */
size_t bts_check_stored(struct test_context *t, const struct program *program, uint64_t debugctl);

#endif
