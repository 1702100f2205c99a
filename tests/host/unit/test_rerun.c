/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the line that runs a failed test again. */
#include "kernel/report/context.h"

#include "kernel/settings.h"
#include "tests/host/unit/check.h"

static char text[1024];

static const char *options(const char *line, uint64_t seed, uint64_t repeat)
{
    rerun_set_command_line(line);
    return rerun_options(seed, repeat, text, sizeof(text));
}

static void check_words(void)
{
    CHECK_TEXT(options("", OPTIONS_SEED, 0), "");
    CHECK_TEXT(options("test=a.b,c.d list", OPTIONS_SEED, 0), " ARGS=list");
    CHECK_TEXT(options("  test=a.b\tlab=machine-check ", OPTIONS_SEED, 0), "");
    CHECK_TEXT(options("timeout=5", OPTIONS_SEED, 0), " ARGS=timeout=5");
    CHECK_TEXT(options("smi=never\ttest=x  apic=x2apic", OPTIONS_SEED, 0),
               " ARGS='smi=never apic=x2apic'");
    CHECK_TEXT(options("console=serial:com2,9600,screen exit=halt smi=allow", OPTIONS_SEED, 0),
               " ARGS=smi=allow");
    CHECK_TEXT(options("lab=none", OPTIONS_SEED, 0), " ARGS=lab=none");
    CHECK_TEXT(options("lab=none,machine-check", OPTIONS_SEED, 0), "");
    CHECK_TEXT(options("repeat", OPTIONS_SEED, 1), " ARGS=repeat");
    CHECK_TEXT(options("retest=9 log=full", OPTIONS_SEED, 0), " ARGS=log=full");
}

static void check_seeds(void)
{
    CHECK_TEXT(options("repeat=9", OPTIONS_SEED, 0), " ARGS=repeat=9");
    CHECK_TEXT(options("repeat=9", OPTIONS_SEED, 1), "");
    CHECK_TEXT(options("repeat=9 seed=3", 3, 0), " ARGS='repeat=9 seed=0x3'");
    CHECK_TEXT(options("repeat=9 seed=3", 0x77, 1), " ARGS=seed=0x77");
    CHECK_TEXT(options("seed=3", OPTIONS_SEED, 0), "");
    CHECK_TEXT(options("repeat=9", OPTIONS_SEED, 4), " ARGS=repeat=4");
    CHECK_TEXT(options("repeat=365d,first-failure cpu=all", 7, 4),
               " ARGS='cpu=all repeat=4 seed=0x7'");
    CHECK_TEXT(options("repeat=8h", OPTIONS_SEED, 0), "");
}

static void check_room(void)
{
    char small[12];

    rerun_set_command_line("timeout=5 apic=x2apic");
    rerun_options(1, 0, small, sizeof(small));
    CHECK(strlen(small) < sizeof(small), "%zu bytes", strlen(small));
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    rerun_set_command_line(text);
    rerun_options(1, 0, small, sizeof(small));
    CHECK(strlen(small) < sizeof(small), "%zu bytes", strlen(small));
}

int main(void)
{
    check_words();
    check_seeds();
    check_room();
    return check_result();
}
