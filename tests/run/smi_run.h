/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program with a system management interrupt in its middle. */
#ifndef TESTS_RUN_SMI_RUN_H
#define TESTS_RUN_SMI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/run.h"

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
 * Both run it with an SMI and interrupts held off, and return false after a test_fail(), or a
 * test_skip() when no SMI came: there is nothing to check then. In the branch trace store there is
 * room for all records, and no threshold to reach; the counting run is one of workload_counted_smi.
 */
bool smi_run(struct test_context *t, unsigned number, uint64_t debugctl, struct seen *got);

/* The same with MSR_LBR_SELECT set to select. */
bool smi_run_filtered(struct test_context *t, unsigned number, uint64_t debugctl, uint64_t select,
                      struct seen *got);
bool smi_counting_run(struct test_context *t, struct counting *counting, uint64_t debugctl);

#endif
