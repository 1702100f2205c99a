/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Straight code between branches. */
#ifndef TESTS_WORKLOADS_STRETCHES_H
#define TESTS_WORKLOADS_STRETCHES_H

#include <stdint.h>

/* Two branches with more than 65535 core cycles and no other branch between them. */
void slow_stretch(void);
extern const char slow_stretch_behind[]; /* the second of the two */

/* Runs in ring 0. First come jumps, each after at least eight instructions; event_stretch_ends
 * lists their addresses. Then come jumps that follow one another at once; the last of these is
 * event_stretch_chained. */
void event_stretch(void);
extern const uint64_t event_stretch_ends[], event_stretch_ends_end[];
extern const char event_stretch_chained[];

#endif
