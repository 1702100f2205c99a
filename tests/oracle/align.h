/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sequences side by side, what was expected and what was got: which of one is which of the
 * other, so that one that is missing does not make all later ones wrong. Where they agree it goes
 * straight on; where they differ it looks a bounded way ahead for the fewest differences. Pure.
 */
#ifndef TESTS_ORACLE_ALIGN_H
#define TESTS_ORACLE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#define ALIGN_WINDOW 32 /* how far ahead it looks, in both sequences */

/* HALF: half of it is the same, so that it may be the other, altered. */
enum likeness { ALIKE_NOT, ALIKE_HALF, ALIKE };

enum presence { PRESENCE_MUST, PRESENCE_MAY, PRESENCE_MUST_NOT };

struct sequences {
    size_t expected, got; /* how long they are */
    bool open_end;        /* what is expected behind the last one got has no room: no difference */
    enum likeness (*like)(const void *both, size_t expected, size_t got);
    enum presence (*presence)(const void *both, size_t expected);
    /* One got where nothing more is expected: was it there before? NULL: never. */
    bool (*is_old)(const void *both, size_t got);
    const void *both;
};

enum step_kind {
    STEP_SAME,
    STEP_ALTERED, /* alike by half */
    STEP_MISSING, /* expected, in front of the one got */
    STEP_EXTRA,
    STEP_ABSENT, /* as it may be, or must */
    STEP_OLD,    /* got, nothing more is expected, and it was there before */
};

struct step {
    enum step_kind kind;
    size_t expected,
        got;   /* where both are; ABSENT and MISSING use up no got, EXTRA and OLD no expected */
    bool sure; /* of ABSENT: what comes behind agrees, or is the end */
};

/*
 * Calls visit for each step, in order. like, presence and is_old may change their minds between two
 * calls of visit. Returns how many of expected were passed: fewer than all with open_end alone.
 */
size_t align(const struct sequences *s, void (*visit)(void *context, const struct step *step),
             void *context);

#endif
