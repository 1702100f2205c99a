/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shorter walk that still fails: steps are left out, many at once and then each, then what is
 * left is made simpler. What the trials find is nobody's failure: they have a context of their own.
 */
#include "kernel/context.h"
#include "kernel/time.h"
#include "tests/random/walk.h"

#define TRIAL_MICROSECONDS 1500000 /* for all trials together */

static struct test_context trial;
static struct wait patience;

static bool fails(struct test_context *t, const struct walk *walk, unsigned processor)
{
    if (!wait_goes_on(&patience))
        return false;
    context_start(&trial, t->test, t->seed, 1);
    walk_do(&trial, walk, processor);
    return test_has_failed(&trial);
}

static struct walk without(const struct walk *walk, size_t first, size_t count)
{
    struct walk less = *walk;

    less.count -= count;
    for (size_t i = first; i < less.count; i++)
        less.steps[i] = walk->steps[i + count];
    return less;
}

/* Leaves out pieces of so many steps wherever that still fails. */
static void leave_out(struct test_context *t, struct walk *walk, unsigned processor, size_t length)
{
    static struct walk less;
    size_t first = walk->count;

    while (first > 0) {
        first = first > length ? first - length : 0;
        if (first + length > walk->count)
            continue;
        less = without(walk, first, length);
        if (fails(t, &less, processor))
            *walk = less;
    }
}

/* One step otherwise: kept where that still fails. */
static void try_step(struct test_context *t, struct walk *walk, unsigned processor, size_t at,
                     const struct walk_step *simpler)
{
    struct walk_step before = walk->steps[at];

    if (!__builtin_memcmp(&before, simpler, sizeof before))
        return;
    walk->steps[at] = *simpler;
    if (!fails(t, walk, processor))
        walk->steps[at] = before;
}

static void simplify_flags(struct test_context *t, struct walk *walk, unsigned processor, size_t at)
{
    struct walk_step simpler = walk->steps[at];

    simpler.open = false;
    try_step(t, walk, processor, at, &simpler);
    simpler = walk->steps[at];
    simpler.joined = false;
    try_step(t, walk, processor, at, &simpler);
}

static void simplify_numbers(struct test_context *t, struct walk *walk, unsigned processor,
                             size_t at)
{
    struct walk_step simpler;

    for (unsigned i = 0; i < WALK_NUMBERS; i++)
        for (unsigned shift = 5; shift > 0; shift--) {
            simpler = walk->steps[at];
            simpler.number[i] = shift == 5 ? 0 : simpler.number[i] - (simpler.number[i] >> shift);
            try_step(t, walk, processor, at, &simpler);
        }
}

/* Bits for those whose value is bits. */
static void simplify_value(struct test_context *t, struct walk *walk, unsigned processor, size_t at)
{
    struct walk_step simpler = walk->steps[at];

    simpler.value = 0;
    try_step(t, walk, processor, at, &simpler);
    for (unsigned bit = 0; bit < 64; bit++)
        if (walk->steps[at].value >> bit & 1) {
            simpler = walk->steps[at];
            simpler.value &= ~(1ull << bit);
            try_step(t, walk, processor, at, &simpler);
        }
}

void walk_shrink(struct test_context *t, struct walk *walk, unsigned processor)
{
    patience = time_wait(TRIAL_MICROSECONDS);
    for (size_t length = walk->count / 2; length > 0; length /= 2)
        leave_out(t, walk, processor, length);
    for (size_t at = 0; at < walk->count; at++) {
        simplify_flags(t, walk, processor, at);
        simplify_numbers(t, walk, processor, at);
        simplify_value(t, walk, processor, at);
    }
    leave_out(t, walk, processor, 1);
}
