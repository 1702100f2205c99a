/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run with a BTS buffer of any geometry, and all that must be there afterwards. */
#ifndef TESTS_ORACLE_GEOMETRY_CHECK_H
#define TESTS_ORACLE_GEOMETRY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"
#include "tests/run/program.h"

/* Addresses in bytes from the base. */
struct geometry {
    size_t base_offset; /* of the base, from the start of the buffer's first page */
    size_t index, absolute_maximum, threshold;
    bool interrupts; /* BTINT */
    enum sled_place place;
    size_t transfers;
    const struct workload *workload; /* instead of a sled; no threshold to reach */
    bool impatient; /* the test has failed already: no second of waiting for an interrupt */
};

#define GEOMETRY_BYTES 288u /* absolute maximum at most */

/* Learns what must be known before: the readings of the absolute maximum, and of a full buffer.
 * False when it could not. */
bool geometry_learn(struct test_context *t);

/* Is there room for a first record at the index? Where there is none, an index that software set is
 * nothing that the processor could have left. */
bool geometry_has_room(const struct geometry *geometry);

void geometry_check(struct test_context *t, const struct geometry *geometry);

#endif
