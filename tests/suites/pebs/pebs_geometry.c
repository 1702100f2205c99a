/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the PEBS buffer do what its fields say when its index starts in the middle or between two
 * records, when its threshold lies at the base, inside a record, or just above the maximum, and
 * when the program that reaches it runs in ring 3?
 */
#include "kernel/report/test.h"
#include "tests/random/random_numbers.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_short.h"

#define RECORDS SAMPLE_DEFAULT_RECORDS
#define DRAWN   12

#define PICK(numbers, table) ((table)[random_below(numbers, COUNT_OF(table))])

/* A buffer: records before the index, and how many fit after it. */
struct buffer {
    struct pebs_fields fields; /* bytes */
    size_t room;
};

/* Bytes of a record of the default sampling. */
static size_t record_size(struct test_context *t)
{
    return pebs_format_size(pebs_format(), sample_default(sample_best_event(t)).data_config);
}

static size_t draw_threshold(struct random_numbers *numbers, const struct buffer *buffer,
                             size_t size)
{
    const size_t above[] = {1, 4, 8, size};
    const size_t offsets[] = {0, 0, 1, 8, size - 1};

    switch (random_below(numbers, 6)) {
    case 0:
        return 0;
    case 1:
        return buffer->fields.absolute_maximum;
    case 2:
        return buffer->fields.absolute_maximum + PICK(numbers, above);
    default:
        return buffer->fields.index + random_below(numbers, RECORDS + 2) * size +
               PICK(numbers, offsets);
    }
}

/* Full is defined where the index comes to match the absolute maximum (F3.65): an index off the
 * records' boundaries has room for all. */
static struct buffer draw(struct random_numbers *numbers, size_t size)
{
    struct buffer buffer = {.room = 2 + random_below(numbers, RECORDS),
                            .fields.index = random_below(numbers, 4) * size};

    if (random_percent(numbers, 30)) {
        buffer.fields.index += 8;
        buffer.room = RECORDS + 1;
    }
    buffer.fields.absolute_maximum = buffer.fields.index + buffer.room * size;
    if (buffer.room > RECORDS)
        buffer.fields.absolute_maximum += size - buffer.fields.absolute_maximum % size;
    buffer.fields.threshold = draw_threshold(numbers, &buffer, size);
    return buffer;
}

static bool is_due(const struct buffer *buffer, size_t stored, size_t size)
{
    return buffer->fields.threshold <= buffer->fields.absolute_maximum &&
           buffer->fields.threshold <= buffer->fields.index + stored * size;
}

/* One record too few is the last one, which no event follows for. */
static bool lacks_the_last(const struct sampling *sampling, size_t end, size_t size)
{
    return sampling->index_bytes + size == end;
}

static bool check_index(struct test_context *t, const struct sampling *sampling, size_t end,
                        size_t size)
{
    size_t index = sampling->index_bytes;

    if (!lacks_the_last(sampling, end, size))
        return EXPECT_EQUAL(t, PEBS_INDEX, "PEBS index, in bytes from the base", index, end);
    test_under(t, UNDER(LAST_EVENT));
    return EXPECT_COUNT(t, PEBS, "records up to the index", index / size, end / size);
}

/* Nothing but the records, one after another from the index on; they are then brought to the
 * base. */
static bool check_memory(struct test_context *t, struct sampling *sampling,
                         const struct buffer *buffer, size_t stored, size_t size)
{
    size_t first = buffer->fields.index, end = first + stored * size;
    size_t whole = (end + size - 1) / size;

    if (!check_index(t, sampling, end, size))
        return false;
    EXPECT(t, STRAY_WRITE, pebs_bytes_are_poison(0, first),
           "the buffer in front of the index was written");
    EXPECT(t, STRAY_WRITE, pebs_bytes_are_poison(end, whole * size),
           "the buffer right behind the index was written");
    sampling_expect_no_stray_write(t, whole);
    pebs_bring_down(first, stored * size);
    sampling->index = stored;
    sampling->records = buffer->room;
    return true;
}

/* The threshold is that of the records which are there. */
static void check_interrupts(struct test_context *t, const struct sampling *sampling,
                             const struct buffer *buffer, size_t stored, size_t size)
{
    bool lacking = lacks_the_last(sampling, buffer->fields.index + stored * size, size);

    if (!EXPECT_COUNT(t, PMI, "interrupts", sampling->interrupts,
                      is_due(buffer, stored - lacking, size)))
        test_breaks(t, "PEBS-3");
}

static void check_buffer(struct test_context *t, const struct buffer *buffer)
{
    struct sampling sampling = sample_default(sample_best_event(t));
    size_t size = record_size(t), stored = buffer->room < RECORDS ? buffer->room : RECORDS;

    test_note(t, "from the base, in bytes: index %zu, absolute maximum %zu, threshold %zu",
              buffer->fields.index, buffer->fields.absolute_maximum, buffer->fields.threshold);
    sampling.records = buffer->fields.absolute_maximum / size;
    sampling.fields = &buffer->fields;
    sampling.interrupts_wanted = is_due(buffer, stored, size);
    if (buffer->room <= RECORDS)
        test_under(t, UNDER(FULL));
    if (!sampling_run(t, &sampling))
        return;
    check_interrupts(t, &sampling, buffer, stored, size);
    if (!check_memory(t, &sampling, buffer, stored, size) || !sample_check_all(t, &sampling))
        test_breaks(t, "PEBS-1");
}

