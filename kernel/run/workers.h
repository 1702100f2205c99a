/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workers: the other processors on which tests run (cpu=). Each runs its tests in a private image
 * (arch/cpu/memory/private_image.h) as if it had booted, with its own runner, watchdog, panic,
 * performance interrupt and learned traits. The processor that booted makes the images, starts the
 * workers one after another or all at once, and writes their logs into its own. It names a worker
 * that hangs and abandons it, while the others continue.
 */
#ifndef KERNEL_RUN_WORKERS_H
#define KERNEL_RUN_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/ktap.h"
#include "kernel/report/selection.h"
#include "kernel/run/worker.h"

/*
 * Copies this image into a private image for each worker. Call it before this processor has learned
 * any trait. A processor for whose image there is no memory is reported and left out. run: what
 * each worker executes.
 */
void workers_gather(const struct options *options, worker_run run);

/* Call this instead of workers_gather() if no processor is to be started. workers_are_there() then
 * tells whether there would be workers. */
void workers_foresee(const struct options *options);
bool workers_are_there(void);

/* Starts all workers (cpu=all). */
void workers_send_all(void);

/* For one worker after another: starts it if it is not started, and logs its tests until it ends.
 * Updates *number, the number of the last suite. Calls workers_look() meanwhile. */
void workers_run(unsigned *number);

/* Call it between two draws of a soak. Logs the tests that workers have run so far. */
void workers_print_tests(unsigned *number);

/* Handles a worker that hangs; call it regularly while workers run. */
void workers_look(void);

/* Logs the workers' summaries. */
void workers_sum_up(void);

/* Reads the worker's copy of a variable of this kernel. The worker must be done or lost. */
bool worker_read(const struct worker *worker, const void *variable, void *out, size_t size);

/* Has a worker's log lost lines, because the ring was full? */
bool workers_lost_lines(void);

/* Why cpu= cannot be met, because a processor that it asks for is not there; or NULL. */
const char *workers_obstacle(const struct options *options);

#define WORKER_LOG_LEVELS 3u

/* Repeats a worker's log in the main log as it arrives, and completes it if the worker is lost. */
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
 * Returns true if anything had arrived. */
bool worker_log_follow(struct worker_log *log, unsigned *number);

/* The same, but stops after so many tests, where a soak begins. Returns true if it got there. */
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
