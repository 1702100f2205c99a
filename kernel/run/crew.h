/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workers: the other processors on which tests run (cpu=). Each runs its tests in a private image
 * (arch/cpu/memory/world.h) as if it had booted, with its own runner, watchdog, panic, performance
 * interrupt and learned traits. The processor that booted makes the images, starts the workers one
 * after another or all at once, and writes their logs into its own. It names a worker that hangs
 * and abandons it, while the others continue.
 */
#ifndef KERNEL_RUN_CREW_H
#define KERNEL_RUN_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/run/crew_member.h"

/*
 * Makes the workers' private images, copies of this image, before it has learned any trait.
 * Processors for which memory is missing are reported and left out. run: what each worker executes.
 */
void crew_gather(const struct options *options, member_run run);

/* Instead of crew_gather() if no processor is started: notes whether there would be workers, for
 * crew_is_there(). */
void crew_foresee(const struct options *options);
bool crew_is_there(void);

/* Starts all workers (cpu=all). */
void crew_send_all(void);

/*
 * Logs the workers' tests, one worker after another, and starts each that is not started. Updates
 * *number, the number of the last suite. Handles workers that hang meanwhile.
 */
void crew_run(unsigned *number);

/* Between two draws of a soak: logs the tests that workers have run so far. */
void crew_tell_tests(unsigned *number);

/* Handles a worker that hangs; call it regularly while workers run. */
void crew_look(void);

/* Logs the workers' summaries. */
void crew_sum_up(void);

/* Reads a variable of this kernel from the worker's private image, once it is done or lost. */
bool crew_read(const struct member *member, const void *variable, void *out, size_t size);

/* Have workers lost log lines, for want of room? */
bool crew_lost_lines(void);

#endif
