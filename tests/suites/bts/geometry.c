/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a BTS buffer do what its four fields say, whatever they say: a base on any doubleword, an
 * index that starts in the middle or between two records, a rest after the last whole record, a
 * threshold at the base, inside a record, at the maximum, just above it; in every ring and mode?
 *
 * The combinations are drawn from a grammar by the run's seed; repeat=N draws others. What each
 * must leave is computed (tests/spec/store.h), so that none needs an expectation of its own.
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/trace_state.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/random/random_numbers.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/observe.h"
#include "tests/spec/store.h"

SUITE(geometry, .order = -1);

#define RECORDS_LEAST 2
#define RECORDS_MOST  10
#define DRAWN         40 /* combinations of a place */
#define DRAWN_ACROSS  24

/* Index, maximum and threshold are in bytes from the base. */
struct geometry {
    size_t base_offset; /* bytes from the start of the buffer's first page to the base */
    size_t index, absolute_maximum, threshold;
    bool interrupts; /* BTINT */
    enum sled_place place;
    size_t transfers;
    const struct workload *workload; /* instead of a sled; the threshold is never reached */
};

#define BYTES_MOST 288u /* the largest absolute maximum */

/* If there is no room for a first record, only software can have left the index there. */
static bool has_room(const struct geometry *geometry)
{
    const struct ds_management_area area = {.bts_index = geometry->index,
                                            .bts_absolute_maximum = geometry->absolute_maximum};
    const struct store store = store_of(&area);

    return store_has_room(&store);
}

static void note(struct test_context *t, const struct geometry *geometry,
                 const struct program *program)
{
    test_note(t,
              "%s, %zu transfers, BTINT %u; base: page + %zu; from there, in bytes: index %zu, "
              "absolute maximum %zu, threshold %zu",
              program->workload->name, program->count, geometry->interrupts, geometry->base_offset,
              geometry->index, geometry->absolute_maximum, geometry->threshold);
}

static void check_geometry(struct test_context *t, const struct geometry *geometry)
{
    const struct program *program = geometry->workload
                                        ? program_of_workload(geometry->workload)
                                        : program_of_sled(geometry->place, geometry->transfers);
    const struct bts_fields fields = {geometry->index, geometry->absolute_maximum,
                                      geometry->threshold};
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | (geometry->interrupts ? DEBUGCTL_BTINT : 0),
        .layout = {.records = BYTES_MOST / BTS_RECORD_SIZE + 1, /* room; the fields say less */
                   .threshold = BTS_NO_THRESHOLD,
                   .base_offset = geometry->base_offset},
        .fields = &fields,
        .policy = PMI_COUNT,
        .hold_off_interrupts = true,
    };

    note(t, geometry, program);
    observe_run(t, program, &run);
}

#define PICK(numbers, table) ((table)[random_below(numbers, COUNT_OF(table))])

static const size_t bases[] = {0, 4, 60, PAGE_SIZE - 12, PAGE_SIZE - 44};

/* After the last whole record; 1: the manual's literal absolute maximum (F3.21). */
static const size_t rests[] = {0, 0, 1, 4, 12, 23};

/* Distances: from a record's boundary to the index, and from the index, or the maximum, to the
 * threshold. */
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

/* At the base as often as after it. */
static size_t draw_index(struct random_numbers *numbers, size_t records)
{
    size_t before = random_percent(numbers, 50) ? 0 : random_below(numbers, (uint32_t)records);

    return before * BTS_RECORD_SIZE + PICK(numbers, index_offsets);
}

/* Any number, or as many as reach the threshold, or one fewer: those are the ones that tell. */
static size_t draw_transfers(struct random_numbers *numbers, const struct geometry *geometry,
                             size_t records)
{
    size_t least = program_least(geometry->place), reach = least;

    if (geometry->threshold > geometry->index)
        reach = (geometry->threshold - geometry->index + BTS_RECORD_SIZE - 1) / BTS_RECORD_SIZE;
    reach -= random_below(numbers, 2);
    if (random_percent(numbers, 35) || reach < least || reach > 2 * records)
        reach = least + random_below(numbers, 2 * (uint32_t)records + 3);
    return reach;
}

static struct geometry draw_any(struct random_numbers *numbers, enum sled_place place,
                                bool interrupts)
{
    size_t records = RECORDS_LEAST + random_below(numbers, RECORDS_MOST - RECORDS_LEAST + 1);
    struct geometry geometry = {
        .base_offset = PICK(numbers, bases),
        .index = draw_index(numbers, records),
        .absolute_maximum = records * BTS_RECORD_SIZE + PICK(numbers, rests),
        .interrupts = interrupts,
        .place = place,
    };

    geometry.threshold = draw_threshold(numbers, &geometry, records);
    geometry.transfers = draw_transfers(numbers, &geometry, records);
    return geometry;
}

static struct geometry draw(struct random_numbers *numbers, enum sled_place place, bool interrupts)
{
    struct geometry geometry;

