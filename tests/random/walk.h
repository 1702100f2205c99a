/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk over states of the processor: writes of its registers, buffers laid out, code, interrupts
 * taken, in an order that a seed chooses. After each step all that can be seen is compared with the
 * reference (tests/oracle/reference.h). Every choice is drawn whether or not the processor can do
 * it; what it has not is left out when the step is done.
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
#define WALK_COUNTERS    16 /* of which a walk programs any */
#define WALK_RECORDS     150
#define WALK_PIECE_JUMPS 260

/* Those from DEBUGCTL on are done while IA32_DEBUGCTL and IA32_PERF_GLOBAL_CTRL are on. */
enum walk_kind {
    WALK_LAYOUT,      /* the BTS fields of an area, anew */
    WALK_AREA,        /* IA32_DS_AREA to the other one */
    WALK_INDEX,       /* the index field alone */
    WALK_THRESHOLD,   /* the threshold field alone */
    WALK_SELECT,      /* MSR_LBR_SELECT */
    WALK_LBR_CLEAR,   /* zeroes to the stack */
    WALK_COUNTER,     /* event, rings, interrupt, value of a counter */
    WALK_PEBS,        /* IA32_PEBS_ENABLE, of counters that are off */
    WALK_UNMASK,      /* the LVT performance entry */
    WALK_MASK,        /* likewise */
    WALK_TAKE,        /* IF = 1 for a moment */
    WALK_DEBUGCTL,    /* IA32_DEBUGCTL */
    WALK_CONTROL,     /* IA32_PERF_GLOBAL_CTRL */
    WALK_ACKNOWLEDGE, /* bits of IA32_PERF_GLOBAL_STATUS cleared */
    WALK_STATUS_SET,  /* bits of IA32_PERF_GLOBAL_STATUS set */
    WALK_JUMPS,       /* so many, in ring 0 or 3 */
    WALK_PIECE,       /* one of the workloads */
    WALK_KINDS,
};

struct walk_step {
    enum walk_kind kind;
    bool joined; /* done together with the step before it, where both can be: nothing goes off */
    bool open;   /* the first of such a burst: IF = 1 */
    uint32_t number[WALK_NUMBERS];
    uint64_t value;
};

struct walk {
    struct walk_step steps[WALK_STEPS_MAX];
    size_t count;
};

bool walk_is_live(const struct walk_step *step);

/* So many steps, from numbers. */
void walk_draw(struct walk *walk, size_t count, struct random_numbers *numbers);

/* One line: "DEBUGCTL = TR BTS". Returns text. */
char *walk_format(const struct walk_step *step, char *text, size_t size);

/* Where walks are done: one on processor 0; or that, and another one at the same time on another
 * processor, step by step together. That one is started for it, by INIT, and stopped after it. */
struct walks {
    struct walk walk[2];
    unsigned other; /* the other processor; 0: none */
};

/*
 * Does the walks, from a state in which all is off, and reports what is not as the reference has
 * it. Where a step fails the walks are cut behind it.
 */
void walks_do(struct test_context *t, struct walks *walks);

/* From walks that fail to shorter ones that do; bounded in time. */
void walks_shrink(struct test_context *t, struct walks *walks);

/* Does walks that fail once more, and notes what is wrong then, which is nobody's finding. */
void walks_tell(struct test_context *t, const struct walks *walks);

#endif
