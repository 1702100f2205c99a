/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program and compares all that can be seen with what the manual says: what the branch trace
 * store and the LBR stack hold, and what else changed. A test adds only what the manual does not
 * settle.
 *
 *     const struct run run = {.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
 *                             .layout = {.records = 64, .threshold = BTS_NO_THRESHOLD}};
 *     struct observation seen;
 *
 *     observe(t, program_of_workload(&workload_rings), &run, &seen);
 */
#ifndef TESTS_SPEC_OBSERVE_H
#define TESTS_SPEC_OBSERVE_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/*
 * The observation and the program are valid until the next run. Waits for an interrupt that must
 * come, whatever run->interrupts_wanted says. Returns false if the run could not be set up, or
 * after a finding that no erratum explains.
 */
bool observe(struct test_context *t, const struct program *program, const struct run *run,
             struct observation *seen);

/* The same for a test that needs to see nothing else. */
bool observe_run(struct test_context *t, const struct program *program, const struct run *run);

/* Of a run that run_program() or run_quietly() has done: compares only what it must have left
 * alone, whatever it recorded. */
void observe_left_alone(struct test_context *t, const struct run *run,
                        const struct observation *seen);

#endif
