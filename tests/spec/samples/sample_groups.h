/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what sample_check_all() leaves out: the groups of XMM registers and of LBR entries. */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_GROUPS_H
#define TESTS_SPEC_SAMPLES_SAMPLE_GROUPS_H

#include "tests/spec/samples/sampling.h"

/* To be called before a run: loads a different value into each XMM register, until xmm_end(). */
void sample_load_xmm(void);

/* Each record that has these groups must hold those values, and the workload's last jumps, newest
 * first. */
void sample_check_groups(struct test_context *t, const struct sampling *sampling);

#endif
