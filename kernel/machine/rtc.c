/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/rtc.h"

#include "arch/cpu/ground/insn.h"

#define INDEX_PORT 0x70u /* bit 7 clear: NMI enabled */
#define DATA_PORT  0x71u

#define SECONDS       0x00u
#define SECONDS_ALARM 0x01u
#define MINUTES       0x02u
#define MINUTES_ALARM 0x03u
#define HOURS         0x04u
#define HOURS_ALARM   0x05u
#define DAY           0x07u
#define MONTH         0x08u
#define YEAR          0x09u
#define STATUS_A      0x0au
#define STATUS_B      0x0bu
#define STATUS_C      0x0cu

#define FIRST_CENTURY 20u /* boards of today were not set before */
#define LAST_CENTURY  21u

#define MORE_FIRST 0x0du /* of the registers that only some clocks have */
#define MORE_LAST  0x7fu
#define DAY_BITS   0x3fu /* above them register D has the battery's state */
#define ANY_DATE   0x00u

#define A_UPDATING     0x80u
#define A_RATE         0x0fu
#define A_RATE_1024    0x06u /* ticks a second */
#define B_TICK         0x40u
#define B_ALARM        0x20u
#define B_INTERRUPTS   0x70u /* tick, alarm, update */
#define B_BINARY       0x04u
#define B_24_HOURS     0x02u
#define C_INTERRUPT    0x80u
#define HOUR_AFTERNOON 0x80u

#define DAY_SECONDS 86400u
#define LOOKS       20000u /* polls; an update lasts 2 ms, a poll at least a microsecond */

static uint8_t saved[3], saved_a, saved_b;

/* Alarm registers besides the time of day; number 0: none. */
static struct more {
    uint8_t number, saved;
} day, month;

static uint8_t get(uint8_t index)
{
    insn_out8(INDEX_PORT, index);
    return insn_in8(DATA_PORT);
}

static void set(uint8_t index, uint8_t value)
{
    insn_out8(INDEX_PORT, index);
    insn_out8(DATA_PORT, value);
}

static uint32_t decode(uint8_t value, uint8_t status_b)
{
    return (status_b & B_BINARY) != 0 ? value : (value >> 4) * 10u + (value & 15u);
}

static uint8_t encode(uint32_t value, uint8_t status_b)
{
    return (uint8_t)((status_b & B_BINARY) != 0 ? value : (value / 10 << 4 | value % 10));
}

static uint32_t decode_hour(uint8_t value, uint8_t status_b)
{
    if ((status_b & B_24_HOURS) != 0)
        return decode(value, status_b);
    return decode(value & (uint8_t)~HOUR_AFTERNOON, status_b) % 12 +
           ((value & HOUR_AFTERNOON) != 0 ? 12 : 0);
}

static uint8_t encode_hour(uint32_t hour, uint8_t status_b)
{
    if ((status_b & B_24_HOURS) != 0)
        return encode(hour, status_b);
    return (uint8_t)(encode(hour % 12 == 0 ? 12 : hour % 12, status_b) |
                     (hour >= 12 ? HOUR_AFTERNOON : 0));
}

static bool wait_no_update(void)
{
    for (uint32_t looks = LOOKS; looks > 0; looks--) {
        if ((get(STATUS_A) & A_UPDATING) == 0)
            return true;
    }
    return false;
}

/* Seconds since midnight, or DAY_SECONDS if the clock gives no time. */
static uint32_t read_time(uint8_t status_b)
{
    uint32_t seconds, minutes, hours, again;

    for (unsigned attempt = 0; attempt < 4; attempt++) {
        if (!wait_no_update())
            return DAY_SECONDS;
        seconds = decode(get(SECONDS), status_b);
        minutes = decode(get(MINUTES), status_b);
        hours = decode_hour(get(HOURS), status_b);
        again = decode(get(SECONDS), status_b);
        if (again == seconds && seconds < 60 && minutes < 60 && hours < 24)
            return (hours * 60 + minutes) * 60 + seconds;
    }
    return DAY_SECONDS;
}

static bool is_more(uint8_t number)
{
    return number >= MORE_FIRST && number <= MORE_LAST;
}

