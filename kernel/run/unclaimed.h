/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the log says of interrupts that nobody claims, and when they are too many: more than a
 * thousand in a second or ten thousand in all end the run, for no test can be judged any more.
 */
#ifndef KERNEL_RUN_UNCLAIMED_H
#define KERNEL_RUN_UNCLAIMED_H

#include <stdint.h>

/* How many may come in a second, and in all. */
#define UNCLAIMED_SECOND_MOST 1000u
#define UNCLAIMED_MOST        10000u

struct trap_frame;

/* From now on; storms are looked for on the processor that booted and on the others. storm ends the
 * run by one, what says it; frame: of the last, NULL where it was another processor's. */
void unclaimed_start(void (*storm)(struct trap_frame *frame, const char *what));

/* From now on none is too many: the run is ending. */
void unclaimed_stop(void);

/* Between two tests: a line for each vector that came for the first time since the last call. A
 * storm on another processor ends the run here. */
void unclaimed_print_new(unsigned level);

/* "# unclaimed: vector 0x31 x3, NMI x1"; nothing where there were none. */
void unclaimed_print_all(void);

#endif
