/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the manual says of a thing: no, yes, or that it may be either way. */
#ifndef TESTS_SPEC_MAYBE_H
#define TESTS_SPEC_MAYBE_H

enum maybe { NO, MAYBE, YES };

static inline enum maybe maybe_most(enum maybe a, enum maybe b)
{
    return a > b ? a : b;
}

static inline enum maybe maybe_least(enum maybe a, enum maybe b)
{
    return a < b ? a : b;
}

static inline enum maybe maybe_not(enum maybe a)
{
    return (enum maybe)(YES - a);
}

/* YES stays YES, and so does MAYBE where the other is NO. */
static inline void maybe_raise(enum maybe *what, enum maybe to)
{
    *what = maybe_most(*what, to);
}

#endif
