/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random sequences, changed by a known number of edits: the steps lead from one to the other, with
 * no more differences than edits, and never more than the possible minimum.
 */
#include "tests/spec/align.h"

#include <stdint.h>
#include <string.h>

#include "tests/host/unit/check.h"

#define LENGTH_MAX 4000
#define ROUNDS     3000

struct item {
    uint8_t from, to;
    enum presence presence; /* of what is expected */
    bool is_old;            /* of what is got */
};

static struct item expected[LENGTH_MAX], got[2 * LENGTH_MAX];
static struct sequences s;
static uint32_t seed = 1;

static unsigned below(unsigned limit)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % limit;
}

static enum likeness like(const void *both, size_t e, size_t g)
{
    bool from = expected[e].from == got[g].from, to = expected[e].to == got[g].to;

    (void)both;
    return from && to ? ALIKE : from || to ? ALIKE_HALF : ALIKE_NOT;
}

static enum presence presence(const void *both, size_t e)
{
    (void)both;
    return expected[e].presence;
}

static bool is_old(const void *both, size_t g)
{
    (void)both;
    return got[g].is_old;
}

/* What the steps say, and whether they are true and in order. */
struct account {
    size_t expected, got, differences, same, extra;
};

static void visit(void *context, const struct step *step)
{
    struct account *a = context;

    CHECK(step->expected == a->expected && step->got == a->got, "steps out of order");
    switch (step->kind) {
    case STEP_SAME:
        CHECK(like(NULL, step->expected, step->got) == ALIKE, "SAME, and is not");
        CHECK(expected[step->expected].presence != PRESENCE_MUST_NOT, "SAME, and must not be");
        a->same++;
        break;
    case STEP_ALTERED:
        CHECK(like(NULL, step->expected, step->got) == ALIKE_HALF, "ALTERED, and is not");
        break;
    case STEP_ABSENT:
        CHECK(expected[step->expected].presence != PRESENCE_MUST, "ABSENT, and must be there");
        break;
    default:
        break;
    }
    a->extra += step->kind == STEP_EXTRA;
    a->differences +=
        step->kind == STEP_EXTRA || step->kind == STEP_MISSING || step->kind == STEP_ALTERED;
    a->expected += step->kind != STEP_EXTRA && step->kind != STEP_OLD;
    a->got += step->kind != STEP_MISSING && step->kind != STEP_ABSENT;
}

static struct account run(size_t expected_count, size_t got_count)
{
    struct account a = {0};
    size_t passed;

    s = (struct sequences){.expected = expected_count,
                           .got = got_count,
                           .like = like,
                           .presence = presence,
                           .open_end = s.open_end,
                           .is_old = s.is_old};
    passed = align(&s, visit, &a);
    CHECK(a.got == got_count, "%zu of %zu got were visited", a.got, got_count);
    CHECK(passed == a.expected && (s.open_end || passed == expected_count), "expected left over");
    return a;
}

static void make(size_t count, unsigned alphabet)
{
    for (size_t i = 0; i < count; i++) {
        expected[i] = (struct item){.from = (uint8_t)below(alphabet),
                                    .to = (uint8_t)below(alphabet),
                                    .presence = PRESENCE_MUST};
        got[i] = expected[i];
    }
}

/* One edit at a random place at or behind the one given; returns the new length. */
static size_t edit(size_t count, size_t at, unsigned alphabet)
{
    switch (below(3)) {
    case 0:
        memmove(&got[at], &got[at + 1], (count - at - 1) * sizeof got[0]);
        return count - 1;
    case 1:
        memmove(&got[at + 1], &got[at], (count - at) * sizeof got[0]);
        got[at] = (struct item){.from = (uint8_t)below(alphabet), .to = (uint8_t)below(alphabet)};
        return count + 1;
    default:
        got[at].from = (uint8_t)below(alphabet);
        return count;
    }
}

/* The fewest differences, by the whole table: the alignment's own way, without its window. */
static size_t fewest(size_t expected_count, size_t got_count)
{
    static size_t cost[64][64];

    for (size_t e = 0; e <= expected_count; e++)
        for (size_t g = 0; g <= got_count; g++) {
            size_t best = e || g ? SIZE_MAX : 0;
            enum presence here = e ? expected[e - 1].presence : PRESENCE_MUST;

            if (e && g && here != PRESENCE_MUST_NOT && like(NULL, e - 1, g - 1) != ALIKE_NOT)
                best = cost[e - 1][g - 1] + (like(NULL, e - 1, g - 1) == ALIKE_HALF);
            if (e && cost[e - 1][g] + (here == PRESENCE_MUST) < best)
                best = cost[e - 1][g] + (here == PRESENCE_MUST);
            if (g && cost[e][g - 1] + 1 < best)
                best = cost[e][g - 1] + 1;
            cost[e][g] = best;
        }
    return cost[expected_count][got_count];
}

