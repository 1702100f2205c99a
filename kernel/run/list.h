/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `list` on the command line: lists the tests instead of running them. */
#ifndef KERNEL_RUN_LIST_H
#define KERNEL_RUN_LIST_H

#include "kernel/report/selection.h"

/* Prints a comment for each test, with claims, needs and the reason for a skip; then an empty
 * plan. */
void list_tests(const struct selection *selection);

#endif
