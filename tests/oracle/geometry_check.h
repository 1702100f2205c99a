/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs with a BTS buffer of any geometry, and checks all that must be there afterwards. */
#ifndef TESTS_ORACLE_GEOMETRY_CHECK_H
#define TESTS_ORACLE_GEOMETRY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"
#include "tests/run/program.h"

/* Index, maximum and threshold are in bytes from the base. */
struct geometry {
    size_t base_offset; /* bytes from the start of the buffer's first page to the base */
    size_t index, absolute_maximum, threshold;
    bool interrupts; /* BTINT */
    enum sled_place place;
    size_t transfers;
    const struct workload *workload; /* instead of a sled; the threshold is never reached */
    bool impatient; /* the test has failed already: do not wait a second for an interrupt */
};

#define GEOMETRY_BYTES 288u /* the largest absolute maximum */

/* Learns what the check needs: how the processor reads the absolute maximum and treats a full
 * buffer. False if it could not. */
bool geometry_learn(struct test_context *t);

/* Is there room for a first record at the index? If not, only software can have left the index
 * there. */
bool geometry_has_room(const struct geometry *geometry);

void geometry_check(struct test_context *t, const struct geometry *geometry);

#endif
