/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a list of workloads, one subtest each, and checks what was recorded. */
#ifndef TESTS_RUN_TRANSFER_RUN_H
#define TESTS_RUN_TRANSFER_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/run/program.h"

typedef const struct workload *const *workload_list;

/* Runs a program and returns whether all was as it must be. hold_off: with IF = 0. */
typedef bool (*transfer_check)(struct test_context *t, const struct program *program,
                               uint64_t debugctl, bool hold_off);

/* The BTS buffer must hold exactly the transfers that this setting stores; the threshold is never
 * reached. */
bool transfer_check_bts(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off);

/*
 * The same with a threshold, in records. One interrupt must come if this setting interrupts and
 * that many records were stored, otherwise none. It is an NMI if interrupts are held off.
 */
bool transfer_check_threshold(struct test_context *t, const struct program *program,
                              uint64_t debugctl, bool hold_off, size_t threshold);

/* The program's last transfers must be the newest entries of the LBR stack. */
bool transfer_check_lbr(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off);

/* Either, as the setting says, while every counter counts, none near its overflow. Needs
 * FEATURE_PERFMON2. */
bool transfer_check_counting(struct test_context *t, const struct program *program,
                             uint64_t debugctl, bool hold_off);

/* False after a test_skip() when this processor cannot execute the workload. */
bool transfer_is_possible(struct test_context *t, const struct workload *workload);

/* Check the whole list. */
void transfers_check_bts(struct test_context *t, workload_list first, workload_list end);
void transfers_check_lbr(struct test_context *t, workload_list first, workload_list end);

/* The settings of IA32_DEBUGCTL with one of BTS_OFF_OS and BTS_OFF_USR. They need
 * FEATURE_DS_CPL. */
#define ONE_RING_SETTINGS 4
extern const uint64_t one_ring_settings[ONE_RING_SETTINGS];

/* Begins a subtest for one of these settings, named after the workload. */
void transfer_begin_one_ring(struct test_context *t, const char *name, uint64_t debugctl);

/* Checks the whole list in the branch trace store under each of these settings. No workload may
 * cause debug exceptions. */
void transfers_check_bts_of_one_ring(struct test_context *t, workload_list first,
                                     workload_list end);

#endif
