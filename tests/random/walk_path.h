/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one burst of a walk does, in order: as operations for the processor, and as writes and
 * transfers for the reference.
 */
#ifndef TESTS_RANDOM_WALK_PATH_H
#define TESTS_RANDOM_WALK_PATH_H

#include "tests/random/walk_machine.h"

#define PATH_ITEMS_MAX REFERENCE_TRANSFERS_MAX

/* A straight piece of code, and what ends it: a write, or a transfer. */
struct path_item {
    bool is_write;
    size_t operation; /* the one that it belongs to, from 0 */
    uint32_t number;  /* the register's */
    uint64_t value;
    struct transfer transfer;
};

struct path {
    struct reference *reference;
    bool has_company; /* another processor does a walk: no gates, no stack but this one's own */
    struct path_item items[PATH_ITEMS_MAX];
    size_t count;
    struct burst_operation *first, *next;
    const struct burst_code *code;   /* what does them */
    const struct workload *landings; /* of what is called, or NULL */
};

/* Does the step fit behind so many others? At most one of them has landings. */
bool path_has_room(const struct walk_step *steps, size_t count, const struct walk_step *next);

/* Of a WALK_PIECE with this number. */
const char *path_workload_name(uint32_t number);

/* Fills operations, as the burst's steps are added. */
void path_begin(struct path *path, struct burst_operation *operations);
void path_add(struct path *path, const struct walk_step *step);
void path_end(struct path *path);

/* Whether an interrupt must be pending at the end, if none came meanwhile. */
bool path_wants_interrupt(struct path *path);

/* Tells the reference all that happened, interrupts included. */
void path_tell(struct test_context *t, struct path *path, const struct walk_seen *seen);

#endif
