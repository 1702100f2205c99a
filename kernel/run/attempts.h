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
    uint64_t first, count; /* number of the first repetition, and how many there are */
    bool are_drawn;        /* in a soak: the line that repeats a failure names its repetition */
    bool is_retest;        /* of a failure: prints no subtests and leaves nothing learned */
    uint64_t timeout;      /* seconds */
};

/* Runs a test whose needs are met. cpu_label: suffix of kernel/machine/cpu_label.h, which must
 * outlive the call. The result is valid until the next call. */
struct test_context *attempts_run(const struct test *test, const struct attempts *attempts,
                                  const char *cpu_label);

/* For a panic: the first returns the running test, "suite.test, subtest x", or NULL. The second
 * prints its notes. */
const char *attempts_current(void);
void attempts_print_notes(void);

/*
 * Runs the body of a test once, between two checks that the processor is quiet. The test fails if
 * it has not ended after `timeout` seconds. If the processor got to run for too little of that time
 * (kernel/machine/time.h), the test runs again with a longer timeout. If that is not enough either,
 * the test counts as starved, not as failed.
 */
void test_run(struct test_context *t, uint64_t timeout);

/* The msr_fault_handler for all tests: fails the test that made the access. */
bool test_run_refused(struct trap_frame *frame, const struct msr_fault *fault, bool goes_on);

/*
 * Handles an unexpected exception. If it happened while a test ran, in ring 3 (except #DF and #MC)
 * or anywhere on a worker (kernel/run/workers.h), the test fails, and the run continues with the
 * next test when the handler returns. Returns false if the caller must panic.
 */
bool test_run_unexpected(struct trap_frame *frame);

/* Runs all registered quiet checks (kernel/report/test.h). Returns true if nothing is on. Otherwise
 * writes "name: why" of the first check that failed to text, of size bytes. */
bool quiet_is(char *text, size_t size);

/* Turns off everything that the checks know. */
void quiet_make(void);

#endif
