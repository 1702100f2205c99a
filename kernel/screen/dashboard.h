/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen shows while tests run: the machine; the suites with their states and times; the
 * grid of the suite that has one; what failed; the running test and how far the run has come. What
 * there is room for decides where it stands. Pure.
 */
#ifndef KERNEL_SCREEN_DASHBOARD_H
#define KERNEL_SCREEN_DASHBOARD_H

#include "kernel/report/machine.h"
#include "kernel/screen/progress.h"
#include "kernel/screen/screen_page.h"
#include "kernel/report/summary.h"

struct dashboard {
    const struct progress *progress;
    const struct summary *summary;
    const struct machine_name *machine;
};

/* The rows that every page begins with: who was tested, and by what. Returns the first that is
 * free. */
unsigned dashboard_put_head(struct screen_page *page, const struct machine_name *machine);

/* The page has been started, and is as large as the screen. */
void dashboard_fill(struct screen_page *page, const struct dashboard *dashboard);

#endif
