/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/compare.h"

#include "arch/lib/printf.h"
#include "tests/oracle/transfer_choices.h"

#define CONTEXT 3 /* records shown before and after the first difference */

static bool matches_either(const struct transfer *expected, const struct bts_record *got)
{
    enum choice_value reading = from_choice(CHOICE_FROM, expected->kind);

    if (reading != VALUE_NEXT && got->from == expected->from)
        return true;
    return reading != VALUE_INSTRUCTION && got->from == expected->from_next;
}

static bool matches(const struct transfer *expected, const struct bts_record *got)
{
    if (got->to != expected->to)
        return false;
    if (expected->from_next)
        return matches_either(expected, got);
    return got->from == expected->from;
}

static void learn_from(struct test_context *t, const struct transfer *expected,
                       const struct bts_record *got)
{
    if (expected->from_next && from_choice(CHOICE_FROM, expected->kind) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_FROM, got->from == expected->from ? VALUE_INSTRUCTION : VALUE_NEXT,
                     expected->kind);
}

static void note_pair(struct test_context *t, const char *mark, size_t number,
                      const struct expected_record *expected, const struct bts_record *got)
{
    char want[160] = "(none)", have[160] = "(none)";

    if (expected)
        format_string(want, sizeof want, "%s %pS -> %pS",
                      transfer_kind_name(expected->transfer.kind), (void *)expected->transfer.from,
                      (void *)expected->transfer.to);
    if (got)
        format_string(have, sizeof have, "%pS -> %pS", (void *)got->from, (void *)got->to);
    test_note(t, "%s%4zu  %s | %s", mark, number, want, have);
}

struct position {
    size_t expected, got; /* equal up to here, readings aside */
};

static void note_difference(struct test_context *t, const struct expected *expected,
                            const struct bts_record *got, size_t got_count, struct position at)
{
    size_t before = at.got < CONTEXT ? at.got : CONTEXT;

    if (before > at.expected)
        before = at.expected;
    test_note(t, "record  expected | got");
    for (size_t i = 0; i < before + 1 + CONTEXT; i++) {
        size_t e = at.expected - before + i, g = at.got - before + i;

        if (e >= expected->count && g >= got_count)
            break;
        note_pair(t, i == before ? "* " : "  ", g,
                  e < expected->count ? &expected->records[e] : NULL,
                  g < got_count ? &got[g] : NULL);
    }
}

/* Advances over what agrees; open records that are missing settle their reading as not stored. */
static struct position walk(struct test_context *t, const struct expected *expected,
                            uint64_t debugctl, const struct bts_record *got, size_t got_count)
{
    struct position at = {0, 0};

    while (at.expected < expected->count) {
        const struct expected_record *record = &expected->records[at.expected];
        const struct transfer *transfer = &record->transfer;
        enum choice_value stored = VALUE_YES;
        bool found = at.got < got_count && matches(transfer, &got[at.got]);

        if (record->open)
            stored = stored_choice(debugctl, transfer->kind);
        if (stored == VALUE_UNKNOWN)
            stored_choice_learn(t, debugctl, transfer->kind, found);
        if (stored == VALUE_NO || (stored == VALUE_UNKNOWN && !found)) {
            at.expected++;
            continue;
        }
        if (!found)
            break;
        learn_from(t, transfer, &got[at.got]);
        at.expected++;
        at.got++;
    }
    return at;
}

bool compare_records(struct test_context *t, const struct expected *expected, uint64_t debugctl,
                     const struct bts_record *got, size_t got_count)
{
    struct position at = walk(t, expected, debugctl, got, got_count);

    if (at.expected == expected->count && at.got == got_count)
        return true;
    FIND(t, RECORD_ORDER, "records differ from number %zu on: %zu expected, %zu got", at.got,
         expected->count, got_count);
    note_difference(t, expected, got, got_count, at);
    return false;
}

bool compare_prefix(struct test_context *t, const struct expected *expected,
                    const struct bts_record *got, size_t count)
{
    for (size_t number = 0; number < count; number++) {
        const struct position at = {number, number};

        if (number < expected->count && matches(&expected->records[number].transfer, &got[number]))
            continue;
        FIND(t, RECORD_ORDER, "record %zu of the first %zu differs", number, count);
        note_difference(t, expected, got, count, at);
        return false;
    }
    return true;
}

bool compare_circular(struct test_context *t, const struct expected *expected,
                      const struct bts_record *slots, size_t capacity)
{
    size_t first = expected->count > capacity ? expected->count - capacity : 0;

    for (size_t number = first; number < expected->count; number++) {
        const struct expected_record *record = &expected->records[number];
        const struct bts_record *slot = &slots[number % capacity];

        if (matches(&record->transfer, slot))
            continue;
        FIND(t, RECORD_ORDER, "record %zu of %zu is not in slot %zu of the circular buffer of %zu",
             number, expected->count, number % capacity, capacity);
        note_pair(t, "* ", number, record, slot);
        return false;
    }
    return true;
}
