/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs in ring 0. First come jumps, each after at least eight instructions; event_stretch_ends
 * lists their addresses. Then come jumps that follow one another at once; the last of these is
 * event_stretch_chained. */
#ifndef TESTS_WORKLOADS_EVENT_STRETCH_H
#define TESTS_WORKLOADS_EVENT_STRETCH_H

#include <stdint.h>

void event_stretch(void);
extern const uint64_t event_stretch_ends[], event_stretch_ends_end[];
extern const char event_stretch_chained[];

#endif
