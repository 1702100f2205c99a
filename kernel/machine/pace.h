/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of its time does this processor get? A hypervisor on a busy host, or firmware in system
 * management mode, may take it away unseen while the TSC goes on. A test that timed out because of
 * that says nothing about the processor.
 */
#ifndef KERNEL_MACHINE_PACE_H
#define KERNEL_MACHINE_PACE_H

/* Below this percentage a time-out proves nothing. Tests take a thirtieth of their time. */
#define PACE_STARVED 10u

/* Measures the speed without interference. Needs time_init(). */
void pace_init(void);

/* Present speed in percent of that, at most 100. Takes 400 ms. Tracing and counting must be off,
 * because they slow the processor down. */
unsigned pace_percent(void);

#endif
