/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One burst of a walk, in order, in two forms: operations for the processor; writes and transfers
 * for the reference.
 */
#ifndef TESTS_WALK_WALK_PATH_H
#define TESTS_WALK_WALK_PATH_H

#include "tests/walk/walk_machine.h"

#define PATH_ITEMS_MAX REFERENCE_TRANSFERS_MAX

/* A straight piece of code and the write or transfer that ends it. */
struct path_item {
    bool is_write;
    size_t operation; /* the operation that it belongs to, from 0 */
    uint32_t number;  /* the MSR's, of a write */
    uint64_t value;
    struct transfer transfer;
};

struct path {
    struct reference *reference;
    bool has_company; /* another processor walks too: no gates, and only this one's own stack */
    struct path_item items[PATH_ITEMS_MAX];
    size_t count;
    struct burst_operation *first, *next;
    const struct burst_code *code;       /* runs the operations */
    const struct workload *entry_points; /* of the code that they call, or NULL */
};

/* Does the step fit after these `count` steps? At most one step of a burst has entry points. */
bool path_has_room(const struct walk_step *steps, size_t count, const struct walk_step *next);

/* Build a burst step by step, and fill `operations`. */
void path_begin(struct path *path, struct burst_operation *operations);
void path_add(struct path *path, const struct walk_step *step);
void path_end(struct path *path);

/* Must an interrupt be pending at the end if none came? */
bool path_wants_interrupt(struct path *path);

/* Reports all that happened, with interrupts, to the reference. */
void path_tell(struct test_context *t, struct path *path, const struct walk_seen *seen);

#endif
