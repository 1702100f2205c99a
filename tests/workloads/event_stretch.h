/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring 0: jumps, each behind eight instructions or more; a list of where they are. And the last of
 * those behind them that follow one another at once. */
#ifndef TESTS_WORKLOADS_EVENT_STRETCH_H
#define TESTS_WORKLOADS_EVENT_STRETCH_H

#include <stdint.h>

void event_stretch(void);
extern const uint64_t event_stretch_ends[], event_stretch_ends_end[];
extern const char event_stretch_chained[];

#endif
