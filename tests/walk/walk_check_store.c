/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The branch trace store after a step of a walk: records, index, and all other memory. */
#include "tests/walk/walk_check.h"

#include "tests/spec/choices/choices.h"
#include "tests/spec/compare.h"
#include "tests/spec/mode.h"

static struct expected expected;
static struct bts_record got[EXPECTED_MAX];

#define SLOTS (WALK_BUFFER_BYTES / BTS_RECORD_SIZE + 1)

/* The last event that was stored in each slot. */
static size_t last_in[SLOTS];

static size_t *last_in_slot_of(const struct reference *r, const struct reference_event *event)
{
    return &last_in[(event->place - r->areas[r->area].base) / BTS_RECORD_SIZE % SLOTS];
}

/* What must lie in the buffer, in time order, and what does; both as they stand in known memory
 * from then on. */
static size_t collect_records(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t memory = (uint64_t)j->job.zones;
    size_t count = 0;

    for (size_t i = 0; i < r->event_count; i++)
        if (r->events[i].stored == YES)
            *last_in_slot_of(r, &r->events[i]) = i;
    for (size_t i = 0; i < r->event_count; i++) {
        const struct reference_event *event = &r->events[i];

        if (event->stored != YES || *last_in_slot_of(r, event) != i)
            continue;
        expected.records[count] = (struct expected_record){
            .transfer = event->transfer,
            .under = expected_under(event->debugctl, &event->transfer,
                                    i && transfer_crosses(&r->events[i - 1].transfer)),
        };
        got[count++] = *(const struct bts_record *)event->place;
        __builtin_memcpy((uint8_t *)j->zones + (event->place - memory), (const void *)event->place,
                         BTS_RECORD_SIZE);
    }
    expected.count = count;
    return count;
}

static struct ds_management_area *known_area(struct walk_judge *j)
{
    uint64_t offset = (uint64_t)walk_area(&j->job) - (uint64_t)j->job.zones;

    return (struct ds_management_area *)((uint8_t *)j->zones + offset);
}

static void check_index(struct walk_judge *j)
{
    const struct store *area = &j->reference.areas[j->reference.area];
    uint64_t index = walk_area(&j->job)->bts_index;

    known_area(j)->bts_index = index;
    walk_breaks_unless(j,
                       EXPECT_EQUAL(j->t, INDEX, "BTS index, in bytes from the base",
                                    index - area->base, area->index - area->base),
                       mode_row_of(j->reference.debugctl)->claim);
}

/* Nothing but the records and the index has changed. */
static void check_memory(struct walk_judge *j)
{
    const uint8_t *now = (const uint8_t *)j->job.zones, *before = (const uint8_t *)j->zones;

    for (size_t i = 0; i < sizeof j->zones; i++)
        if (now[i] != before[i]) {
            FIND(j->t, STRAY_WRITE, "byte %zu of area %zu or its buffer was written to",
                 i % sizeof(struct walk_zone), i / sizeof(struct walk_zone));
            test_breaks(j->t, "BTS-8");
            return;
        }
}

static void adopt_memory(struct walk_judge *j)
{
    struct store *area = &j->reference.areas[j->reference.area];

    __builtin_memcpy(j->zones, j->job.zones, sizeof j->zones);
    area->index = known_area(j)->bts_index;
    area->may_wrap = area->needs_full = area->needs_limit = false;
}

/* Of records that are not known, as much as is: whole ones, in the buffer and nowhere else. */
static void check_unknown(struct walk_judge *j)
{
    const struct store *area = &j->reference.areas[j->reference.area];
    uint64_t over = choice_of(CHOICE_LIMIT) == VALUE_INDEX_BELOW ? BTS_RECORD_SIZE - 1 : 0;
    uint64_t length = area->maximum - area->base + over;
    uint64_t offset = area->base - (uint64_t)j->job.zones;
    uint64_t index = walk_area(&j->job)->bts_index - area->base;

    known_area(j)->bts_index = walk_area(&j->job)->bts_index;
    if (index > length || index % BTS_RECORD_SIZE) {
        FIND(j->t, INDEX, "BTS index, in bytes from the base: %lu, which no whole records lead to",
             index);
        test_breaks(j->t, "BTS-2");
    }
    __builtin_memcpy((uint8_t *)j->zones + offset, (const void *)area->base, length);
    check_memory(j);
}

void walk_check_store(struct walk_judge *j)
{
    struct reference *r = &j->reference;
    size_t count;

    if (r->bts_unknown) {
        check_unknown(j);
        adopt_memory(j);
        return;
    }
    count = collect_records(j);
    if (count)
        walk_breaks_unless(j, compare_records(j->t, &expected, got, count) != UNLIKE,
                           mode_row_of(r->debugctl)->claim);
    check_index(j);
    if (__builtin_memcmp(j->zones, j->job.zones, sizeof j->zones) != 0)
        check_memory(j);
    adopt_memory(j);
}
