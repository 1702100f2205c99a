/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligns an expected sequence with one that was got, so that a missing element does not make all
 * later ones wrong. Where the two differ, it looks a bounded way ahead for the fewest differences.
 * Pure.
 */
#ifndef TESTS_SPEC_ALIGN_H
#define TESTS_SPEC_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#define ALIGN_WINDOW 32 /* elements that it looks ahead, in both sequences */

/* ALIKE_HALF: half of the element agrees, so it may be the expected one, altered. */
enum likeness { ALIKE_NOT, ALIKE_HALF, ALIKE };

enum presence { PRESENCE_MUST, PRESENCE_MAY, PRESENCE_MUST_NOT };

struct sequences {
    size_t expected, got; /* lengths */
    bool open_end; /* no difference: expected elements after the last one got, for want of room */
    enum likeness (*like)(const void *both, size_t expected, size_t got);
    enum presence (*presence)(const void *both, size_t expected);
    /* For an element got where none is expected any more: was it there before? NULL: never. */
    bool (*is_old)(const void *both, size_t got);
    const void *both; /* passed to the functions above */
};

enum step_kind {
    STEP_SAME,
    STEP_ALTERED, /* ALIKE_HALF */
    STEP_MISSING, /* expected before the one got */
    STEP_EXTRA,
    STEP_ABSENT, /* not got, and it may or must be absent */
    STEP_OLD,    /* got after the last expected one, and it was there before */
};

struct step {
    enum step_kind kind;
    size_t expected, got; /* positions; ABSENT, MISSING use up no got, EXTRA, OLD no expected */
    bool sure;            /* ABSENT only: what follows agrees, or is the end */
};

/*
 * Calls visit for each step, in order. like, presence and is_old may answer otherwise after a call
 * of visit. Returns how many expected elements were passed, which is fewer than all only with
 * open_end.
 */
size_t align(const struct sequences *s, void (*visit)(void *context, const struct step *step),
             void *context);

#endif
