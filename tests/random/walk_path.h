/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one burst of a walk does, in order: as operations for the processor, and as writes and
 * transfers for the reference.
 */
#ifndef TESTS_RANDOM_WALK_PATH_H
#define TESTS_RANDOM_WALK_PATH_H

#include "tests/random/walk_machine.h"

/* Does the step fit behind so many others? At most one of them has landings. */
bool path_has_room(const struct walk_step *steps, size_t count, const struct walk_step *next);

/* Fills operations, as the burst's steps are added. path_end() returns whose landings it needs. */
void path_begin(struct reference *reference, struct burst_operation *operations);
void path_add(const struct walk_step *step);
const struct workload *path_end(void);

/* Whether an interrupt must be pending at the end, if none came meanwhile. */
bool path_wants_interrupt(void);

/* Tells the reference all that happened, interrupts included. */
void path_tell(struct test_context *t, const struct walk_seen *seen);

#endif
