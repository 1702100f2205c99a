/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of the branch trace store against what its program and its settings ask for. */
#ifndef TESTS_ORACLE_TRACE_CHECK_H
#define TESTS_ORACLE_TRACE_CHECK_H

#include "tests/run/run.h"

/* Exactly the records of the program and of the interrupts that came, each once and in order, and
 * nothing written anywhere else. Returns whether all held. */
bool trace_check(struct test_context *t, const struct run *run, const struct seen *seen);

/* run_program() and that: a whole test, where nothing else can be seen. */
bool trace_run(struct test_context *t, const struct program *program, const struct run *run,
               struct seen *seen);

#endif
