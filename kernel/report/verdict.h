/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a run ended. The numbers are the exit statuses that the host sees. */
#ifndef KERNEL_REPORT_VERDICT_H
#define KERNEL_REPORT_VERDICT_H

enum verdict {
    VERDICT_PASS = 0,
    VERDICT_FAIL = 1,
    VERDICT_ERROR = 2, /* could not run: bad command line, broken boot information, broken tests */
    VERDICT_CRASH = 3, /* panic */
    VERDICT_SKIP = 4,  /* nothing but skips */
    VERDICT_TIMEOUT = 6, /* what was not done in time had no time: the host was too busy */
    VERDICT_DRY_RUN = 8, /* nothing was tested: dry-run */
    VERDICT_LISTED = 9,  /* nothing was tested: list */
};

#endif
