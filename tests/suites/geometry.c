/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a BTS buffer do what its four fields say, whatever they say: a base on any doubleword, an
 * index that starts in the middle or between two records, a rest after the last whole record, a
 * threshold at the base, inside a record, at the maximum, just above it; in every ring and mode?
 *
 * The combinations are drawn from a grammar by the run's seed; repeat=N draws others. What each
 * must leave is computed (tests/oracle/buffer_model.h), so that none needs an expectation of its
 * own.
 */
#include "arch/trace/trace_state.h"
#include "kernel/suite.h"
#include "kernel/test.h"
#include "tests/oracle/geometry_check.h"
#include "tests/random/random_numbers.h"

SUITE(geometry, .order = -1);

#define RECORDS_LEAST 2
#define RECORDS_MOST  6
#define DRAWN         60 /* combinations of a place */
#define DRAWN_ACROSS  40

#define PICK(numbers, table) ((table)[random_below(numbers, COUNT_OF(table))])

static const size_t bases[] = {0, 4, 60, PAGE_SIZE - 12, PAGE_SIZE - 44};

/* After the last whole record; 1: the manual's literal absolute maximum (F3.21). */
static const size_t rests[] = {0, 0, 1, 4, 12, 23};

/* From a record's boundary to the index, and from it, or the maximum, to the threshold. */
static const size_t index_offsets[] = {0, 0, 0, 4, 8, 12};
static const size_t threshold_offsets[] = {0, 0, 0, 1, 4, 8, 23};
static const size_t above_offsets[] = {1, 4, 8, 23, 24, 0x100000};

static size_t draw_threshold(struct random_numbers *numbers, const struct geometry *geometry,
                             size_t records)
{
    switch (random_below(numbers, 4)) {
    case 0:
        return geometry->absolute_maximum;
    case 1:
        return geometry->absolute_maximum + PICK(numbers, above_offsets);
    default:
        return random_below(numbers, (uint32_t)records + 1) * BTS_RECORD_SIZE +
               PICK(numbers, threshold_offsets);
    }
}

static struct geometry draw_any(struct random_numbers *numbers, enum sled_place place,
                                bool interrupts)
{
    size_t records = RECORDS_LEAST + random_below(numbers, RECORDS_MOST - RECORDS_LEAST + 1);
    struct geometry geometry = {
        .base_offset = PICK(numbers, bases),
        .index = random_below(numbers, (uint32_t)records) * BTS_RECORD_SIZE +
                 PICK(numbers, index_offsets),
        .absolute_maximum = records * BTS_RECORD_SIZE + PICK(numbers, rests),
        .interrupts = interrupts,
        .place = place,
        .transfers = program_least(place) + random_below(numbers, 2 * (uint32_t)records + 3),
    };

    geometry.threshold = draw_threshold(numbers, &geometry, records);
    return geometry;
}

static struct geometry draw(struct random_numbers *numbers, enum sled_place place, bool interrupts)
{
    struct geometry geometry;

    do
        geometry = draw_any(numbers, place, interrupts);
    while (!geometry_has_room(&geometry));
    return geometry;
}

static void check_places(struct test_context *t, const char *claim, bool interrupts)
{
    uint64_t seed = random_seed_number(test_seed(t), test_repetition(t));
    struct random_numbers numbers = random_seeded(seed);

    if (!geometry_learn(t))
        return;
    TEST_NUMBERS(t, place, 0, SLED_PLACES, claim, "%s", program_sled_name(place))
        for (size_t i = 0; i < DRAWN && !test_has_failed(t); i++) {
            const struct geometry geometry = draw(&numbers, place, interrupts);

            geometry_check(t, &geometry);
            if (test_has_failed(t))
                test_replays_from(t, seed);
        }
}

TEST(geometry, circular, CLAIMS("BTS-3", "BTS-2", "BTS-4", "BTS-8", "DS-8", "T17-6.3"), NEEDS(BTS))
{
    check_places(t, "BTS-3", false);
}

TEST(geometry, with_an_interrupt,
     CLAIMS("BTS-5", "BTS-2", "BTS-4", "BTS-6", "BTS-8", "DS-8", "T17-6.7"), NEEDS(BTS, APIC))
{
    check_places(t, "BTS-5", true);
}
