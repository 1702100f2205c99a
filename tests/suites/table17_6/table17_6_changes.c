/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a setting of Table 17-6 hold from the WRMSR that makes it, where TR was set already? The
 * write is serializing (F2.5), so that the transfer before it goes by the old setting and the one
 * after it by the new.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/bts_check.h"
#include "tests/spec/mode.h"
#include "tests/spec/observe.h"

#define TR      DEBUGCTL_TR
#define STORING (DEBUGCTL_TR | DEBUGCTL_BTS)
#define OFF_OS  DEBUGCTL_BTS_OFF_OS
#define OFF_USR DEBUGCTL_BTS_OFF_USR
#define BTINT   DEBUGCTL_BTINT

#define ROOMY_RECORDS 128
#define FURTHER       3 /* records of the second half until the buffer is nearly full */

/* One of each row that has TR set. */
static const uint64_t settings[] = {
    TR,
    STORING,
    STORING | OFF_OS,
    STORING | OFF_USR,
    STORING | OFF_OS | OFF_USR,
    STORING | BTINT,
    STORING | OFF_OS | BTINT,
    STORING | OFF_USR | BTINT,
};

#define SETTINGS COUNT_OF(settings)

static const struct program *program_that_sets(uint64_t debugctl)
{
    static struct program program;

    program = *program_of_workload(&workload_switched);
    program.argument = debugctl;
    return &program;
}

/* The first half of the program runs under `before`, the second one under `after`. */
static bool check(struct test_context *t, uint64_t before, uint64_t after, size_t records,
                  size_t threshold)
{
    const struct run run = {.debugctl = before,
                            .layout = {.records = records, .threshold = threshold},
                            .policy = PMI_COUNT};
    bool held = observe_run(t, program_that_sets(after), &run);

    if (!held)
        test_note(t, "IA32_DEBUGCTL was 0x%lx, and became 0x%lx half way", before, after);
    return held;
}

static void begin(struct test_context *t, const char *what, uint64_t debugctl)
{
    test_begin(t, mode_row_of(debugctl)->claim, "%s_bts%u_bts_off_os%u_bts_off_usr%u_btint%u", what,
               !!(debugctl & DEBUGCTL_BTS), !!(debugctl & OFF_OS), !!(debugctl & OFF_USR),
               !!(debugctl & BTINT));
}

/* Starts only from settings that are right by themselves, so that a failure is the new
 * setting's. */
static bool is_right[SETTINGS];

static void check_changes_to(struct test_context *t, uint64_t after, uint64_t bits)
{
    for (size_t i = 0; i < SETTINGS && !test_has_failed(t); i++)
        if (settings[i] != after && !(settings[i] & ~bits) && is_right[i])
            check(t, settings[i], after, ROOMY_RECORDS, BTS_NO_THRESHOLD);
}

static void check_settings(struct test_context *t, uint64_t bits)
{
    for (size_t i = 0; i < SETTINGS; i++) {
        if (settings[i] & ~bits)
            continue;
        begin(t, "always", settings[i]);
        is_right[i] = check(t, settings[i], settings[i], ROOMY_RECORDS, BTS_NO_THRESHOLD);
        test_end(t);
    }
    for (size_t i = 0; i < SETTINGS; i++) {
        if (settings[i] & ~bits)
            continue;
        begin(t, "to", settings[i]);
        check_changes_to(t, settings[i], bits);
        test_end(t);
    }
}

TEST(table17_6, changes_without_cpl_bits, CLAIMS("T17-6.2", "T17-6.3", "T17-6.7"),
     NEEDS(BTS, SYSCALL))
{
    test_plan(t, 2 * 3);
    check_settings(t, STORING | BTINT);
}

TEST(table17_6, changes,
     CLAIMS("T17-6.2", "T17-6.3", "T17-6.4", "T17-6.5", "T17-6.6", "T17-6.7", "T17-6.8", "T17-6.9"),
     NEEDS(BTS, DS_CPL, SYSCALL))
{
    test_plan(t, 2 * SETTINGS);
    check_settings(t, DEBUGCTL_TABLE_17_6);
}

/* --- BTINT: the interrupt, or the circle, is the second half's --- */

static size_t stored_in_first_half(struct test_context *t, uint64_t debugctl)
{
    static struct program half;

    half = *program_that_sets(debugctl);
    half.count = program_write(&half).before;
    return bts_check_stored(t, &half, debugctl);
}

/* The buffer is not full yet when it becomes circular, whatever becomes of a full one with BTINT
 * set (F5.5). */
static void check_btint(struct test_context *t, uint64_t debugctl)
{
    size_t stored;

    begin(t, "always", debugctl);
    check(t, debugctl, debugctl, ROOMY_RECORDS, BTS_NO_THRESHOLD);
    test_end(t);
    stored = stored_in_first_half(t, debugctl);
    begin(t, "to", debugctl | BTINT);
    check(t, debugctl, debugctl | BTINT, ROOMY_RECORDS, stored + FURTHER);
    test_end(t);
    begin(t, "to", debugctl);
    check(t, debugctl | BTINT, debugctl, stored + 2, BTS_NO_THRESHOLD);
    test_end(t);
}

TEST(table17_6, btint_changes, CLAIMS("T17-6.3", "T17-6.7"), NEEDS(BTS, PMI, SYSCALL))
{
    test_plan(t, 3);
    check_btint(t, STORING);
}

TEST(table17_6, btint_changes_with_off_bits, CLAIMS("T17-6.4", "T17-6.5", "T17-6.8", "T17-6.9"),
     NEEDS(BTS, DS_CPL, PMI, SYSCALL))
{
    test_plan(t, 6);
    check_btint(t, STORING | OFF_OS);
    check_btint(t, STORING | OFF_USR);
}
