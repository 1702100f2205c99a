/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sample_check_all() does not look at: the groups of XMM registers and of LBR entries. */
#ifndef TESTS_ORACLE_SAMPLE_GROUPS_H
#define TESTS_ORACLE_SAMPLE_GROUPS_H

#include "tests/run/sampling.h"

/* A value of its own in each XMM register, until xmm_end(): ahead of a run. */
void sample_load_xmm(void);

/* Those values, and the last jumps of the workload, newest first, wherever a record of the run has
 * such a group. */
void sample_check_groups(struct test_context *t, const struct sampling *sampling);

#endif
