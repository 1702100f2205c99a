/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the DS save area work wherever the manual lets it lie: its base off any boundary but a
 * doubleword's, its fields filled after IA32_DS_AREA, the area off a page, all of it at linear
 * addresses that 32 bits do not hold and in pages that are no neighbours in physical memory? And
 * does the processor leave the page after a buffer alone (BTS-8)?
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/trace_state.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/observe.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_short.h"

#define RECORDS 16

static const struct run circular_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
    .layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD},
    .policy = PMI_COUNT,
};

/* Round the end once, and once more. */
static void check_around(struct test_context *t, const struct run *run)
{
    size_t lap = limit_capacity(t, run->layout.records, false);

    observe_run(t, program_of_length(lap + 1), run);
    if (!test_has_failed(t))
        observe_run(t, program_of_length(2 * lap + 3), run);
}

/* Base on a doubleword boundary and no other (F3.20); the last one puts a record across a page. */
TEST(placement, base_on_any_doubleword, CLAIMS("BTS-3", "BTS-8", "DS-8", "BTS-2"), NEEDS(BTS))
{
    const size_t offsets[] = {4, 8, 24, 60, PAGE_SIZE - 12};
    struct run run = circular_run;

    TEST_EACH(t, offset, offsets, NULL, "page_plus_%zu", *offset) {
        run.layout.base_offset = *offset;
        check_around(t, &run);
    }
}

/* --- which bytes of a record are written --- */

static uint8_t fill;
static size_t filled; /* records */

static void fill_records(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    __builtin_memset((void *)bts_records(), fill, filled * BTS_RECORD_SIZE);
}

/* A bit for each byte of a record that is not what its memory was filled with. */
static uint32_t bytes_unlike(const struct bts_record *record, uint8_t byte)
{
    const uint8_t *bytes = (const uint8_t *)record;
    uint32_t unlike = 0;

    for (unsigned i = 0; i < BTS_RECORD_SIZE; i++)
        unlike |= bytes[i] != byte ? 1u << i : 0;
    return unlike;
}

/* After two runs over different bytes, what is like both was not written. */
static bool find_written(struct test_context *t, size_t base_offset, uint32_t *written)
{
    const uint8_t fills[] = {DS_POISON, (uint8_t)~DS_POISON};
    struct run run = circular_run;
    struct observation got;

    run.layout.base_offset = base_offset;
    run.ahead = fill_records;
    run.hold_off_interrupts = true;
    filled = RECORDS - 2;
    for (size_t i = 0; i < filled; i++)
        written[i] = 0;
    for (size_t n = 0; n < COUNT_OF(fills); n++) {
        fill = fills[n];
        if (!run_program(t, program_of_length(filled), &run, &got) ||
            !EXPECT_EQUAL(t, INDEX, "BTS index, in records", got.index, filled))
            return false;
        for (size_t i = 0; i < filled; i++)
            written[i] |= bytes_unlike(&got.records[i], fill);
    }
    return true;
}

/* Flag bits but one are undefined (F3.10): one record leaves none as it was that another writes,
 * wherever a page ends in it. */
TEST(placement, records_across_a_page_are_whole, CLAIMS("BTS-2"), NEEDS(BTS))
{
    uint32_t written[RECORDS];

    for (size_t in_first = 0; in_first < BTS_RECORD_SIZE && !test_has_failed(t); in_first += 4) {
        if (!find_written(t, PAGE_SIZE - BTS_RECORD_SIZE - in_first, written))
            return;
        for (size_t i = 1; i < filled; i++)
            EXPECT(t, RECORD_MISSING, written[i] == written[0],
                   "record %zu, of which %zu bytes lie before a page's end, has bytes %#x written, "
                   "the one before it %#x",
                   i, in_first, written[i], written[0]);
    }
}

/* The manual's order is IA32_DS_AREA first, then the fields (F3.39): they are read from memory. */
TEST(placement, fields_change_without_ds_area, CLAIMS("DS-8", "BTS-3", "BTS-8", "BTS-2"),
     NEEDS(BTS))
{
    const struct bts_layout later[] = {
        {.records = RECORDS, .threshold = BTS_NO_THRESHOLD, .base_offset = 0x1008},
        {.records = RECORDS / 2, .threshold = BTS_NO_THRESHOLD, .base_offset = 0x1008},
        {.records = 2 * RECORDS, .threshold = BTS_NO_THRESHOLD},
    };
    struct run run = circular_run;

    check_around(t, &run);
    run.keep_ds_area = true;
    for (size_t i = 0; i < COUNT_OF(later) && !test_has_failed(t); i++) {
        run.layout = later[i];
        check_around(t, &run);
    }
}

