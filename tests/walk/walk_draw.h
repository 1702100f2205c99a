/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a walk: drawn from numbers, and as text. */
#ifndef TESTS_WALK_WALK_DRAW_H
#define TESTS_WALK_WALK_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/random/random_numbers.h"

#define WALK_STEPS_MAX   64
#define WALK_NUMBERS     5
#define WALK_COUNTERS    16  /* counters that a walk may program */
#define WALK_RECORDS     150 /* most records of a buffer */
#define WALK_PIECE_JUMPS 260 /* most jumps of a WALK_JUMPS */

/* Steps from WALK_DEBUGCTL on are done while IA32_DEBUGCTL and IA32_PERF_GLOBAL_CTRL are on. */
enum walk_kind {
    WALK_LAYOUT,      /* sets the BTS fields of an area */
    WALK_AREA,        /* points IA32_DS_AREA at the other area */
    WALK_INDEX,       /* only the index field */
    WALK_THRESHOLD,   /* only the threshold field */
    WALK_SELECT,      /* MSR_LBR_SELECT */
    WALK_LBR_CLEAR,   /* clears the LBR stack */
    WALK_COUNTER,     /* event, rings, interrupt, value of a counter */
    WALK_PEBS,        /* IA32_PEBS_ENABLE, for counters that are off */
    WALK_UNMASK,      /* unmasks the LVT performance entry */
    WALK_MASK,        /* masks it */
    WALK_TAKE,        /* IF = 1 for a moment */
    WALK_DEBUGCTL,    /* IA32_DEBUGCTL */
    WALK_CONTROL,     /* IA32_PERF_GLOBAL_CTRL */
    WALK_ACKNOWLEDGE, /* bits of IA32_PERF_GLOBAL_STATUS cleared */
    WALK_STATUS_SET,  /* bits of IA32_PERF_GLOBAL_STATUS set */
    WALK_JUMPS,       /* a number of jumps, in ring 0 or 3 */
    WALK_PIECE,       /* one of the workloads */
    WALK_KINDS,
};

struct walk_step {
    enum walk_kind kind;
    bool joined;                   /* in one burst with the step before it, if both can be */
    bool open;                     /* first of a burst: runs with IF = 1 */
    uint32_t number[WALK_NUMBERS]; /* parameters, by kind */
    uint64_t value;
};

struct walk {
    struct walk_step steps[WALK_STEPS_MAX];
    size_t count;
};

/* Is the step done in a burst: is its kind WALK_DEBUGCTL or one after it? */
bool walk_is_live(const struct walk_step *step);

/* Draws `count` steps. */
void walk_draw(struct walk *walk, size_t count, struct random_numbers *numbers);

/* Writes the step as a line, such as "DEBUGCTL = TR BTS". Returns text. */
char *walk_format(const struct walk_step *step, char *text, size_t size);

#endif
