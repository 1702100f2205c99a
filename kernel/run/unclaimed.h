/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs interrupts that nobody claims. More than a thousand in a second or ten thousand in all end
 * the run, because tests can no longer be judged.
 */
#ifndef KERNEL_RUN_UNCLAIMED_H
#define KERNEL_RUN_UNCLAIMED_H

#include <stdint.h>

/* The most that may come in a second, and in all. */
#define UNCLAIMED_SECOND_MOST 1000u
#define UNCLAIMED_MOST        10000u

struct trap_frame;

/* Starts watching for storms, on all processors. storm ends the run; what describes the storm, and
 * frame is the last interrupt's, NULL if it came on another processor. */
void unclaimed_start(void (*storm)(struct trap_frame *frame, const char *what));

/* Stops watching, because the run is ending. */
void unclaimed_stop(void);

/* Between two tests: prints a line for each vector that is new since the last call. Ends the run if
 * a storm came on another processor. */
void unclaimed_print_new(unsigned level);

/* Prints "# unclaimed: vector 0x31 x3, NMI x1", or nothing if there were none. */
void unclaimed_print_all(void);

#endif
