/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Date, alarm and periodic tick of the PC's real-time clock, ports 70H and 71H. */
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

struct rtc_date {
    unsigned year, month, day, hours, minutes, seconds;
};

/* Reads date and time, as the board's owner set them: UTC or local (F14.19). century_register: as
 * for rtc_init(); without one the years are 2000 to 2099. Returns false if the clock gives no time.
 * Does not check that there is such a date. */
bool rtc_read_date(uint8_t century_register, struct rtc_date *out);

/* Is it a date of a calendar, from 2000 on? */
bool rtc_is_date(const struct rtc_date *date);

#endif
