/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk goes over states of the processor: register writes, buffer setups, code and interrupts, in
 * an order drawn from a seed. After each step everything observable is compared with the reference
 * (tests/walk/reference.h). All steps are drawn, whether or not the processor can do them; what
 * it lacks is left out when the step is done.
 */
#ifndef TESTS_WALK_WALK_H
#define TESTS_WALK_WALK_H

#include "kernel/report/test.h"
#include "tests/walk/walk_draw.h"

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
