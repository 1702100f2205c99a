/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A member's log, made once more in the log of all: as it comes, and with what it owes when it was
 * lost in the middle. */
#ifndef KERNEL_RUN_CREW_LOG_H
#define KERNEL_RUN_CREW_LOG_H

#include "kernel/run/crew_member.h"
#include "kernel/report/ktap.h"
#include "kernel/console/ktap_ring.h"
#include "kernel/report/selection.h"

#define CREW_LOG_LEVELS 3u

struct crew_log {
    struct ktap_ring *ring;
    bool at_end;    /* what is left sums up */
    unsigned level; /* of the innermost block that is open */
    unsigned planned[CREW_LOG_LEVELS], seen[CREW_LOG_LEVELS]; /* results of that block */
    struct ktap_totals totals;                                /* tests that have theirs */
    bool is_in_suite;
    char suite[TEST_NAME_SIZE]; /* the open one; and: */
    unsigned failed_before;     /* tests, when it began */
};

/* Makes what has come until now; number: of the suite that came last, counted on. Comes to a stop
 * where the summary begins. Whether there was anything. */
bool crew_log_follow(struct crew_log *log, unsigned *number);

/* Likewise, and not past the last of so many tests: what comes behind them is a soak. Whether there
 * is nothing more to come until then. */
bool crew_log_follow_tests(struct crew_log *log, size_t tests, unsigned *number);

/* Only what has come of remarks between two suites: the turn of the results is another time. */
void crew_log_follow_remarks(struct crew_log *log);

/* The summary. */
void crew_log_finish(struct crew_log *log);

/*
 * The member will say no more: gives every result of the planned tests that is still due. Where it
 * was lost that of the test which ran there is a failure. Its outcome is what stands in the log.
 */
void crew_log_complete(struct crew_log *log, const struct selection *planned, struct member *member,
                       unsigned *number);

#endif
