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
 * Makes the workers' private images, copies of this image, before it has learned any trait.
 * Processors for which memory is missing are reported and left out. run: what each worker executes.
 */
void workers_gather(const struct options *options, worker_run run);

/* Instead of workers_gather() if no processor is started: notes whether there would be workers, for
 * workers_are_there(). */
void workers_foresee(const struct options *options);
bool workers_are_there(void);

/* Starts all workers (cpu=all). */
void workers_send_all(void);

/*
 * Logs the workers' tests, one worker after another, and starts each that is not started. Updates
 * *number, the number of the last suite. Handles workers that hang meanwhile.
 */
void workers_run(unsigned *number);

/* Between two draws of a soak: logs the tests that workers have run so far. */
void workers_print_tests(unsigned *number);

/* Handles a worker that hangs; call it regularly while workers run. */
void workers_look(void);

/* Logs the workers' summaries. */
void workers_sum_up(void);

/* Reads a variable of this kernel from the worker's private image, once it is done or lost. */
bool worker_read(const struct worker *worker, const void *variable, void *out, size_t size);

/* Have workers lost log lines, for want of room? */
bool workers_lost_lines(void);

#endif