static void check_short_ones_are_optimal(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t count = 1 + below(20), got_count = count;
        unsigned alphabet = 2 + below(40), edits = below(6);
        struct account a;

        make(count, alphabet);
        for (size_t i = 0; round % 2 && i < count; i++)
            expected[i].presence = (enum presence)below(3);
        for (unsigned i = 0; i < edits && got_count > 1; i++)
            got_count = edit(got_count, below((unsigned)got_count), alphabet);
        a = run(count, got_count);
        CHECK(a.differences == fewest(count, got_count), "round %u: %zu differences, %zu do", round,
              a.differences, fewest(count, got_count));
    }
}

static void check_long_ones(void)
{
    for (unsigned round = 0; round < 100; round++) {
        size_t count = 1000 + below(LENGTH_MAX - 1000), got_count = count;
        unsigned alphabet = 2 + below(200), edits = below(100);
        struct account a;

        make(count, alphabet);
        for (unsigned i = 0; i < edits; i++)
            got_count = edit(got_count, below((unsigned)got_count), alphabet);
        a = run(count, got_count);
        CHECK(a.differences <= edits, "round %u: %zu differences by %u edits", round, a.differences,
              edits);
    }
}

/* Longer than can be seen ahead: a run of extra ones, or of missing ones. */
static void check_long_runs(void)
{
    for (size_t length = 1; length < 300; length += 7) {
        size_t count = 600, at = 1 + below(500);

        make(count, 200);
        memmove(&got[at + length], &got[at], (count - at) * sizeof got[0]);
        for (size_t i = 0; i < length; i++)
            got[at + i] = (struct item){.from = 250, .to = (uint8_t)below(200)};
        CHECK(run(count, count + length).differences == length, "%zu extra", length);

        make(count, 200);
        at = below((unsigned)(count - length));
        memmove(&got[at], &got[at + length], (count - at - length) * sizeof got[0]);
        CHECK(run(count, count - length).differences == length, "%zu missing", length);
    }
}

/* Nothing in common: it ends, and says that all is missing and all is extra. */
static void check_nothing_in_common(void)
{
    make(500, 10);
    for (size_t i = 0; i < 500; i++)
        got[i] = (struct item){.from = 99, .to = 99};
    CHECK(run(500, 500).differences == 1000, "something was alike");
    CHECK(run(0, 500).differences == 500 && run(500, 0).differences == 500, "against nothing");
    CHECK(run(0, 0).differences == 0, "nothing against nothing");
}

/* A record that is too many stays too many although its TO is that of the next one expected. */
static void check_an_extra_one_is_not_an_altered_one(void)
{
    make(10, 100);
    memmove(&got[5], &got[4], 6 * sizeof got[0]);
    got[4] = (struct item){.from = got[3].from, .to = expected[4].to};
    CHECK(run(10, 11).differences == 1 && run(10, 11).extra == 1, "explained away");
}

/* A stack: what is expected behind its end fell off, what is got behind the expected may be old. */
static void check_ends(void)
{
    s.open_end = true;
    make(100, 50);
    CHECK(run(100, 32).differences == 0, "what has no room is a difference");
    s.is_old = is_old;
    make(100, 50);
    for (size_t i = 10; i < 32; i++)
        got[i] = (struct item){.from = 99, .to = (uint8_t)i, .is_old = true};
    CHECK(run(10, 32).differences == 0, "old ones are differences");
    got[20].is_old = false;
    CHECK(run(10, 32).differences == 1 && run(10, 32).extra == 1, "a new one is not seen");
    s.open_end = false;
    s.is_old = NULL;
}

static bool was_sure;

static void note_sure(void *context, const struct step *step)
{
    (void)context;
    if (step->kind == STEP_ABSENT)
        was_sure = step->sure;
}

/* An optional element is surely absent only if what follows agrees. */
static void check_what_is_sure(void)
{
    make(6, 100);
    expected[2].presence = PRESENCE_MAY;
    memmove(&got[2], &got[3], 3 * sizeof got[0]);
    run(6, 5);
    align(&s, note_sure, NULL);
    CHECK(was_sure, "not sure of one that is absent");
    make(6, 100);
    expected[5].presence = PRESENCE_MAY;
    run(6, 5);
    was_sure = false;
    align(&s, note_sure, NULL);
    CHECK(was_sure, "not sure at the end");
}

int main(void)
{
    check_short_ones_are_optimal();
    check_long_ones();
    check_long_runs();
    check_nothing_in_common();
    check_an_extra_one_is_not_an_altered_one();
    check_ends();
    check_what_is_sure();
    return check_result();
}
