/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of its time does this processor get? A hypervisor whose host is busy takes it away
 * without a trace, and the TSC goes on; so does firmware in system management mode. What a test did
 * not do in time, because it was not given the time, says nothing of the processor.
 */
#ifndef KERNEL_MACHINE_PACE_H
#define KERNEL_MACHINE_PACE_H

/* Below so many percent a time that is up proves nothing. Tests take a thirtieth of theirs. */
#define PACE_STARVED 10u

/* Measures how fast the processor is when nothing interferes. Needs time. */
void pace_init(void);

/* How much work it does compared to that, in percent, at most 100. Takes 400 ms; to be called with
 * tracing and counting off, which would slow it down. */
unsigned pace_percent(void);

#endif
