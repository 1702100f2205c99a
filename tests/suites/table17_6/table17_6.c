/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each of the 32 settings of TR, BTS, BTS_OFF_OS, BTS_OFF_USR and BTINT do what Table 17-6
 * says?
 *
 * The workload branches in ring 0, crosses to ring 3, branches there and comes back, by every way
 * there is. The rows themselves are data, in tests/spec/mode.c.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/spec/mode.h"
#include "tests/spec/observe.h"

SUITE(table17_6, .order = -4,
      .grid = {.tests = "encodings*",
               .title = "Table 17-6",
               .rows = "TR BTS",
               .columns = "BTS_OFF_OS, BTS_OFF_USR, BTINT",
               .digits = "TR BTS OFF_OS OFF_USR"});

#define ENCODINGS 32

/* Whole trace: more room than the workload has branches. Nearly full: fewer records than any row
 * stores. */
#define ROOMY_RECORDS    128
#define NEARLY_THRESHOLD 5
#define LAP_RECORDS      7

static const uint64_t column_bits[] = {DEBUGCTL_TR, DEBUGCTL_BTS, DEBUGCTL_BTS_OFF_OS,
                                       DEBUGCTL_BTS_OFF_USR, DEBUGCTL_BTINT};

/* Column 0 (TR) is the highest bit, so that the numbers run as the table reads. */
static uint64_t debugctl_of_encoding(unsigned encoding)
{
    uint64_t value = 0;

    for (unsigned column = 0; column < 5; column++)
        if (encoding >> (4 - column) & 1)
            value |= column_bits[column];
    return value;
}

static void check(struct test_context *t, uint64_t debugctl, size_t records, size_t threshold)
{
    const struct run run = {.debugctl = debugctl,
                            .layout = {.records = records, .threshold = threshold},
                            .policy = PMI_COUNT};

    observe_run(t, program_of_workload(&workload_rings), &run);
}

static void check_encoding(struct test_context *t, uint64_t debugctl)
{
    const struct mode_row *row = mode_row_of(debugctl);

    test_note(t, "row %s: %s", row->claim, row->meaning);
    check(t, debugctl, ROOMY_RECORDS, BTS_NO_THRESHOLD);
    if (!row->stores)
        check(t, debugctl, ROOMY_RECORDS, 1);
    else if (row->interrupts)
        check(t, debugctl, ROOMY_RECORDS, NEARLY_THRESHOLD);
    else
        check(t, debugctl, LAP_RECORDS, BTS_NO_THRESHOLD);
}

static unsigned dont_cares(const struct mode_row *row)
{
    unsigned count = 0;

    for (unsigned column = 0; column < 5; column++)
        count += !(row->care & column_bits[column]);
    return count;
}

TEST(table17_6, rows_cover_every_encoding_once, CLAIMS("T17-6.1", "T17-6.2", "T17-6.6"), NEEDS())
{
    unsigned row_size[MODE_ROWS] = {0}, total = 0;

    for (unsigned encoding = 0; encoding < ENCODINGS; encoding++) {
        uint64_t debugctl = debugctl_of_encoding(encoding);

        EXPECT(t, SETUP, mode_count_rows(debugctl) == 1, "encoding %u falls in %u rows", encoding,
               mode_count_rows(debugctl));
        if (mode_row_of(debugctl))
            row_size[mode_row_of(debugctl) - mode_rows]++;
    }
    for (unsigned row = 0; row < MODE_ROWS; row++) {
        EXPECT_EQUAL(t, SETUP, mode_rows[row].claim, row_size[row],
                     1u << dont_cares(&mode_rows[row]));
        total += row_size[row];
    }
    EXPECT_EQUAL(t, SETUP, "encodings in all rows", total, ENCODINGS);
}

static void check_encodings(struct test_context *t, uint64_t bits)
{
    TEST_EACH_WHERE(t, encoding, 0u, ENCODINGS, !(debugctl_of_encoding(encoding) & ~bits),
                    mode_row_of(debugctl_of_encoding(encoding))->claim,
                    "tr%u_bts%u_bts_off_os%u_bts_off_usr%u_btint%u", encoding >> 4 & 1,
                    encoding >> 3 & 1, encoding >> 2 & 1, encoding >> 1 & 1, encoding & 1)
        check_encoding(t, debugctl_of_encoding(encoding));
}

/* The eight settings that a processor without CPL qualification has as well (Table 17-5, F2.30). */
TEST(table17_6, encodings_without_cpl_bits,
     CLAIMS("T17-6.1", "T17-6.2", "T17-6.3", "T17-6.7", "BTS-1", "DS-2"), NEEDS(BTS, PMI))
{
    check_encodings(t, DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT);
}

TEST(table17_6, encodings,
     CLAIMS("T17-6.1", "T17-6.2", "T17-6.3", "T17-6.4", "T17-6.5", "T17-6.6", "T17-6.7", "T17-6.8",
            "T17-6.9", "BTS-1", "CPL-1"),
     NEEDS(BTS, DS_CPL, PMI))
{
    check_encodings(t, DEBUGCTL_TABLE_17_6);
}
