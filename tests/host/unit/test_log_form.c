/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the log is compact unless one is asked for: on a real and slow serial line, only there. */
#include "kernel/console/log_form.h"

#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

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

int main(void)
{
    check_slow_lines();
    check_lines_that_take_all();
    check_time();
    check_options();
    return check_result();
}
