/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of the log tells of the whole run (kernel/report/summary.h), on the pages at the
 * end. Pure.
 */
#ifndef KERNEL_SCREEN_END_LOG_H
#define KERNEL_SCREEN_END_LOG_H

#include "kernel/screen/screen_page.h"
#include "kernel/report/summary.h"

/* Its lines but for the traits. */
void end_log_add(struct screen_flow *flow, const struct summary *summary);

/* The traits in short, each with the values that it has; of those that are unknown how many. */
void end_log_add_traits(struct screen_flow *flow, const struct summary *summary);

#endif
