/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads for branch-stepping: they keep TF as they find it. */
#ifndef TESTS_WORKLOADS_BRANCH_STEP_H
#define TESTS_WORKLOADS_BRANCH_STEP_H

#include "tests/workloads/workload.h"

/* Near branches in both rings, IRET, SYSCALL, SYSRET, INT n. */
extern const struct workload workload_branch_step_rings;

/* Near branches in compatibility mode, reached and left with TF as it was. */
extern const struct workload workload_branch_step_compat;

/*
 * A NOP, a jump, three instructions and the RET. The places: the jump's target, and the end of each
 * of the three.
 */
extern const struct workload workload_branch_step_once;
extern const uint64_t branch_step_places[], branch_step_places_end[];

/*
 * Starts with TF clear. After a taken branch of each kind it sets TF by POPF and by IRET, and
 * clears it again. The places: where a debug exception must come, each once. No truth.
 */
extern const struct workload workload_branch_step_late;
extern const uint64_t branch_step_late_places[], branch_step_late_places_end[];

/* HLT with interrupts on, and the instruction after it. No truth. */
extern const struct workload workload_branch_step_hlt;
extern const char branch_step_hlt_at[], branch_step_hlt_next[];

/* A SYSRET that sets TF, and its target: NOPs, then INT n back. No truth. */
extern const struct workload workload_branch_step_sysret;
extern const char branch_step_sysret_from[], branch_step_sysret_user[];

/* INT n and IRET in ring 0; one of single_branches. */
extern const struct workload workload_int_and_iret;

#endif
