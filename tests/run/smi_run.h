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
 * Both enclose every test of this kind. smi_test_begin() skips the test and returns false if no SMI
 * can be raised. Until smi_test_end() the DS save area lies where a processor that stored records
 * in SMM would find it.
 */
bool smi_test_begin(struct test_context *t);
void smi_test_end(void);

/* The two rings in which the SMI comes. */
enum { SMI_IN_RING0, SMI_IN_RING3, SMI_PROGRAMS };
extern const char *const smi_program_names[SMI_PROGRAMS];

/* The program, and how many transfers of its truth come before the SMI. */
const struct program *smi_program(unsigned number);
size_t smi_transfers_before(unsigned number);

/*
 * smi_run() and smi_counting_run() run with an SMI and with interrupts held off. The BTS buffer has
 * room for all records, and its threshold is never reached; select: MSR_LBR_SELECT. The counting
 * run is one of workload_counted_smi. They return false after a test_fail(), or after a test_skip()
 * if no SMI came, so that there is nothing to check.
 */
bool smi_run(struct test_context *t, unsigned number, uint64_t debugctl, uint64_t select,
             struct observation *got);
bool smi_counting_run(struct test_context *t, struct counting *counting, uint64_t debugctl);

#endif