TEST(pebs, buffers_of_any_geometry, CLAIMS("PEBS-3", "PEBS-1", "DS-8"), NEEDS(PEBS_RECORDS, PMI))
{
    uint64_t seed = random_seed_number(test_seed(t), test_repetition(t));
    struct random_numbers numbers = random_seeded(seed);
    size_t size;

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    size = record_size(t);
    TEST_NUMBERS(t, number, 0, DRAWN, "PEBS-3", "drawn_%u", number) {
        const struct buffer buffer = draw(&numbers, size);

        check_buffer(t, &buffer);
        if (test_has_failed(t))
            test_replays_from(t, seed);
    }
}

/* One record, room for more, the threshold so far from the base. */
static void check_threshold_at(struct test_context *t, size_t threshold, size_t size)
{
    const struct pebs_fields fields = {.absolute_maximum = 3 * size, .threshold = threshold};
    struct sampling sampling = sample_short(sample_best_event(t));
    bool due = threshold <= size;

    sampling.fields = &fields;
    sampling.interrupts_wanted = due;
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_EQUAL(t, PEBS_INDEX, "PEBS index, in bytes from the base", pebs_index_bytes(), size);
    EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, due);
    if (test_has_failed(t))
        test_note(t, "a record of %zu bytes, the threshold %zu bytes from the base", size,
                  threshold);
}

/* A threshold right before the record's end is reached, right after it is not (F3.64), whatever the
 * distance. */
TEST(pebs, threshold_at_each_place_in_a_record, CLAIMS("PEBS-3"), NEEDS(PEBS_RECORDS, PMI))
{
    size_t size;

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    size = record_size(t);
    for (size_t apart = 1; apart < size && !test_has_failed(t); apart += apart < 8 ? apart : 8) {
        check_threshold_at(t, size - apart, size);
        check_threshold_at(t, size + apart, size);
    }
}

/* The index at the absolute maximum before the first record: none is written, nothing is signalled
 * (F3.65), wherever the threshold lies. */
TEST(pebs, full_from_the_start, CLAIMS("PEBS-1", "PEBS-3"), NEEDS(PEBS_RECORDS, PMI))
{
    size_t size = record_size(t);
    const size_t thresholds[] = {0, size, 3 * size, 4 * size, 4 * size + 1};

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    test_under(t, UNDER(FULL));
    for (size_t i = 0; i < COUNT_OF(thresholds) && !test_has_failed(t); i++) {
        const struct pebs_fields fields = {4 * size, 4 * size, thresholds[i]};
        struct sampling sampling = sample_default(sample_best_event(t));

        sampling.fields = &fields;
        if (!sampling_run(t, &sampling))
            return;
        EXPECT_EQUAL(t, PEBS_INDEX, "PEBS index, in bytes", pebs_index_bytes(), 4 * size);
        EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, 0);
        EXPECT(t, STRAY_WRITE, !pebs_find_stray_write(0), "written to although full: %s",
               pebs_find_stray_write(0));
    }
}

#define ROOM 2

/* Events for RECORDS of them, which is more than there is room for. */
static void check_end_between_records(struct test_context *t, size_t beyond, size_t size)
{
    const size_t most = (ROOM + 1) * size;
    const struct pebs_fields fields = {.absolute_maximum = ROOM * size + beyond,
                                       .threshold = RECORDS * size};
    struct sampling sampling = sample_default(sample_best_event(t));

    sampling.fields = &fields;
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, pebs_index_bytes(), (ROOM - 1) * size, most,
                   "PEBS index %zu bytes from the base, the absolute maximum %zu, records of %zu",
                   pebs_index_bytes(), fields.absolute_maximum, size);
    sampling_expect_no_stray_write(t, ROOM + 1);
}

/* The buffer is never circular (F3.65). If the absolute maximum lies between two records, one byte
 * after the last as the manual says (F3.21), one record more or fewer may fit (F3.22). */
TEST(pebs, stops_where_the_maximum_lies_in_a_record, CLAIMS("PEBS-1", "DS-8"),
     NEEDS(PEBS_RECORDS, PMI))
{
    size_t size;

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    size = record_size(t);
    test_under(t, UNDER(FULL));
    check_end_between_records(t, 1, size);
    check_end_between_records(t, size / 2, size);
    check_end_between_records(t, size - 1, size);
}

/*
 * As an NMI, which nothing holds off, so it comes between two of the steps. The routine turns
 * sampling off and on again, which may lose a record that was due. All records before the interrupt
 * must be there.
 */
static void check_in_ring_3(struct test_context *t, size_t threshold)
{
    struct sampling sampling = sample_default(sample_best_event(t));
    const struct pmi_event *event = &sampling.events[0];

    sampling_set_ring(&sampling, 3);
    sampling.threshold = threshold;
    sampling.interrupts_wanted = 1;
    sampling.delivery = APIC_DELIVERY_NMI;
    test_under(t, UNDER(FILTERED));
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, 1)) {
        EXPECT(t, PMI_EARLY, event->pebs_index >= threshold,
               "the interrupt came with %zu records, threshold %zu", event->pebs_index, threshold);
        EXPECT(t, PMI_PLACE, (event->cs & 3) == 3, "it interrupted ring %u", event->cs & 3);
    }
    if (!EXPECT(t, PEBS_MISSING, sampling.index >= threshold, "%zu records, threshold %zu",
                sampling.index, threshold))
        return;
    sampling.index = sampling.records = threshold;
    sample_check_all(t, &sampling);
}

TEST(pebs, interrupt_comes_in_ring_3, CLAIMS("PEBS-3", "PEBS-1", "ISR-1"),
     NEEDS(PEBS_RECORDS, PMI, SYSCALL))
{
    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    TEST_NUMBERS(t, threshold, 2, RECORDS, "PEBS-3", "threshold_%u", threshold)
        check_in_ring_3(t, threshold);
}
