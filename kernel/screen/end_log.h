/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log's summary (kernel/report/summary.h) on the final pages. Pure. */
#ifndef KERNEL_SCREEN_END_LOG_H
#define KERNEL_SCREEN_END_LOG_H

#include "kernel/screen/screen_page.h"
#include "kernel/report/summary.h"

/* Adds its lines, except the traits. */
void end_log_add(struct screen_flow *flow, const struct summary *summary);

/* Adds the traits with their values, and the number of unknown ones. */
void end_log_add_traits(struct screen_flow *flow, const struct summary *summary);

#endif
