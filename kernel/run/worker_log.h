/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeats a worker's log in the main log as it arrives, and completes it if the worker is lost. */
#ifndef KERNEL_RUN_WORKER_LOG_H
#define KERNEL_RUN_WORKER_LOG_H

#include "kernel/run/worker.h"
#include "kernel/report/ktap.h"
#include "kernel/console/ktap_ring.h"
#include "kernel/report/selection.h"

#define WORKER_LOG_LEVELS 3u

struct worker_log {
    struct ktap_ring *ring;
    bool at_end;                                                  /* only the summary is left */
    unsigned level;                                               /* of the innermost open block */
    unsigned planned[WORKER_LOG_LEVELS], seen[WORKER_LOG_LEVELS]; /* results of each open block */
    struct ktap_totals totals;                                    /* tests that have a result */
    bool is_in_suite;
    char suite[TEST_NAME_SIZE]; /* name of the open suite */
    unsigned failed_before;     /* failed tests when the suite began */
};

/* Logs what has arrived, up to the summary, and updates *number, the number of the last suite.
 * Returns whether anything had arrived. */
bool worker_log_follow(struct worker_log *log, unsigned *number);

/* Likewise, but stops after so many tests, where a soak begins. Returns whether it got there. */
bool worker_log_follow_tests(struct worker_log *log, size_t tests, unsigned *number);

/* Logs only comments that arrived between two suites; results follow later. */
void worker_log_follow_comments(struct worker_log *log);

/* Logs the summary. */
void worker_log_finish(struct worker_log *log);

/*
 * For a worker that sends no more: logs a result for each planned test that has none. If the worker
 * was lost, its running test fails. Sets the worker's outcome to what the log has.
 */
void worker_log_complete(struct worker_log *log, const struct selection *planned,
                         struct worker *worker, unsigned *number);

#endif
