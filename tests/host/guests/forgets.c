/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linked into a kernel with --wrap=attempts_run: no test finds there what another has learnt. */
#include "kernel/run/attempts.h"

struct test_context *__real_attempts_run(const struct test *test, const struct attempts *attempts,
                                         const char *cpu_label);
struct test_context *__wrap_attempts_run(const struct test *test, const struct attempts *attempts,
                                         const char *cpu_label);

extern const struct learned_state __learned_state_start[], __learned_state_end[];

struct test_context *__wrap_attempts_run(const struct test *test, const struct attempts *attempts,
                                         const char *cpu_label)
{
    for (const struct learned_state *row = __learned_state_start; row < __learned_state_end; row++)
        __builtin_memset(row->now, 0, row->size);
    return __real_attempts_run(test, attempts, cpu_label);
}