TEST(placement, threshold_changes_without_ds_area, CLAIMS("DS-8", "BTS-5", "BTS-2"),
     NEEDS(BTS, PMI))
{
    const size_t thresholds[] = {RECORDS / 2, RECORDS - 3, RECORDS / 4};
    struct run run = circular_run;

    run.debugctl |= DEBUGCTL_BTINT;
    run.hold_off_interrupts = true;
    for (size_t i = 0; i < COUNT_OF(thresholds) && !test_has_failed(t); i++) {
        run.layout.threshold = thresholds[i];
        observe_run(t, program_of_length(thresholds[i] - 1), &run);
        run.keep_ds_area = true;
        observe_run(t, program_of_length(thresholds[i]), &run);
    }
    run.debugctl &= ~(uint64_t)DEBUGCTL_BTINT; /* laps, which BTINT must not remember */
    run.layout.threshold = BTS_NO_THRESHOLD;
    check_around(t, &run);
    run.debugctl |= DEBUGCTL_BTINT;
    run.layout.threshold = thresholds[0];
    observe_run(t, program_of_length(thresholds[0]), &run);
}

static bool has_moved(struct test_context *t, const char *refusal)
{
    if (refusal)
        test_fail(t, "the DS save area was not moved: %s", refusal);
    return !refusal;
}

/* Neither the area nor a buffer need begin a page, or a cache line (F3.20, F3.31). */
TEST(placement, area_off_a_page, CLAIMS("DS-1", "DS-8", "BTS-3", "BTS-2"), NEEDS(BTS))
{
    limit_capacity(t, RECORDS, false);
    if (!has_moved(t, trace_move_by(0x808)))
        return;
    check_around(t, &circular_run);
    trace_move_back();
}

/*
 * Addresses of the DS memory; a buffer at a page + INTO_PAGE has a record across the page's end
 * soon, BTS or PEBS. In the first, bits 31:0 are the usual ones, for the decoy.
 */
#define INTO_PAGE             0xda0u
#define FAR_ABOVE             0xfffffe0000000000ull
#define FOUR_GIB_LINE         0x500000000ull
#define FOUR_GIB              0x100000000ull
#define LINE_IN(line, buffer) ((line)-offsetof(struct ds_memory, buffer) - PAGE_SIZE + INTO_PAGE)

static uint64_t far_above(void)
{
    return FAR_ABOVE | (uint32_t)(uint64_t)trace_state()->memory;
}

/* A buffer through some pages. */
static void check_bts_at(struct test_context *t, uint64_t address)
{
    struct run run = circular_run;

    run.layout.records = 200;
    if (!has_moved(t, trace_move_to(address)))
        return;
    check_around(t, &run);
    trace_move_back();
}

static const char *const places[] = {"far_above_32_bits", "across_a_4_gib_line", "across_4_gib"};

/* The others are not tried where one went astray. */
static void check_each_place(struct test_context *t, const uint64_t *addresses,
                             void (*check)(struct test_context *t, uint64_t address))
{
    bool fine = true;

    test_plan(t, COUNT_OF(places));
    for (size_t i = 0; i < COUNT_OF(places) && fine; i++) {
        test_begin(t, NULL, "%s", places[i]);
        check(t, addresses[i]);
        fine = !test_has_failed(t);
        test_end(t);
    }
}

TEST(placement, linear_addresses_of_64_bits, CLAIMS("DS-8", "BTS-8", "BTS-1", "DS-1", "BTS-2"),
     NEEDS(BTS))
{
    const uint64_t addresses[] = {far_above() + INTO_PAGE, LINE_IN(FOUR_GIB_LINE, buffer),
                                  LINE_IN(FOUR_GIB, buffer)};

    limit_capacity(t, RECORDS, false);
    check_each_place(t, addresses, check_bts_at);
}

/* Each field in turn is the first one behind the line, and in the next page. */
TEST(placement, area_across_4_gib, CLAIMS("DS-8", "BTS-3", "BTS-8", "BTS-2"), NEEDS(BTS))
{
    const uint64_t area_at_line = FOUR_GIB_LINE - offsetof(struct ds_memory, area);
    size_t end = offsetof(struct ds_management_area, pebs_buffer_base);

    limit_capacity(t, RECORDS, false);
    for (size_t before = sizeof(uint64_t); before <= end && !test_has_failed(t);
         before += sizeof(uint64_t)) {
        test_note(t, "%zu bytes of the area lie before a multiple of 4 GiB", before);
        check_bts_at(t, area_at_line - before);
    }
}

/* Skipped where it would cross a page with format 0: Core 2 may hang. */
static bool has_moved_pebs(struct test_context *t, uint64_t address)
{
    if (!has_moved(t, trace_move_to(address)))
        return false;
    if (pebs_format() > 0 || (uint64_t)trace_state()->memory->pebs_buffer % PAGE_SIZE == 0)
        return true;
    trace_move_back();
    test_skip(t,
              "IA32_PERF_CAPABILITIES[11:8] (PEBS record format) = 0: a buffer across a page may "
              "hang the processor (F22.43)");
    return false;
}

static void check_pebs_at(struct test_context *t, uint64_t address)
{
    struct sampling sampling = sample_default(sample_best_event(t));

    if (!has_moved_pebs(t, address))
        return;
    if (sampling_run(t, &sampling)) {
        sample_check_all(t, &sampling);
        sampling_expect_no_stray_write(t, sampling.index);
    }
    trace_move_back();
}

