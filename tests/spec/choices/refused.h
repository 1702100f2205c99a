/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses to registers and bits that do not exist must raise #GP(0) (F6.10, F6.23). */
#ifndef TESTS_SPEC_CHOICES_REFUSED_H
#define TESTS_SPEC_CHOICES_REFUSED_H

#include "arch/cpu/ground/exception.h"
#include "kernel/report/test.h"

/* `what` and `number` name the access in the finding, for example "WRMSR IA32_PMC" and 4. */
void expect_gp(struct test_context *t, struct exception exception, const char *what,
               unsigned number);

/* The same for a register of general-purpose counter `number`, which is not enumerated. A thread
 * may reach further counters of its core, which is learnt (F1.14). A core of a hybrid may have more
 * than leaf 0AH enumerates, which is observed (F21.35). */
void expect_no_counter(struct test_context *t, struct exception exception, const char *what,
                       unsigned number);

/* The same for the counter's register. Reads it, and writes it only if reading faults, because a
 * register that can be read may have another owner. name: "IA32_PMC". */
void expect_no_counter_register(struct test_context *t, uint32_t msr, const char *name,
                                unsigned number);

#endif
