/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work for the processor on which tests are executed, where that is not the one that booted. */
#ifndef KERNEL_TEST_ELSEWHERE_H
#define KERNEL_TEST_ELSEWHERE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/processors.h"
#include "kernel/context.h"

enum elsewhere { ELSEWHERE_DONE, ELSEWHERE_HUNG, ELSEWHERE_BROKEN };

/*
 * Has it do that, started and quiet, for at most so many seconds. Where it met an exception that
 * nobody expected the test fails and says which, as it does where the processor does not come; it
 * is stopped then and started again for the next test, and also where it hangs.
 */
enum elsewhere elsewhere_run(struct test_context *t, processor_function function, uint64_t seconds);

/* Has that executed where tests are: here, or there if that one has been started. */
void elsewhere_do(processor_function function, void *argument);

/* Stops it: no more tests are executed there. */
void elsewhere_end(void);

#endif
