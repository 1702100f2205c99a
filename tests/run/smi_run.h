/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program with a system management interrupt in its middle. */
#ifndef TESTS_RUN_SMI_RUN_H
#define TESTS_RUN_SMI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/test.h"
#include "tests/run/counting.h"
#include "tests/run/lbr_run.h"
#include "tests/run/program.h"
#include "tests/run/traced_run.h"

/*
 * Around every test here. The first skips the running test and returns false where no SMI can be
 * raised. Between them the DS save area lies where a processor that stored in SMM would find it.
 */
bool smi_test_begin(struct test_context *t);
void smi_test_end(void);

/* The two rings in which the SMI comes. */
enum { SMI_IN_RING0, SMI_IN_RING3, SMI_PROGRAMS };
extern const char *const smi_program_names[SMI_PROGRAMS];

/* Transfers of its truth before the SMI; the rest come after it. */
const struct program *smi_program(unsigned number);
size_t smi_transfers_before(unsigned number);

/*
 * Each runs it with an SMI and interrupts held off, and returns false after a test_fail(), or a
 * test_skip() when no SMI came: there is nothing to check then.
 *
 * smi_traced_run: the branch trace store on, with room for all records and no threshold to reach.
 * smi_debugctl_run: returns in *found what IA32_DEBUGCTL is at the end; a buffer as above.
 * smi_counting_run: counting_run() of workload_counted_smi under this IA32_DEBUGCTL.
 */
bool smi_traced_run(struct test_context *t, unsigned number, uint64_t debugctl,
                    struct traced_result *got);
bool smi_lbr_run(struct test_context *t, unsigned number, uint64_t debugctl,
                 struct lbr_result *got);
bool smi_debugctl_run(struct test_context *t, uint64_t debugctl, uint64_t *found);
bool smi_counting_run(struct test_context *t, struct counting *counting, uint64_t debugctl);

#endif
