/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time in TSC ticks, and deadlines. The TSC's rate is measured once against the PIT or the ACPI PM
 * timer (F14.12), else taken from CPUID, else assumed.
 */
#ifndef KERNEL_MACHINE_TIME_H
#define KERNEL_MACHINE_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/wait.h"

/* Needs features_probe(), and paging_init() for the ACPI tables. Takes some 20 ms. */
void time_init(void);

/* The first says in words how the rate was found. The second says whether the rate is known; if it
 * is only assumed, it may be wrong by a factor. */
const char *time_source(void);
bool time_rate_is_known(void);

uint64_t time_tsc_per_microsecond(void);
uint64_t time_now(void); /* TSC ticks */
uint64_t time_microseconds_since(uint64_t start_tsc);

/* deadline = time_deadline_microseconds(500); while (!done && !time_passed(deadline)) … */
uint64_t time_deadline_microseconds(uint64_t microseconds);
bool time_passed(uint64_t deadline_tsc);

/* A wait that counts only the time this processor had: see arch/cpu/ground/wait.h. */
struct wait time_wait(uint64_t microseconds);

/*
 * For how much of the time does this processor run? A hypervisor on a busy host, or firmware in
 * system management mode, may take it away unseen while the TSC goes on. A test that timed out
 * because of that says nothing about the processor.
 */

/* Below this percentage a time-out proves nothing. Tests need a thirtieth of their timeout. */
#define PACE_STARVED 10u

/* Measures the speed without interference. Needs time_init(). */
void pace_init(void);

/* Present speed in percent of that of pace_init(), at most 100. Takes 400 ms. Tracing and counting
 * must be off, because they slow the processor down. */
unsigned pace_percent(void);

#endif
