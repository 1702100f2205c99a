/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a run, as plain data. */
#ifndef KERNEL_SCREEN_END_REPORT_H
#define KERNEL_SCREEN_END_REPORT_H

#include "kernel/machine/event.h"
#include "kernel/report/ktap.h"
#include "kernel/report/machine.h"
#include "kernel/report/summary.h"

struct end_report {
    enum verdict verdict;
    const struct ktap_totals *totals;
    uint32_t check; /* check value of the log */
    const struct summary *summary;
    const struct machine_name *machine;
    const struct crash *crash; /* NULL: no crash ended the run */
    const char *foot;          /* text below each page */
};

#endif
