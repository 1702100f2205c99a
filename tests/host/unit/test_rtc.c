/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In every format that a real-time clock may be in the alarm is set right, and put back after, and
 * the date is read right. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

static uint8_t cmos[128], index_register;
static bool always_updating;

static uint8_t insn_in8(uint16_t port)
{
    uint8_t value = cmos[index_register & 0x7f];

    if (port != 0x71)
        return 0xff;
    if (index_register == 0x0a)
        return value | (always_updating ? 0x80 : 0);
    if (index_register == 0x0c)
        cmos[0x0c] = 0; /* reading takes it back */
    return value;
}

static void insn_out8(uint16_t port, uint8_t value)
{
    if (port == 0x70)
        index_register = value;
    else
        cmos[index_register & 0x7f] = value;
}

/* The file under test, over the port instructions above instead of the processor's. */
#define ARCH_CPU_GROUND_INSN_H
#include "kernel/machine/rtc.c"

static void set_clock(uint8_t status_b, uint8_t hours, uint8_t minutes, uint8_t seconds)
{
    memset(cmos, 0, sizeof(cmos));
    always_updating = false;
    cmos[0x0a] = 0x26;
    cmos[0x0b] = status_b;
    cmos[0] = seconds;
    cmos[2] = minutes;
    cmos[4] = hours;
    cmos[1] = 0x11;
    cmos[3] = 0x22;
    cmos[5] = 0x33;
}

/* One row: the clock as its registers hold it, the wait, and the alarm registers wanted. */
static void check_alarms(void)
{
    static const struct {
        uint8_t status_b, hours, minutes, seconds;
        uint32_t wait;
        uint8_t alarm_hours, alarm_minutes, alarm_seconds;
    } rows[] = {
        {0x02, 0x12, 0x34, 0x56, 1, 0x12, 0x34, 0x58},  /* BCD, 24 hours */
        {0x02, 0x12, 0x59, 0x58, 10, 0x13, 0x00, 0x09}, /* into the next hour */
        {0x02, 0x23, 0x59, 0x59, 0, 0x00, 0x00, 0x00},  /* into the next day */
        {0x06, 23, 59, 50, 70, 0, 1, 1},                /* binary */
        {0x06, 9, 0, 0, 3599, 10, 0, 0},                /* an hour */
        {0x00, 0x12, 0x00, 0x00, 4, 0x12, 0x00, 0x05},  /* 12 hours: just after midnight */
        {0x00, 0x11, 0x59, 0x59, 0, 0x92, 0x00, 0x00},  /* to noon */
        {0x00, 0x92, 0x59, 0x59, 0, 0x81, 0x00, 0x00},  /* to one in the afternoon */
        {0x00, 0x91, 0x59, 0x59, 0, 0x12, 0x00, 0x00},  /* to midnight */
        {0x04, 0x80 | 11, 59, 59, 0, 12, 0, 0},         /* binary, 12 hours, to midnight */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set_clock(rows[i].status_b, rows[i].hours, rows[i].minutes, rows[i].seconds);
        CHECK(rtc_init(0, 0), "row %zu: no clock", i);
        CHECK(rtc_alarm_set(rows[i].wait), "row %zu: no alarm", i);
        CHECK(cmos[5] == rows[i].alarm_hours && cmos[3] == rows[i].alarm_minutes &&
                  cmos[1] == rows[i].alarm_seconds,
              "row %zu: alarm at %02x:%02x:%02x", i, cmos[5], cmos[3], cmos[1]);
        CHECK(cmos[0x0b] == (rows[i].status_b | 0x20), "row %zu: %02x", i, cmos[0x0b]);
    }
}

static void check_restore(void)
{
    set_clock(0x02, 0x01, 0x02, 0x03);
    CHECK(rtc_init(0, 0), "no clock");
    rtc_tick_start();
    CHECK(cmos[0x0b] == 0x42 && cmos[0x0a] == 0x26, "tick: %02x %02x", cmos[0x0b], cmos[0x0a]);
    rtc_stop();
    CHECK(cmos[0x0b] == 0x02, "stop: %02x", cmos[0x0b]);
    rtc_alarm_set(5);
    cmos[0x0c] = 0xa0;
    CHECK(rtc_interrupt_take() && !rtc_interrupt_take(), "taken once");
    rtc_restore();
    CHECK(cmos[1] == 0x11 && cmos[3] == 0x22 && cmos[5] == 0x33, "alarm registers");
    CHECK(cmos[0x0a] == 0x26 && cmos[0x0b] == 0x02, "status registers");
}

