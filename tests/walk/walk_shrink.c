/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shorter walk that still fails: steps are left out, many at once and then each, then what is
 * left is made simpler. What the trials find is nobody's failure: they have a context of their own.
 */
#include "kernel/report/context.h"
#include "kernel/machine/time.h"
#include "tests/walk/walk.h"

#define TRIAL_MICROSECONDS 1500000 /* for all trials together */

static struct test_context trial;
static struct wait patience;

static struct walks tried;

static bool try(struct test_context *t, const struct walks *walks)
{
    tried = *walks;
    context_start(&trial, t->test, t->seed, 1);
    walks_do(&trial, &tried);
    return test_has_failed(&trial);
}

static bool fails(struct test_context *t, const struct walks *walks)
{
    return wait_goes_on(&patience) && try(t, walks);
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
static void leave_out(struct test_context *t, struct walks *walks, unsigned which, size_t length)
{
    static struct walks less;
    size_t first = walks->walk[which].count;

    while (first > 0) {
        first = first > length ? first - length : 0;
        if (first + length > walks->walk[which].count)
            continue;
        less = *walks;
        less.walk[which] = without(&walks->walk[which], first, length);
        if (fails(t, &less))
            *walks = less;
    }
}

/* One step otherwise: kept where that still fails. */
static void try_step(struct test_context *t, struct walks *walks, struct walk_step *step,
                     const struct walk_step *simpler)
{
    struct walk_step before = *step;

    if (!__builtin_memcmp(&before, simpler, sizeof before))
        return;
    *step = *simpler;
    if (!fails(t, walks))
        *step = before;
}

static void simplify_flags(struct test_context *t, struct walks *walks, struct walk_step *step)
{
    struct walk_step simpler = *step;

    simpler.open = false;
    try_step(t, walks, step, &simpler);
    simpler = *step;
    simpler.joined = false;
    try_step(t, walks, step, &simpler);
}

/* To zero, or down by a half, a quarter and so on. */
static void simplify_numbers(struct test_context *t, struct walks *walks, struct walk_step *step)
{
    struct walk_step simpler;

    for (unsigned i = 0; i < WALK_NUMBERS; i++)
        for (unsigned shift = 0; shift < 5; shift++) {
            simpler = *step;
            simpler.number[i] -= simpler.number[i] >> shift;
            try_step(t, walks, step, &simpler);
        }
}

/* Most values are bits. */
static void simplify_value(struct test_context *t, struct walks *walks, struct walk_step *step)
{
    struct walk_step simpler = *step;

    simpler.value = 0;
    try_step(t, walks, step, &simpler);
    for (unsigned bit = 0; bit < 64; bit++)
        if (step->value >> bit & 1) {
            simpler = *step;
            simpler.value &= ~(1ull << bit);
            try_step(t, walks, step, &simpler);
        }
}

static void simplify(struct test_context *t, struct walks *walks, struct walk_step *step)
{
    simplify_flags(t, walks, step);
    simplify_numbers(t, walks, step);
    simplify_value(t, walks, step);
}

void walks_shrink(struct test_context *t, struct walks *walks)
{
    patience = time_wait(TRIAL_MICROSECONDS);
    for (unsigned which = 0; which < (walks->other ? 2 : 1); which++)
        for (size_t length = walks->walk[which].count; length > 0; length /= 2)
            leave_out(t, walks, which, length);
    for (unsigned which = 0; which < (walks->other ? 2 : 1); which++) {
        for (size_t at = 0; at < walks->walk[which].count; at++)
            simplify(t, walks, &walks->walk[which].steps[at]);
        leave_out(t, walks, which, 1);
    }
}

/* Each line apart, so that none is taken for a finding of the test. */
void walks_tell(struct test_context *t, const struct walks *walks)
{
    const char *line = trial.notes.text, *end;

    if (!try(t, walks)) {
        test_note(t, "| nothing: it does not fail each time");
        return;
    }
    for (end = line + trial.notes.length; line < end; line++) {
        char text[NOTE_SIZE];
        size_t length = 0;

        for (; line < end && *line != '\n'; line++)
            text[length++] = *line;
        text[length] = '\0';
        test_note(t, "| %s", text);
    }
}
