/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that must raise #GP(0): to registers and bits that are not there (F6.10, F6.23). */
#ifndef TESTS_ORACLE_REFUSED_H
#define TESTS_ORACLE_REFUSED_H

#include "arch/cpu/ground/exception.h"
#include "kernel/report/test.h"

/* what and number: of the access, for the finding, "WRMSR IA32_PMC", 4. */
void expect_gp(struct test_context *t, struct exception exception, const char *what,
               unsigned number);

/* The same for a register of general-purpose counter so much, which is not enumerated; a thread of
 * a core that has more may reach them, which is learnt (F1.14), and a core of a hybrid may have
 * more than leaf 0AH tells of, which is observed (F21.35). */
void expect_no_counter(struct test_context *t, struct exception exception, const char *what,
                       unsigned number);

/* The same for its register: read, and written only where reading faults, for one that reads may
 * belong to somebody else. name: "IA32_PMC". */
void expect_no_counter_register(struct test_context *t, uint32_t msr, const char *name,
                                unsigned number);

#endif
