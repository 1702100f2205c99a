/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a test as often as asked, and again if it was disturbed. */
#ifndef KERNEL_RUN_ATTEMPTS_H
#define KERNEL_RUN_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/context.h"

struct attempts {
    uint64_t seed;
    uint64_t first, count; /* first repetition, and their number */
    bool are_drawn;        /* in a soak: only this repetition is named */
    uint64_t timeout;      /* seconds */
};

/* Runs a test whose needs are met. cpu_label: suffix of kernel/machine/cpu_label.h, which must
 * outlive the call. The result is valid until the next call. */
struct test_context *attempts_run(const struct test *test, const struct attempts *attempts,
                                  const char *cpu_label);

/* For a panic: names the running test, "suite.test, subtest x", or NULL; and prints its notes. */
const char *attempts_current(void);
void attempts_print_notes(void);

/*
 * Runs the body of a test once, between two checks that the processor is quiet. It fails if it has
 * not ended after timeout seconds. If the processor gets too little of its time
 * (kernel/machine/time.h), the test is run again with more, and if that is not enough it counts as
 * starved, not failed.
 */
void test_run(struct test_context *t, uint64_t timeout);

/* The msr_fault_handler for all tests: fails the test that made the access. */
bool test_run_refused(struct trap_frame *frame, const struct msr_fault *fault, bool goes_on);

/*
 * Handles an unexpected exception. If it happened in ring 3, or anywhere on a worker
 * (kernel/run/workers.h), the test fails, and the run continues after it when the handler returns.
 * Returns false if the caller must panic.
 */
bool test_run_unexpected(struct trap_frame *frame);

/* Runs all registered quiet checks (kernel/report/test.h). Returns true if nothing is on; otherwise
 * writes "name: why" of the first to text, of size bytes. */
bool quiet_is(char *text, size_t size);

/* Turns off everything that the checks know. */
void quiet_make(void);

#endif