/* The clock compares the date too; one left by the firmware would suppress the alarm. */
static struct more match_any_date(uint8_t number, uint8_t mask)
{
    struct more more = {.number = number};

    if (!is_more(number))
        return (struct more){0};
    more.saved = get(number) & mask;
    set(number, ANY_DATE);
    return more;
}

static void restore_date(const struct more *more)
{
    if (more->number != 0)
        set(more->number, more->saved);
}

bool rtc_init(uint8_t day_register, uint8_t month_register)
{
    saved_b = get(STATUS_B);
    if (read_time(saved_b) == DAY_SECONDS)
        return false;
    saved_a = get(STATUS_A);
    saved[0] = get(SECONDS_ALARM);
    saved[1] = get(MINUTES_ALARM);
    saved[2] = get(HOURS_ALARM);
    rtc_stop();
    day = match_any_date(day_register, DAY_BITS);
    month = match_any_date(month_register, UINT8_MAX);
    return true;
}

bool rtc_alarm_set(uint32_t seconds)
{
    uint8_t status_b = get(STATUS_B);
    uint32_t time = read_time(status_b);

    if (time == DAY_SECONDS)
        return false;
    /* Adds a second, because the running one is partly over. */
    time = (time + seconds + 1) % DAY_SECONDS;
    set(SECONDS_ALARM, encode(time % 60, status_b));
    set(MINUTES_ALARM, encode(time / 60 % 60, status_b));
    set(HOURS_ALARM, encode_hour(time / 3600, status_b));
    get(STATUS_C); /* an earlier alarm must not keep the line up */
    set(STATUS_B, (uint8_t)((status_b & ~B_INTERRUPTS) | B_ALARM));
    return true;
}

void rtc_tick_start(void)
{
    set(STATUS_A, (uint8_t)((get(STATUS_A) & ~(A_UPDATING | A_RATE)) | A_RATE_1024));
    get(STATUS_C);
    set(STATUS_B, (uint8_t)((get(STATUS_B) & ~B_INTERRUPTS) | B_TICK));
}

void rtc_stop(void)
{
    set(STATUS_B, (uint8_t)(get(STATUS_B) & ~B_INTERRUPTS));
    get(STATUS_C);
}

bool rtc_interrupt_take(void)
{
    return (get(STATUS_C) & C_INTERRUPT) != 0;
}

void rtc_restore(void)
{
    rtc_stop();
    set(SECONDS_ALARM, saved[0]);
    set(MINUTES_ALARM, saved[1]);
    set(HOURS_ALARM, saved[2]);
    restore_date(&day);
    restore_date(&month);
    set(STATUS_A, saved_a & (uint8_t)~A_UPDATING);
    set(STATUS_B, saved_b);
}

static unsigned read_century(uint8_t number, uint8_t status_b)
{
    unsigned century = is_more(number) ? decode(get(number), status_b) : FIRST_CENTURY;

    return century >= FIRST_CENTURY && century <= LAST_CENTURY ? century : FIRST_CENTURY;
}

static bool read_day(uint8_t century_register, uint8_t status_b, struct rtc_date *out)
{
    if (!wait_no_update())
        return false;
    out->day = decode(get(DAY), status_b);
    out->month = decode(get(MONTH), status_b);
    out->year = decode(get(YEAR), status_b) + 100 * read_century(century_register, status_b);
    return true;
}

/* The date, and the time behind it; where midnight came between, both once more. */
bool rtc_read_date(uint8_t century_register, struct rtc_date *out)
{
    uint8_t status_b = get(STATUS_B);
    uint32_t time;

    for (unsigned attempt = 0; attempt < 2; attempt++) {
        if (!read_day(century_register, status_b, out))
            return false;
        time = read_time(status_b);
        if (decode(get(DAY), status_b) == out->day)
            break;
    }
    out->hours = time / 3600;
    out->minutes = time / 60 % 60;
    out->seconds = time % 60;
    return time < DAY_SECONDS;
}

bool rtc_is_date(const struct rtc_date *date)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = date->year % 4 == 0 && (date->year % 100 != 0 || date->year % 400 == 0);

    if (date->month < 1 || date->month > 12)
        return false;
    if (leap && date->month == 2 && date->day == 29)
        return true;
    return date->day >= 1 && date->day <= days[date->month - 1];
}
