/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the log is compact unless one is asked for: on a real and slow serial line, only there. The
 * checksum of a line: every single damage shows, and so does a line in another's place. */
#include "kernel/console/log_form.h"

#include "tests/host/unit/check.h"

#define REAL .is_there = true, .is_measured = true

static const char *why;

static enum log_form of(enum log_form asked, struct log_line line)
{
    return log_form_of(asked, &line, &why);
}

static void check_slow_lines(void)
{
    CHECK(of(LOG_AUTO, (struct log_line){REAL, .nanoseconds = 87300}) == LOG_COMPACT, "%s", why);
    CHECK_TEXT(why, "the serial line takes 87 us for a byte");
    CHECK(of(LOG_AUTO, (struct log_line){REAL, .nanoseconds = 43403}) == LOG_COMPACT, "%s", why);
    CHECK(of(LOG_AUTO, (struct log_line){.is_there = true}) == LOG_COMPACT, "%s", why);
    CHECK_TEXT(why, "a serial line whose speed could not be measured");
}

static void check_lines_that_take_all(void)
{
    CHECK(of(LOG_AUTO, (struct log_line){REAL, .nanoseconds = 21701}) == LOG_FULL, "%s", why);
    CHECK_TEXT(why, "the serial line takes no time");
    CHECK(of(LOG_AUTO, (struct log_line){0}) == LOG_FULL, "%s", why);
    CHECK_TEXT(why, "no serial line");
    CHECK(of(LOG_AUTO, (struct log_line){REAL, .nanoseconds = 87300, .has_debugcon = true}) ==
              LOG_FULL,
          "%s", why);
    CHECK_TEXT(why, "there is a debug console");
    CHECK(of(LOG_AUTO, (struct log_line){REAL, .nanoseconds = 87300, .has_hypervisor = true}) ==
              LOG_FULL,
          "%s", why);
    CHECK_TEXT(why, "there is a hypervisor");
}

/* Where nothing is known it is believed to be real, but for what a hypervisor makes. */
static void check_time(void)
{
    CHECK(log_line_takes(&(struct log_line){REAL, .nanoseconds = 87300}) == 87300, "real");
    CHECK(log_line_takes(&(struct log_line){REAL, .nanoseconds = 21701}) == 0, "emulated");
    CHECK(log_line_takes(&(struct log_line){.is_there = true}) == 86806, "not measured");
    CHECK(log_line_takes(&(struct log_line){.is_there = true, .has_hypervisor = true}) == 0,
          "not measured, and a hypervisor's");
    CHECK(log_line_takes(&(struct log_line){.nanoseconds = 87300}) == 0, "none");
}

static void check_options(void)
{
    CHECK(of(LOG_FULL, (struct log_line){REAL, .nanoseconds = 87300}) == LOG_FULL, "%s", why);
    CHECK(of(LOG_COMPACT, (struct log_line){.has_hypervisor = true}) == LOG_COMPACT, "%s", why);
    CHECK_TEXT(why, "as asked for");
}

/* Values of Python's binascii.crc_hqx(number + text, 0xffff). */
static void check_sums(void)
{
    CHECK(line_sum(0x3231, "3456789", 7) == 0x29b1, "the standard's own example");
    CHECK(line_sum(0, "KTAP version 1", 14) == 0x5fad, "%x", line_sum(0, "KTAP version 1", 14));
    CHECK(line_sum(0, "", 0) == 0x1d0f, "%x", line_sum(0, "", 0));
    CHECK(line_sum(0x10000, "x", 1) == line_sum(0, "x", 1), "more than the low two bytes count");
}

static void check_every_flip(void)
{
    char text[] = "    ok 12 tr1_bts1 # SKIP no DS";
    size_t length = sizeof(text) - 1;
    uint16_t good = line_sum(77, text, length);

    for (size_t bit = 0; bit < length * 8; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        CHECK(line_sum(77, text, length) != good, "bit %zu", bit);
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < length; cut++)
        CHECK(line_sum(77, text, cut) != good, "cut to %zu", cut);
}

static void check_every_number(void)
{
    uint16_t good = line_sum(77, "ok 1 a", 6);

    for (uint32_t number = 0; number < 0x10000; number++)
        CHECK((line_sum(number, "ok 1 a", 6) == good) == (number == 77), "number %u", number);
}

int main(void)
{
    check_slow_lines();
    check_lines_that_take_all();
    check_time();
    check_options();
    check_sums();
    check_every_flip();
    check_every_number();
    return check_result();
}
