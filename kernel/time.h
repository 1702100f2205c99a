/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in TSC ticks, measured once against the PIT or the ACPI PM timer, and deadlines (F14.12). */
#ifndef KERNEL_TIME_H
#define KERNEL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Needs paging_init(), for the ACPI tables. Takes some 40 ms. */
void time_init(void);

/* How the rate was found, in words. */
const char *time_source(void);

uint64_t time_tsc_per_microsecond(void);
uint64_t time_now(void); /* TSC ticks */
uint64_t time_microseconds_since(uint64_t start_tsc);

/* deadline = time_deadline_microseconds(500); while (!done && !time_passed(deadline)) … */
uint64_t time_deadline_microseconds(uint64_t microseconds);
bool time_passed(uint64_t deadline_tsc);

#endif
