/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dry run: what would run here, without a write to any register of a debug facility (their LVT
 * entry included), a message to another processor or an SMI. It is neither pass nor failure.
 */
#ifndef KERNEL_RUN_DRY_RUN_H
#define KERNEL_RUN_DRY_RUN_H

#include "kernel/report/selection.h"

/* Before the processor is probed and its local APIC set up. */
void dry_run_begin(void);

/* Instead of the tests: each of chosen, and why it would be skipped; the claims that none would
 * check. After coverage_begin(). */
void dry_run_plan(const struct selection *chosen);

#endif