    do
        geometry = draw_any(numbers, place, interrupts);
    while (!has_room(&geometry));
    return geometry;
}

static uint64_t seed_of(struct test_context *t)
{
    return random_seed_number(test_seed(t), test_repetition(t));
}

static void check_drawn(struct test_context *t, const struct geometry *geometry)
{
    check_geometry(t, geometry);
    if (test_has_failed(t))
        test_replays_from(t, seed_of(t));
}

static void check_places(struct test_context *t, const char *claim, bool interrupts)
{
    struct random_numbers numbers = random_seeded(seed_of(t));

    limit_capacity(t, RECORDS_LEAST, false); /* which says whether there is room */
    TEST_NUMBERS(t, place, 0, SLED_PLACES, claim, "%s", program_sled_names[place])
        for (size_t i = 0; i < DRAWN && !test_has_failed(t); i++) {
            struct geometry geometry = draw(&numbers, place, interrupts);

            check_drawn(t, &geometry);
        }
}

TEST(geometry, circular, CLAIMS("BTS-3", "BTS-2", "BTS-4", "BTS-8", "DS-8", "T17-6.3"), NEEDS(BTS))
{
    check_places(t, "BTS-3", false);
}

TEST(geometry, with_an_interrupt,
     CLAIMS("BTS-5", "BTS-2", "BTS-4", "BTS-6", "BTS-8", "DS-8", "T17-6.7"), NEEDS(BTS, PMI))
{
    check_places(t, "BTS-5", true);
}

/*
 * Bytes from the base to a multiple of 4 GiB, so that some field or record lies at or after it. A
 * processor that compares only 32 bits then gets the order wrong.
 */
static void check_across(struct test_context *t, struct random_numbers *numbers, bool interrupts)
{
    struct geometry geometry =
        draw(numbers, (enum sled_place)random_below(numbers, SLED_PLACES), interrupts);
    size_t end = geometry.absolute_maximum / sizeof(uint32_t);

    geometry.base_offset = 2 * PAGE_SIZE - sizeof(uint32_t) * random_below(numbers, (uint32_t)end);
    if (geometry.threshold > geometry.absolute_maximum) /* far above it: in the upper half */
        geometry.threshold = DS_TO_UPPER_HALF;
    check_drawn(t, &geometry);
}

#define FOUR_GIB_LINE 0x700000000ull

TEST(geometry, across_4_gib, CLAIMS("DS-8", "BTS-3", "BTS-5", "BTS-8", "BTS-2"), NEEDS(BTS, PMI))
{
    struct random_numbers numbers = random_seeded(seed_of(t));
    const char *refusal;

    limit_capacity(t, RECORDS_LEAST, false);
    refusal = trace_move_to(FOUR_GIB_LINE - offsetof(struct ds_memory, buffer) - 2 * PAGE_SIZE);
    if (refusal) {
        test_fail(t, "the DS save area was not moved: %s", refusal);
        return;
    }
    for (size_t i = 0; i < DRAWN_ACROSS && !test_has_failed(t); i++)
        check_across(t, &numbers, i % 2);
    trace_move_back();
}

/* --- every kind of transfer, wherever it meets the end --- */

#define FEW 3 /* records: a program has that many transfers, and each can be the one */

static const struct {
    const char *name;
    workload_list first, end;
} kinds[] = {
    {"far_transfers", far_transfers, far_transfers_end},
    {"software_interrupts", software_interrupts, software_interrupts_end},
    {"faults", faults, faults_end},
};

static void check_kind(struct test_context *t, const struct workload *workload, bool interrupts)
{
    struct geometry geometry = {
        .absolute_maximum = FEW * BTS_RECORD_SIZE,
        .threshold = (FEW + 1) * BTS_RECORD_SIZE,
        .interrupts = interrupts,
        .workload = workload,
    };

    for (size_t first = 0; first < FEW && !test_has_failed(t); first++) {
        geometry.index = first * BTS_RECORD_SIZE;
        if (has_room(&geometry))
            check_geometry(t, &geometry);
    }
}

static void check_kinds(struct test_context *t, const char *claim, bool interrupts)
{
    limit_capacity(t, FEW, false);
    TEST_EACH(t, list, kinds, claim, "%s", list->name) {
        test_breaks_too(t, "BTS-1");
        for (workload_list at = list->first; at < list->end; at++)
            check_kind(t, *at, interrupts);
    }
}

TEST(geometry, kinds_around_the_end, CLAIMS("BTS-3", "BTS-1", "BTS-8", "T17-6.3", "BTS-2"),
     NEEDS(BTS, SYSCALL))
{
    check_kinds(t, "BTS-3", false);
}

/* What finds no room is dropped, and nothing else happens: what comes later is dropped, too. */
TEST(geometry, kinds_into_a_full_buffer, CLAIMS("BTS-6", "BTS-1", "BTS-4", "BTS-8", "BTS-2"),
     NEEDS(BTS, PMI, SYSCALL))
{
    check_kinds(t, "BTS-6", true);
}
