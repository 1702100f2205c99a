/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk goes over states of the processor: register writes, buffer setups, code and interrupts, in
 * an order drawn from a seed. After each step everything observable is compared with the reference
 * (tests/oracle/reference.h). All steps are drawn, whether or not the processor can do them; what
 * it lacks is left out when the step is done.
 */
#ifndef TESTS_RANDOM_WALK_H
#define TESTS_RANDOM_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
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

/* A walk on processor 0, and perhaps a second one on another processor, step by step together. The
 * other processor is started by INIT before and stopped afterwards. */
struct walks {
    struct walk walk[2];
    unsigned other; /* number of the other processor; 0: none */
};

/*
 * Does the walks from a state in which everything is off, and reports differences from the
 * reference. Cuts the walks after a step that fails.
 */
void walks_do(struct test_context *t, struct walks *walks);

/* Shortens walks that fail to ones that still do, within a time limit. */
void walks_shrink(struct test_context *t, struct walks *walks);

/* Repeats walks that fail, and writes the differences as notes, not as findings. */
void walks_tell(struct test_context *t, const struct walks *walks);

#endif
