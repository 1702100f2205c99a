/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the trace of a run against its program and setting. */
#ifndef TESTS_ORACLE_TRACE_CHECK_H
#define TESTS_ORACLE_TRACE_CHECK_H

#include "tests/run/run.h"

/* The trace must hold the records of the program and of the interrupts that came, each once and in
 * order. Nothing else may be written. Returns whether that holds. */
bool trace_check(struct test_context *t, const struct run *run, const struct observation *seen);

/* run_program(), then trace_check(): a whole test, if nothing else is to be checked. */
bool trace_run(struct test_context *t, const struct program *program, const struct run *run,
               struct observation *seen);

#endif