/* Day and month are compared by some clocks: any must do, and the firmware's come back. */
static void check_date(void)
{
    static const struct {
        uint8_t day, month;
        uint8_t then_d, then_7e; /* what the two registers of the clock hold then */
    } rows[] = {
        {0, 0, 0x95, 0x12}, /* it has none */
        {0x0d, 0, 0, 0x12}, /* Intel's */
        {0x0d, 0x7e, 0, 0},
        {0x8d, 0xfe, 0x95, 0x12}, /* what no clock has, and would keep NMIs out */
        {0x0b, 0x0c, 0x95, 0x12}, /* what is something else */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set_clock(0x02, 0x01, 0x02, 0x03);
        cmos[0x0d] = 0x95;
        cmos[0x7e] = 0x12;
        CHECK(rtc_init(rows[i].day, rows[i].month), "row %zu: no clock", i);
        CHECK(rtc_alarm_set(5), "row %zu: no alarm", i);
        CHECK(cmos[0x0d] == rows[i].then_d && cmos[0x7e] == rows[i].then_7e,
              "row %zu: date %02x %02x", i, cmos[0x0d], cmos[0x7e]);
        rtc_restore();
        CHECK((cmos[0x0d] & 0x3f) == 0x15 && cmos[0x7e] == 0x12, "row %zu: then %02x %02x", i,
              cmos[0x0d], cmos[0x7e]);
        CHECK(cmos[0x0a] == 0x26 && cmos[0x0b] == 0x02, "row %zu: status registers", i);
    }
}

static void check_no_clock(void)
{
    struct rtc_date date;

    memset(cmos, 0xff, sizeof(cmos)); /* an open bus */
    CHECK(!rtc_init(0, 0), "a clock where there is none");
    CHECK(!rtc_read_date(0x32, &date), "a date where there is no clock");
    set_clock(0x02, 0x12, 0x00, 0x00);
    always_updating = true;
    CHECK(!rtc_init(0, 0), "a clock that is never done");
    CHECK(!rtc_read_date(0, &date), "a date of one that is never done");
    set_clock(0x02, 0x12, 0x00, 0x77);
    CHECK(!rtc_init(0, 0), "a clock with 77 seconds");
    CHECK(!rtc_read_date(0, &date), "a date with 77 seconds");
}

/* One row: the clock as its registers hold it, where it has the century, and the date. */
static void check_read_date(void)
{
    static const struct {
        uint8_t status_b, century, hours, day, month, year, then_32;
        unsigned full_year, is_day, is_month, is_hours;
    } rows[] = {
        {0x02, 0, 0x12, 0x28, 0x11, 0x26, 0x19, 2026, 28, 11, 12},    /* BCD, without a century */
        {0x02, 0x32, 0x23, 0x09, 0x12, 0x99, 0x21, 2199, 9, 12, 23},  /* with one */
        {0x02, 0x32, 0x00, 0x31, 0x01, 0x26, 0x19, 2026, 31, 1, 0},   /* one that cannot be */
        {0x02, 0x09, 0x00, 0x31, 0x01, 0x21, 0x21, 2021, 31, 1, 0},   /* in the clock's own */
        {0x06, 0x32, 12, 28, 11, 26, 20, 2026, 28, 11, 12},           /* binary */
        {0x00, 0x32, 0x92, 0x28, 0x10, 0x30, 0x20, 2030, 28, 10, 12}, /* noon */
    };
    struct rtc_date date;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set_clock(rows[i].status_b, rows[i].hours, 0, 0x08);
        cmos[7] = rows[i].day;
        cmos[8] = rows[i].month;
        cmos[9] = rows[i].year;
        cmos[0x32] = rows[i].then_32;
        CHECK(rtc_read_date(rows[i].century, &date), "row %zu: no date", i);
        CHECK(date.year == rows[i].full_year && date.month == rows[i].is_month &&
                  date.day == rows[i].is_day && date.hours == rows[i].is_hours &&
                  date.minutes == 0 && date.seconds == 8,
              "row %zu: %u-%u-%u %u:%u:%u", i, date.year, date.month, date.day, date.hours,
              date.minutes, date.seconds);
    }
}

static void check_calendar(void)
{
    static const struct {
        unsigned year, month, day;
        bool is_date;
    } rows[] = {
        {2026, 1, 31, true},  {2026, 2, 28, true},  {2026, 2, 29, false}, {2028, 2, 29, true},
        {2100, 2, 29, false}, {2000, 2, 29, true},  {2026, 4, 31, false}, {2026, 0, 1, false},
        {2026, 13, 1, false}, {2026, 12, 0, false}, {2026, 12, 31, true}, {2026, 255, 1, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct rtc_date date = {
            .year = rows[i].year, .month = rows[i].month, .day = rows[i].day};

        CHECK(rtc_is_date(&date) == rows[i].is_date, "row %zu", i);
    }
}

int main(void)
{
    check_alarms();
    check_restore();
    check_date();
    check_read_date();
    check_calendar();
    check_no_clock();
    return check_result();
}
