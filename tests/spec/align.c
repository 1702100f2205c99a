/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/align.h"

#include <stdint.h>

#define COST     2u         /* of one that is missing, too many, or altered */
#define TOO_MUCH UINT16_MAX /* no way leads there */

/* With an open end, giving up the last ones got would be cheaper than to see what is missing. */
#define COST_BEFORE_OPEN_END (8 * COST)

#define SIDE (ALIGN_WINDOW + 1)

/* The part of both sequences that is looked at: costs of the cheapest way to each pair of places.
 */
struct window {
    const struct sequences *s;
    size_t expected, got; /* where it begins */
    size_t rows, columns; /* how many of each are in it */
    uint16_t cost[SIDE][SIDE];
};

static bool uses_expected(enum step_kind kind)
{
    return kind != STEP_EXTRA && kind != STEP_OLD;
}

static bool uses_got(enum step_kind kind)
{
    return kind != STEP_MISSING && kind != STEP_ABSENT;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static unsigned cost_of_absence(const struct window *w, size_t row)
{
    return w->s->presence(w->s->both, w->expected + row) == PRESENCE_MUST ? COST : 0;
}

static unsigned cost_of_pair(const struct window *w, size_t row, size_t column)
{
    size_t expected = w->expected + row;

    if (w->s->presence(w->s->both, expected) == PRESENCE_MUST_NOT)
        return TOO_MUCH;
    switch (w->s->like(w->s->both, expected, w->got + column)) {
    case ALIKE:
        return 0;
    case ALIKE_HALF:
        return COST;
    default:
        return TOO_MUCH;
    }
}

static unsigned cost_of_extra(const struct window *w, size_t row, size_t column)
{
    bool nothing_more = w->expected + row == w->s->expected;

    if (nothing_more && w->s->is_old && w->s->is_old(w->s->both, w->got + column))
        return 0;
    return w->s->open_end ? COST_BEFORE_OPEN_END : COST;
}

/* The last step of the cheapest way to the pair of places, and what the way costs. */
static enum step_kind last_step(const struct window *w, size_t row, size_t column, unsigned *cost)
{
    enum step_kind kind = STEP_SAME;
    unsigned best = TOO_MUCH;

    if (row && column) {
        unsigned pair = cost_of_pair(w, row - 1, column - 1);

        if (pair != TOO_MUCH) {
            best = w->cost[row - 1][column - 1] + pair;
            kind = pair ? STEP_ALTERED : STEP_SAME;
        }
    }
    if (row && w->cost[row - 1][column] + cost_of_absence(w, row - 1) < best) {
        best = w->cost[row - 1][column] + cost_of_absence(w, row - 1);
        kind = cost_of_absence(w, row - 1) ? STEP_MISSING : STEP_ABSENT;
    }
    if (column && w->cost[row][column - 1] + cost_of_extra(w, row, column - 1) < best) {
        best = w->cost[row][column - 1] + cost_of_extra(w, row, column - 1);
        kind = cost_of_extra(w, row, column - 1) ? STEP_EXTRA : STEP_OLD;
    }
    *cost = best;
    return kind;
}

/* Do both have as much to come, all of which must be there? */
static bool is_even(const struct window *w)
{
    const struct sequences *s = w->s;

    if (s->expected - w->expected != s->got - w->got || s->open_end || s->is_old)
        return false;
    for (size_t row = 0; row < w->rows; row++)
        if (s->presence(s->both, w->expected + row) != PRESENCE_MUST)
            return false;
    return true;
}

/*
 * How far the cheapest way strays from pairing one by one. Each place further costs one that is
 * missing or too many: no further than what pairing one by one costs, where it can be done.
 */
static size_t reach(const struct window *w)
{
    unsigned straight = 0;

    if (!is_even(w))
        return SIDE;
    for (size_t row = 0; row < w->rows; row++) {
        unsigned pair = cost_of_pair(w, row, row);

        if (pair == TOO_MUCH)
            return SIDE;
        straight += pair;
    }
    return straight / COST;
}

static void fill(struct window *w)
{
    size_t far = reach(w);

    for (size_t row = 0; row <= w->rows; row++) {
        for (size_t column = 0; column <= w->columns; column++) {
            unsigned cost = row || column ? TOO_MUCH : 0;

            if ((row || column) && row <= column + far && column <= row + far)
                last_step(w, row, column, &cost);
            w->cost[row][column] = (uint16_t)cost;
        }
    }
}

/* What the rest costs at least, by its lengths alone. */
static size_t cost_of_rest(const struct window *w, size_t row, size_t column)
{
    size_t expected = w->s->expected - w->expected - row;
    size_t got = w->s->got - w->got - column;

    if (got > expected)
        return w->s->is_old ? 0 : COST * (got - expected);
    return w->s->open_end ? 0 : COST * (expected - got);
}

/* The best place on the far edges: where both are used up, or as far as can be seen. */
static void choose_end(const struct window *w, size_t *end_row, size_t *end_column)
{
    size_t best = SIZE_MAX;

    for (size_t row = 0; row <= w->rows; row++) {
        for (size_t column = 0; column <= w->columns; column++) {
            size_t cost = w->cost[row][column] + cost_of_rest(w, row, column);

            if ((row < w->rows && column < w->columns) || row + column == 0 || cost > best)
                continue;
            best = cost;
            *end_row = row;
            *end_column = column;
        }
    }
}

/* The way from the window's beginning to the end, into steps; returns how many. */
static size_t trace_back(const struct window *w, size_t row, size_t column, enum step_kind *steps)
{
    size_t count = 0;

    while (row || column) {
        unsigned cost;
        enum step_kind kind = last_step(w, row, column, &cost);

        steps[count++] = kind;
        row -= uses_expected(kind);
        column -= uses_got(kind);
    }
    for (size_t i = 0; i < count / 2; i++) {
        enum step_kind kept = steps[i];

        steps[i] = steps[count - 1 - i];
        steps[count - 1 - i] = kept;
    }
    return count;
}

struct walk {
    const struct sequences *s;
    size_t expected, got;
    void (*visit)(void *context, const struct step *step);
    void *context;
};

static void take(struct walk *walk, enum step_kind kind, bool sure)
{
    const struct step step = {
        .kind = kind, .expected = walk->expected, .got = walk->got, .sure = sure};

    walk->visit(walk->context, &step);
    walk->expected += uses_expected(kind);
    walk->got += uses_got(kind);
}

/* Over what differs, up to where both agree again; or over one that may be there, and is. */
static void take_difference(struct walk *walk)
{
    enum step_kind steps[2 * ALIGN_WINDOW];
    struct window w = {
        .s = walk->s,
        .expected = walk->expected,
        .got = walk->got,
        .rows = smaller(walk->s->expected - walk->expected, ALIGN_WINDOW),
        .columns = smaller(walk->s->got - walk->got, ALIGN_WINDOW),
    };
    size_t row = 0, column = 0, count, differing = 0;
    bool sure;

    fill(&w);
    choose_end(&w, &row, &column);
    count = trace_back(&w, row, column, steps);
    while (differing < count && steps[differing] != STEP_SAME)
        differing++;
    sure = differing < count ||
           (w.expected + row == walk->s->expected && w.got + column == walk->s->got);
    if (differing == 0)
        take(walk, STEP_SAME, true);
    for (size_t i = 0; i < differing; i++)
        take(walk, steps[i], sure);
}

/* Beyond doubt: that which may be there as well as not could stand for the next one. */
static bool agrees(const struct walk *walk)
{
    const struct sequences *s = walk->s;

    return walk->expected < s->expected && walk->got < s->got &&
           s->presence(s->both, walk->expected) == PRESENCE_MUST &&
           s->like(s->both, walk->expected, walk->got) == ALIKE;
}

static bool is_over(const struct walk *walk)
{
    const struct sequences *s = walk->s;

    return walk->got == s->got && (walk->expected == s->expected || s->open_end);
}

size_t align(const struct sequences *s, void (*visit)(void *context, const struct step *step),
             void *context)
{
    struct walk walk = {.s = s, .visit = visit, .context = context};

    while (!is_over(&walk)) {
        if (agrees(&walk))
            take(&walk, STEP_SAME, true);
        else
            take_difference(&walk);
    }
    return walk.expected;
}
