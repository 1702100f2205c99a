/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is every record right in a long run, too? Generated programs run pass after pass, on registers
 * that no two passes begin with; two buffers take turns at the interrupt, and the run does not stop
 * (tests/random/bulk_run.h).
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/ktap.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/random/bulk_run.h"
#include "tests/random/random_numbers.h"

SUITE(long_runs, .fills_a_soak = true);

/* Records of a test and repetition, or fewer if they take longer than this. */
#define RECORDS         120000
#define MICROSECONDS    1000000
#define FIRST_RECORDS   2000 /* of a program, by which the time is measured */
#define PROGRAM_RECORDS 30000
#define PROGRAM_SHARE   4 /* of the time, for one program */
#define TESTS           4 /* each takes seeds that none of the others in this suite does */

/* Runs the first program twice, short and long. A slow machine, or one whose counters others use,
 * does fewer records. */
static void check_long_runs(struct test_context *t, unsigned number, uint64_t records,
                            struct bulk_settings settings)
{
    uint64_t n = test_repetition(t) * (RECORDS / FIRST_RECORDS), start = time_now(), most;
    struct bulk_totals totals = {0};

    settings.seed = random_seed_number(test_seed(t), n ? n * TESTS + number : 0);
    settings.shape = GENERATED_SHAPES;
    settings.records = FIRST_RECORDS;
    if (!bulk_run(t, &settings, &totals))
        return;
    most = FIRST_RECORDS * (MICROSECONDS / PROGRAM_SHARE) / (time_microseconds_since(start) + 1);
    settings.records = records;
    settings.microseconds = MICROSECONDS;
    settings.program_records = most < PROGRAM_RECORDS ? most : PROGRAM_RECORDS;
    bulk_run(t, &settings, &totals);
}

TEST(long_runs, are_recorded, CLAIMS("BTS-1", "BTS-2", "BTS-5", "ISR-2", "ISR-5", "T17-6.7"),
     NEEDS(BTS, PMI, SYSCALL))
{
    check_long_runs(t, 0, RECORDS, (struct bulk_settings){0});
}

TEST(long_runs, are_recorded_by_ring, CLAIMS("T17-6.8", "T17-6.9", "CPL-1"),
     NEEDS(BTS, DS_CPL, PMI, SYSCALL))
{
    check_long_runs(t, 1, RECORDS / 4, (struct bulk_settings){.off_bits = DEBUGCTL_BTS_OFF_OS});
    if (!test_has_failed(t))
        check_long_runs(t, 2, RECORDS / 4,
                        (struct bulk_settings){.off_bits = DEBUGCTL_BTS_OFF_USR});
}

TEST(long_runs, end_in_a_circle, CLAIMS("BTS-3", "BTS-4", "BTS-8"), NEEDS(BTS, SYSCALL))
{
    struct random_numbers numbers = random_seeded(test_seed(t) + test_repetition(t));
    size_t records = 2 + random_below(&numbers, BULK_BUFFER_RECORDS_MAX - 2);

    check_long_runs(t, 3, RECORDS / 4,
                    (struct bulk_settings){.circular = true, .buffer_records = records});
}

/* --- how fast --- */

#define LONGEST_MICROSECONDS 7000000 /* nothing interrupts a run: it must end before its time */

/* Microseconds. */
static uint64_t measure(struct test_context *t, uint64_t records)
{
    const struct bulk_settings settings = {
        .seed = test_seed(t), .shape = GENERATED_RINGS, .records = records};
    struct bulk_totals totals = {0};
    uint64_t start = time_now(), microseconds;

    test_time_anew();
    bulk_run(t, &settings, &totals);
    microseconds = time_microseconds_since(start) + 1;
    ktap_comment(LEVEL_RUN,
                 "bench: compared %lu.%02lu M records/s, %lu of them with %lu interrupts",
                 totals.records / microseconds, totals.records * 100 / microseconds % 100,
                 totals.records, totals.interrupts);
    return microseconds;
}

/* The cost of a record is the same however many there are. */
TEST_ON_REQUEST(long_runs, of_any_length, CLAIMS("BTS-1", "BTS-2"), NEEDS(BTS, PMI, SYSCALL))
{
    uint64_t took = 0;

    for (uint64_t records = 1000;
         records <= 10000000 && 10 * took < LONGEST_MICROSECONDS && !test_has_failed(t);
         records *= 10)
        took = measure(t, records);
}
