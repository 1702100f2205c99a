/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a setting of Table 17-6 hold from the WRMSR that makes it, where TR was set already? The
 * write is serializing (F2.5), so that the transfer before it goes by the old setting and the one
 * after it by the new.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/mode.h"
#include "tests/oracle/row_check.h"
#include "tests/oracle/trace_check.h"
#include "tests/run/run.h"

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

enum half { FIRST_HALF, SECOND_HALF };

static const struct program *half_of(const struct program *program, enum half half)
{
    static struct program part;
    size_t first_count = 1 + (size_t)(switched_truth - workload_switched.truth); /* and the CALL */
    size_t start = half == FIRST_HALF ? 0 : first_count;

    part = *program;
    part.count = half == FIRST_HALF ? first_count : program->count - first_count;
    __builtin_memcpy(part.truth, program->truth + start, part.count * sizeof part.truth[0]);
    return &part;
}

/* Settles the readings of the setting, which the halves of the others need. */
static bool check_constant(struct test_context *t, uint64_t debugctl)
{
    const struct program *program = program_that_sets(debugctl);
    const struct run run = {
        .debugctl = debugctl,
        .layout = {.records = ROOMY_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };
    struct observation got;

    return run_program(t, program, &run, &got) && trace_check(t, &run, &got);
}

static void check_change(struct test_context *t, uint64_t before, uint64_t after)
{
    const struct program *program = program_that_sets(after);
    const struct run run = {
        .debugctl = before,
        .layout = {.records = ROOMY_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };
    const struct expected *expected;
    struct observation got;
    size_t count;
    bool held;

    if (!run_program(t, program, &run, &got))
        return;
    expected = expected_of(t, half_of(program, FIRST_HALF), before, NULL);
    if (!expected)
        return;
    count = expected->count < got.count ? expected->count : got.count;
    held = compare_records(t, expected, before, got.records, count);
    expected = expected_of(t, half_of(program, SECOND_HALF), after, NULL);
    held = held && expected &&
           compare_records(t, expected, after, got.records + count, got.count - count);
    if (!held)
        test_note(t, "IA32_DEBUGCTL was 0x%lx, and became 0x%lx half way", before, after);
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
            check_change(t, settings[i], after);
}

static void check_settings(struct test_context *t, uint64_t bits)
{
    for (size_t i = 0; i < SETTINGS; i++) {
        if (settings[i] & ~bits)
            continue;
        begin(t, "always", settings[i]);
        is_right[i] = check_constant(t, settings[i]);
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

/* 0 after a test_fail(). */
static size_t stored_in_first_half(struct test_context *t, uint64_t debugctl)
{
    const struct expected *expected =
        expected_of(t, half_of(program_that_sets(debugctl), FIRST_HALF), debugctl, NULL);

    return expected ? expected->count : 0;
}

/* From here on a nearly full buffer interrupts. */
static void check_set(struct test_context *t, uint64_t debugctl)
{
    struct row_run run = {
        .before = debugctl,
        .after = debugctl | BTINT,
        .records = ROOMY_RECORDS,
        .threshold = stored_in_first_half(t, debugctl) + FURTHER,
    };

    run.program = program_that_sets(run.after);
    row_check_nearly_full(t, &run);
}

/* The buffer is not full yet then, whatever becomes of a full one with BTINT set (F5.5). */
static void check_clear(struct test_context *t, uint64_t debugctl)
{
    struct row_run run = {
        .before = debugctl | BTINT,
        .after = debugctl,
        .records = stored_in_first_half(t, debugctl) + 2,
    };

    run.program = program_that_sets(run.after);
    row_check_circular(t, &run);
}

static void check_btint(struct test_context *t, uint64_t debugctl)
{
    begin(t, "always", debugctl);
    check_constant(t, debugctl);
    test_end(t);
    begin(t, "to", debugctl | BTINT);
    check_set(t, debugctl);
    test_end(t);
    begin(t, "to", debugctl);
    check_clear(t, debugctl);
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
