/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work for another processor inside a test: what goes wrong there is this test's failure, and names
 * the processor. Functions that run there say nothing themselves (test_… is not made for two at
 * once, except while processor 0 waits for them): they leave what they saw in their argument.
 */
#ifndef TESTS_RUN_OTHER_PROCESSOR_H
#define TESTS_RUN_OTHER_PROCESSOR_H

#include <stdbool.h>
#include "arch/cpu/smp/processors.h"
#include "kernel/report/test.h"

/*
 * Starts it, quiet; false after a test_fail(). One that did not come when it was called before the
 * tests, with nothing on, has no number: firmware and board decide that, and it says nothing about
 * what is tested. One that came then must always.
 */
bool other_start(struct test_context *t, unsigned index);

/* The same; the code runs there first, in real-address mode. What it left on is for
 * other_make_quiet(). */
bool other_start_in_real_mode(struct test_context *t, unsigned index,
                              const struct real_mode_code *first);

/* The same for code that writes this to IA32_DEBUGCTL with no handler for a #GP: this processor
 * tries it first; false after a test_fail() where it refuses. */
bool other_record_in_real_mode(struct test_context *t, unsigned index,
                               const struct real_mode_code *first, uint64_t debugctl);

bool other_make_quiet(struct test_context *t, unsigned index);

/* Fails the test where it is not quiet any more, and stops it. */
void other_stop(struct test_context *t, unsigned index);

/* As in arch/cpu/smp/processors.h, for at most some seconds; false after a test_fail(), which also
 * stops it. */
bool other_begin(struct test_context *t, unsigned index, processor_function function,
                 void *argument);
bool other_wait(struct test_context *t, unsigned index);
bool other_run(struct test_context *t, unsigned index, processor_function function, void *argument);

/* The body of another test there, or here (0), whose needs are met: what comes of it comes of the
 * open subtest (kernel/run/nested.h). The reason why it was skipped, or NULL. */
const char *other_run_test(struct test_context *t, unsigned index, const struct test *test);

/* What that one lacks of what the test needs, in words written to why, or NULL: processors may be
 * of several kinds. */
const char *other_lacks(unsigned index, const struct test *test, char *why, size_t size);

/* A body for each of the other processors, started for it and stopped after it, as subtests. It is
 * skipped where one has not what the test needs. */
void other_for_each(struct test_context *t, const char *claim,
                    void (*body)(struct test_context *t, unsigned index));

#endif
