/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The alarm of the PC's real-time clock, ports 70H and 71H, and its tick. */
#ifndef KERNEL_MACHINE_RTC_H
#define KERNEL_MACHINE_RTC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * False when there is no clock that ticks. Saves what rtc_restore() puts back. The registers of the
 * alarm's day and month, where the clock has them (FADT); else 0: they are made to match any date.
 */
bool rtc_init(uint8_t day_register, uint8_t month_register);

/* Interrupts once, in seconds to seconds + 1 from now; at most 12 hours. */
bool rtc_alarm_set(uint32_t seconds);

/* Interrupts about every millisecond. */
void rtc_tick_start(void);

/* Neither alarm nor tick any more. */
void rtc_stop(void);

/* Whether the clock has interrupted; asking takes it back, so that it can interrupt again. */
bool rtc_interrupt_take(void);

void rtc_restore(void);

#endif
