/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the processor do what the reference says, whatever state it is in? Each walk is made from a
 * seed (tests/walk/walk.h): settings, layouts, code in every ring, interrupts, in any order. One
 * that fails is shrunk to the fewest steps that still do.
 */
#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/processors.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/report/test.h"
#include "tests/random/random_numbers.h"
#include "tests/walk/reference_learn.h"
#include "tests/walk/walk.h"

/* A test and repetition. Two processors wait for each other at each step, which takes long where
 * they share one of the host's. */
#define WALKS        4
#define STEPS        40
#define WALKS_OF_TWO 1
#define STEPS_OF_TWO 12
#define TESTS        11 /* each takes seeds that none of the others in this suite does */

static struct walks walks;

static void note_walk(struct test_context *t, const struct walk *walk, unsigned processor)
{
    char text[200];

    test_note(t, "on processor %u:", processor);
    for (size_t i = 0; i < walk->count; i++)
        test_note(t, "  %2zu %s", i + 1, walk_format(&walk->steps[i], text, sizeof text));
}

static void note_walks(struct test_context *t, uint64_t seed)
{
    size_t whole = walks.walk[0].count;

    walks_shrink(t, &walks);
    test_note(t, "that was the walk of seed 0x%lx; of its first %zu steps these still fail:", seed,
              whole);
    note_walk(t, &walks.walk[0], 0);
    if (walks.other)
        note_walk(t, &walks.walk[1], walks.other);
    test_note(t, "and they show:");
    walks_tell(t, &walks);
}

static void check_walk(struct test_context *t, uint64_t seed, unsigned other)
{
    struct random_numbers numbers = random_seeded(~seed);

    size_t steps = other ? STEPS_OF_TWO : STEPS;

    walks.other = other;
    walk_draw(&walks.walk[0], steps, &numbers);
    walk_draw(&walks.walk[1], steps, &numbers);
    walks_do(t, &walks);
    if (!test_has_failed(t))
        return;
    test_replays_from(t, seed);
    note_walks(t, seed);
}

static void check_walks(struct test_context *t, unsigned number, unsigned count, unsigned other)
{
    uint64_t first = test_repetition(t) * count;

    reference_learn(t);
    for (uint64_t n = first; n < first + count && !test_has_failed(t); n++)
        check_walk(t, random_seed_number(test_seed(t), n ? n * TESTS + number : 0), other);
}

TEST(random, states, CLAIMS(), NEEDS(BTS, PMI, SYSCALL))
{
    check_walks(t, 0, WALKS, 0);
}

/* One that the reference is right for as well; 0: none. */
static unsigned other_of_this_kind(void)
{
    for (unsigned i = 1; i < processor_count(); i++)
        if (features_are_probed(i) && cpu_first_of_kind(i) == 0)
            return i;
    return 0;
}

/* Two processors at once, each with settings of its own. */
TEST(random, states_of_two_processors, CLAIMS("ISR-4"), NEEDS(SECOND_PROCESSOR, BTS, PMI, SYSCALL))
{
    unsigned other = other_of_this_kind();

    if (other)
        check_walks(t, 1, WALKS_OF_TWO, other);
    else
        test_skip(t, "no other processor is of the first one's kind (CPUID.1AH:EAX)");
}
