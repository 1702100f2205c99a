/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `list` on the command line: names the tests instead of running them. */
#ifndef KERNEL_RUN_LIST_H
#define KERNEL_RUN_LIST_H

#include "kernel/report/selection.h"

/* One comment a test, with claims, needs, and what would make it skip; then a plan of nothing. */
void list_tests(const struct selection *selection);

#endif
