/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs part of a test on another processor. What goes wrong there fails this test, with the
 * processor's number. Functions that run there leave what they saw in their argument. They call no
 * test_… function, which is not safe for two processors at once, unless processor 0 waits for them.
 */
#ifndef TESTS_RUN_OTHER_PROCESSOR_H
#define TESTS_RUN_OTHER_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/smp/processors.h"
#include "kernel/report/test.h"

/*
 * Starts the processor, with everything off; false after a test_fail(). A processor that did not
 * start before the tests has no number: firmware and board decide that, and it is no failure. One
 * that did start must start every time.
 */
bool other_start(struct test_context *t, unsigned index);

/* The same, but the processor first runs the code in real-address mode. other_make_quiet() switches
 * off what the code left on. */
bool other_start_in_real_mode(struct test_context *t, unsigned index,
                              const struct real_mode_code *first);

/* The same for code that writes debugctl to IA32_DEBUGCTL without a handler for #GP. The running
 * processor tries the value first; false after a test_fail() if it is refused. */
bool other_record_in_real_mode(struct test_context *t, unsigned index,
                               const struct real_mode_code *first, uint64_t debugctl);

bool other_make_quiet(struct test_context *t, unsigned index);

/* Stops the processor. Fails the test if anything is still on there. */
void other_stop(struct test_context *t, unsigned index);

/* As in arch/cpu/smp/processors.h, with a limit of a second. False after a test_fail(); the
 * processor is then stopped. */
bool other_begin(struct test_context *t, unsigned index, processor_function function,
                 void *argument);
bool other_wait(struct test_context *t, unsigned index);
bool other_run(struct test_context *t, unsigned index, processor_function function, void *argument);

/* Waits until what runs there has set this to other than 0, a second at most. Returns whether it
 * has. */
bool other_gets_ready(const uint32_t *ready);

/* Runs the body of another test, whose needs are met, on processor `index`; 0: on this one. Its
 * result becomes that of the open subtest (kernel/run/nested.h). Returns why it was skipped, or
 * NULL. */
const char *other_run_test(struct test_context *t, unsigned index, const struct test *test);

/* Writes to `why` what processor `index` lacks of the test's needs, and returns `why`; NULL if it
 * lacks nothing. Processors may be of several kinds. */
const char *other_lacks(unsigned index, const struct test *test, char *why, size_t size);

/* Runs the body for each other processor, as a subtest, between starting and stopping the
 * processor. Skips one that lacks what the test needs. */
void other_for_each(struct test_context *t, const char *claim,
                    void (*body)(struct test_context *t, unsigned index));

#endif
