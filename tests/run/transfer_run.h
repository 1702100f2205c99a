/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of workloads, one subtest each, held against what was recorded. */
#ifndef TESTS_RUN_TRANSFER_RUN_H
#define TESTS_RUN_TRANSFER_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/run/program.h"

typedef const struct workload *const *workload_list;

/* Returns whether all was as it must be. Interrupts are held off where hold_off says so. */
typedef bool (*transfer_check)(struct test_context *t, const struct program *program,
                               uint64_t debugctl, bool hold_off);

/* Exactly the program's transfers that this setting stores, in the branch trace store; no threshold
 * to reach. */
bool transfer_check_bts(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off);

/*
 * The same with a threshold, in records: one interrupt where this setting interrupts and so many
 * were stored, none otherwise. It is an NMI where interrupts are held off.
 */
bool transfer_check_threshold(struct test_context *t, const struct program *program,
                              uint64_t debugctl, bool hold_off, size_t threshold);

/* How many of a program's transfers this setting stores, for sure. */
size_t transfer_count_stored(struct test_context *t, const struct program *program,
                             uint64_t debugctl);

/* The newest entries of the LBR stack. */
bool transfer_check_lbr(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off);

/* The same while each counter counts, none near its overflow. Need FEATURE_PERFMON2. */
bool transfer_check_bts_counting(struct test_context *t, const struct program *program,
                                 uint64_t debugctl, bool hold_off);
bool transfer_check_lbr_counting(struct test_context *t, const struct program *program,
                                 uint64_t debugctl, bool hold_off);

/* False after a test_skip() when this processor cannot execute the workload. */
bool transfer_is_possible(struct test_context *t, const struct workload *workload);

/* The whole list. */
void transfers_check_bts(struct test_context *t, workload_list first, workload_list end);
void transfers_check_lbr(struct test_context *t, workload_list first, workload_list end);

/* The settings of IA32_DEBUGCTL with one of BTS_OFF_OS and BTS_OFF_USR. Need FEATURE_DS_CPL. */
#define ONE_RING_SETTINGS 4
extern const uint64_t one_ring_settings[ONE_RING_SETTINGS];

/* Begins a subtest of one of them, named by what is run. */
void transfer_begin_one_ring(struct test_context *t, const char *name, uint64_t debugctl);

/* The whole list in the branch trace store under each of them; none that makes debug exceptions. */
void transfers_check_bts_of_one_ring(struct test_context *t, workload_list first,
                                     workload_list end);

#endif
