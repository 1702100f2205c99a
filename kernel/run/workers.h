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

#include "kernel/run/worker.h"

/*
 * Copies this image into a private image for each worker. Call it before this processor has learned
 * any trait. A processor for whose image there is no memory is reported and left out. run: what
 * each worker executes.
 */
void workers_gather(const struct options *options, worker_run run);

/* Call it instead of workers_gather() if no processor is to be started. It notes whether there
 * would be workers, which workers_are_there() then returns. */
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

/* Has a worker's log lost lines, because it was full? */
bool workers_lost_lines(void);

#endif
