/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models a BTS buffer of any geometry, record by record: where each goes, what the index is then,
 * and whether the interrupt is due. Index, absolute maximum and threshold are bytes from the base.
 * They need not be at a record's boundary, because the manual defines them by arithmetic on
 * addresses (F3.22, F5.1).
 */
#ifndef TESTS_ORACLE_BUFFER_MODEL_H
#define TESTS_ORACLE_BUFFER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include "tests/oracle/choices.h"

#define BUFFER_MODEL_RECORDS 48

enum interrupt_due { INTERRUPT_NOT_DUE, INTERRUPT_DUE, INTERRUPT_OPEN };

struct buffer_model {
    size_t index, maximum, threshold;
    bool circular;           /* BTINT is clear */
    enum choice_value limit; /* CHOICE_LIMIT */
    enum choice_value full;  /* CHOICE_FULL; if the buffer is not circular */

    size_t stored;                   /* records, with overwritten ones, without dropped ones */
    size_t at[BUFFER_MODEL_RECORDS]; /* where each went, in bytes from the base */
    bool reached; /* a record left the index at or past the threshold, and room for another */
    bool reached_at_end; /* a record left it there, and no room for another */
};

/* Is there room for a record at the index? */
bool buffer_model_fits(const struct buffer_model *model);

/* Stores one more record, or drops it. */
void buffer_model_store(struct buffer_model *model);

/* Number of the first record from which on none is overwritten, not even in part. */
size_t buffer_model_first_intact(const struct buffer_model *model);

/* Was the byte written? */
bool buffer_model_covers(const struct buffer_model *model, size_t byte);

enum interrupt_due buffer_model_interrupt(const struct buffer_model *model);

#endif
