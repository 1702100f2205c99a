/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the processor do what the reference says, whatever state it is in? Each walk is made from a
 * seed (tests/random/walk.h): settings, layouts, code in every ring, interrupts, in any order. One
 * that fails is shrunk to the fewest steps that still do.
 */
#include "kernel/test.h"
#include "tests/oracle/reference_learn.h"
#include "tests/random/random_numbers.h"
#include "tests/random/walk.h"

#define WALKS 4  /* a test and repetition */
#define STEPS 40
#define TESTS 11 /* each takes seeds that none of the others in this suite does */

static struct walk walk;

static void note_walk(struct test_context *t, uint64_t seed, unsigned processor)
{
    size_t whole = walk.count;
    char text[200];

    walk_shrink(t, &walk, processor);
    test_note(t, "that was the walk of seed 0x%lx; of its first %zu steps these still fail:", seed,
              whole);
    for (size_t i = 0; i < walk.count; i++)
        test_note(t, "  %2zu %s", i + 1, walk_format(&walk.steps[i], text, sizeof text));
}

static void check_walk(struct test_context *t, uint64_t seed, unsigned processor)
{
    struct random_numbers numbers = random_seeded(~seed);

    walk_draw(&walk, STEPS, &numbers);
    walk.count = walk_do(t, &walk, processor);
    if (!test_has_failed(t))
        return;
    test_replays_from(t, seed);
    note_walk(t, seed, processor);
}

static void check_walks(struct test_context *t, unsigned number, unsigned processor)
{
    uint64_t first = test_repetition(t) * WALKS;

    reference_learn(t);
    for (uint64_t n = first; n < first + WALKS && !test_has_failed(t); n++)
        check_walk(t, random_seed_number(test_seed(t), n ? n * TESTS + number : 0), processor);
}

TEST(random, states, CLAIMS(), NEEDS(BTS, APIC, SYSCALL))
{
    check_walks(t, 0, 0);
}
