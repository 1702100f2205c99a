/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of a run and of a test. */
#ifndef KERNEL_REPORT_VERDICT_H
#define KERNEL_REPORT_VERDICT_H

/* The numbers are exit statuses on the host. */
enum verdict {
    VERDICT_PASS = 0,
    VERDICT_FAIL = 1,
    VERDICT_ERROR = 2, /* could not run: bad command line, broken boot information, broken tests */
    VERDICT_CRASH = 3, /* panic */
    VERDICT_SKIP = 4,  /* nothing but skips */
    VERDICT_TIMEOUT = 6, /* tests were starved, because the host was too busy */
    VERDICT_DRY_RUN = 8, /* nothing was tested: dry-run */
    VERDICT_LISTED = 9,  /* nothing was tested: list */
};

enum ktap_outcome { KTAP_OK, KTAP_NOT_OK, KTAP_SKIP, KTAP_XFAIL, KTAP_TIMEOUT };

struct ktap_totals {
    unsigned planned, run, pass, fail, skip, xfail, timeout; /* tests */
};

/* Counts a test with this outcome. */
static inline void ktap_totals_count(struct ktap_totals *totals, enum ktap_outcome outcome)
{
    unsigned *const counts[] = {
        [KTAP_OK] = &totals->pass,         [KTAP_NOT_OK] = &totals->fail,
        [KTAP_SKIP] = &totals->skip,       [KTAP_XFAIL] = &totals->xfail,
        [KTAP_TIMEOUT] = &totals->timeout,
    };

    totals->run++;
    ++*counts[outcome];
}

/* The levels of the log. */
#define LEVEL_RUN     0u
#define LEVEL_SUITE   1u
#define LEVEL_TEST    LEVEL_SUITE /* a test's own lines are in its suite */
#define LEVEL_SUBTEST 2u

#endif
