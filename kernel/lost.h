/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a test that lost its way: it hung, or a register refused it an access. */
#ifndef KERNEL_LOST_H
#define KERNEL_LOST_H

#include "arch/cpu/refusal.h"
#include "kernel/context.h"

/* Both fail the test, or its open subtest, and no erratum explains that. */
void lost_by_hanging(struct test_context *t, uint64_t timeout);

/* A test may try the same many times: that is told once in each of its parts. */
void lost_by_refusal(struct test_context *t, const struct refusal *refusal);

#endif