TEST(placement, pebs_at_linear_addresses_of_64_bits, CLAIMS("DS-8", "PEBS-1"),
     NEEDS(PEBS_RECORDS, PMI))
{
    const uint64_t addresses[] = {far_above() + INTO_PAGE, LINE_IN(FOUR_GIB_LINE, pebs_buffer),
                                  LINE_IN(FOUR_GIB, pebs_buffer)};

    sample_best_event(t); /* what it tries out, it tries in the usual place */
    check_each_place(t, addresses, check_pebs_at);
}

/* All general-purpose counters overflow together; the first record reaches the threshold. */
static void check_all_counters(struct test_context *t, enum pmu_event event)
{
    struct sampling sampling = sample_short(event);
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);

    for (unsigned i = 1; i < count && !counters[i].fixed; i++)
        sample_short_add(&sampling, counters[i], SAMPLING_NEVER - i);
    sampling.threshold = 1;
    sampling.interrupts_wanted = 1;
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, sampling.index, 1, sampling.count,
                   "%zu records of %u counters", sampling.index, sampling.count);
    for (unsigned i = 0; i < sampling.count; i++)
        sample_short_expect_reload(t, &sampling, &sampling.counters[i]);
    EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, 1);
    sampling_expect_no_stray_write(t, sampling.index);
}

static size_t end_of_resets(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);
    uint64_t last = PEBS_GENERAL(0);

    for (unsigned i = 0; i < count && !counters[i].fixed; i++)
        last = sampling_bit(counters[i]);
    return pebs_reset_offset(last) + sizeof(uint64_t);
}

/* The same of PEBS, with the reset value of each counter. */
TEST(placement, pebs_area_across_4_gib, CLAIMS("DS-8", "PEBS-1", "PEBS-2", "PEBS-3"),
     NEEDS(PEBS_RECORDS, PMI))
{
    const uint64_t area_at_line = FOUR_GIB_LINE - offsetof(struct ds_memory, area);
    enum pmu_event event = sample_best_event(t);

    if (!sample_is_possible(t, event))
        return;
    for (size_t before = offsetof(struct ds_management_area, pebs_buffer_base);
         before <= end_of_resets() && !test_has_failed(t); before += sizeof(uint64_t)) {
        if (!has_moved_pebs(t, area_at_line - before))
            return;
        check_all_counters(t, event);
        trace_move_back();
        if (test_has_failed(t))
            test_note(t, "%zu bytes of the area lie before a multiple of 4 GiB", before);
    }
}

/* Thresholds on both sides of the line, reached and not reached. */
TEST(placement, pebs_threshold_across_4_gib, CLAIMS("PEBS-3", "DS-8"), NEEDS(PEBS_RECORDS, PMI))
{
    if (!sample_is_possible(t, sample_best_event(t)) ||
        !has_moved_pebs(t, LINE_IN(FOUR_GIB_LINE, pebs_buffer)))
        return;
    for (size_t threshold = 1; threshold <= SAMPLE_DEFAULT_RECORDS + 1 && !test_has_failed(t);
         threshold += 2) {
        struct sampling sampling = sample_default(sample_best_event(t));
        size_t record_size = pebs_format_size(pebs_format(), sampling.data_config);
        size_t due = threshold <= SAMPLE_DEFAULT_RECORDS;

        sampling.threshold = due ? threshold : DS_TO_UPPER_HALF / record_size;
        sampling.interrupts_wanted = due;
        if (sampling_run(t, &sampling) && sample_check_all(t, &sampling))
            EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, due);
        if (test_has_failed(t))
            test_note(t, "that was with the threshold at record %zu", threshold);
    }
    trace_move_back();
}

/* --- the page after a buffer that ends at a page boundary: its dirty bit shows any write --- */

#define BYTES  (RECORDS * BTS_RECORD_SIZE)
#define LENGTH (2 * RECORDS + 3) /* jumps: twice round the end */

static bool is_dirty;

static const void *page_behind(void)
{
    return bts_records() + RECORDS;
}

static void make_clean(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    paging_set_dirty(page_behind(), false);
}

static void look(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    is_dirty = paging_rights(page_behind()).dirty;
    paging_set_dirty(page_behind(), true);
}

TEST(placement, page_behind_the_buffer_stays_clean, CLAIMS("BTS-8"), NEEDS(BTS))
{
    struct run run = circular_run;

    run.hold_off_interrupts = true;
    run.layout.base_offset = PAGE_SIZE - BYTES;
    run.ahead = make_clean;
    run.behind = look;
    if (!observe_run(t, program_of_length(LENGTH), &run)) {
        paging_set_dirty(page_behind(), true);
        return;
    }
    EXPECT(t, SETUP, (uint64_t)page_behind() % PAGE_SIZE == 0,
           "the buffer does not end with a page");
    EXPECT(t, STRAY_WRITE, !is_dirty,
           "the page behind the buffer is dirty, and holds nothing of it");
}
