/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alarm and periodic tick of the PC's real-time clock, ports 70H and 71H. */
#ifndef KERNEL_MACHINE_RTC_H
#define KERNEL_MACHINE_RTC_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Saves what rtc_restore() puts back. The parameters are the numbers of the registers for the
 * alarm's day and month, from the FADT, 0 if absent; these registers are set to match any date.
 * Returns false if there is no ticking clock.
 */
bool rtc_init(uint8_t day_register, uint8_t month_register);

/* Raises one interrupt, `seconds` to `seconds` + 1 seconds from now; at most 12 hours. Returns
 * false if the clock gives no time. */
bool rtc_alarm_set(uint32_t seconds);

/* Raises an interrupt about every millisecond. */
void rtc_tick_start(void);

/* Stops alarm and tick. */
void rtc_stop(void);

/* Has the clock raised an interrupt? Clears it, so that the clock can raise another. */
bool rtc_interrupt_take(void);

void rtc_restore(void);

#endif
