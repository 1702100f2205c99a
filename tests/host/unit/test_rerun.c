/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/rerun.c kernel/words.c arch/lib/printf.c */
/* The options of the line that runs a failed test again. */
#include "kernel/rerun.h"

#include "kernel/options.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

static char text[1024];

static const char *options(const char *line, uint64_t seed, bool is_first)
{
    rerun_set_command_line(line);
    return rerun_options(seed, is_first, text, sizeof(text));
}

static void check_words(void)
{
    CHECK_TEXT(options("", OPTIONS_SEED, false), "");
    CHECK_TEXT(options("test=a.b,c.d list", OPTIONS_SEED, false), " ARGS=list");
    CHECK_TEXT(options("  test=a.b\tlab=machine-check ", OPTIONS_SEED, false), "");
    CHECK_TEXT(options("timeout=5", OPTIONS_SEED, false), " ARGS=timeout=5");
    CHECK_TEXT(options("smi=never\ttest=x  apic=x2apic", OPTIONS_SEED, false),
               " ARGS='smi=never apic=x2apic'");
    CHECK_TEXT(options("console=serial:com2,9600,screen exit=halt smi=allow", OPTIONS_SEED, false),
               " ARGS=smi=allow");
    CHECK_TEXT(options("lab=none", OPTIONS_SEED, false), " ARGS=lab=none");
    CHECK_TEXT(options("lab=none,machine-check", OPTIONS_SEED, false), "");
    CHECK_TEXT(options("repeat", OPTIONS_SEED, true), " ARGS=repeat");
}

static void check_seeds(void)
{
    CHECK_TEXT(options("repeat=9", OPTIONS_SEED, false), " ARGS=repeat=9");
    CHECK_TEXT(options("repeat=9", OPTIONS_SEED, true), "");
    CHECK_TEXT(options("repeat=9 seed=3", 3, false), " ARGS='repeat=9 seed=0x3'");
    CHECK_TEXT(options("repeat=9 seed=3", 0x77, true), " ARGS=seed=0x77");
    CHECK_TEXT(options("seed=3", OPTIONS_SEED, false), "");
}

static void check_room(void)
{
    char small[12];

    rerun_set_command_line("timeout=5 apic=x2apic");
    rerun_options(1, false, small, sizeof(small));
    CHECK(strlen(small) < sizeof(small), "%zu bytes", strlen(small));
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    rerun_set_command_line(text);
    rerun_options(1, false, small, sizeof(small));
    CHECK(strlen(small) < sizeof(small), "%zu bytes", strlen(small));
}

int main(void)
{
    check_words();
    check_seeds();
    check_room();
    return check_result();
}
