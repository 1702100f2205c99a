/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says which tests there are instead of running them: all that were chosen (list), or those that
 * would run on this machine (dry-run).
 *
 * A dry run writes no register of a debug facility (its LVT entry included), sends no message to
 * another processor and raises no SMI. It neither passes nor fails.
 */
#ifndef KERNEL_RUN_DRY_RUN_H
#define KERNEL_RUN_DRY_RUN_H

#include "kernel/report/selection.h"

/* Call it before the processor is probed and its local APIC set up. */
void dry_run_begin(void);

/* Prints each chosen test, with the reason if it would be skipped, and the claims that none would
 * check. Call it after coverage_begin(). */
void dry_run_plan(const struct selection *chosen);

/* For `list`: prints a comment for each test, with claims, needs and the reason for a skip; then an
 * empty plan. */
void list_tests(const struct selection *selection);

#endif
