/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How this processor reads what the manual leaves open. Each reading is learnt the first time a
 * trace shows it, printed as "# observed:", and from then on the processor is held to it.
 */
#ifndef TESTS_ORACLE_READINGS_H
#define TESTS_ORACLE_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/test.h"
#include "tests/workloads/workload.h"

/* Every reading starts as 0: not seen yet. */
enum reading_crossing { CROSSING_UNSEEN, CROSSING_STORED, CROSSING_NOT_STORED };

/*
 * Is a transfer of this kind that mode_judge() calls open stored under this setting? A change of
 * ring with one OFF bit set (F4.33), or a debug exception (F4.7).
 */
enum reading_crossing reading_of_crossing(uint64_t debugctl, uint32_t kind);
void reading_learn_crossing(struct test_context *t, uint64_t debugctl, uint32_t kind, bool stored);

/*
 * What FROM holds for a kind that has two readings (struct transfer, from_next), mostly the
 * instruction or the one after it. F4.3, F4.4. INT3 and INTO may follow INT n, no more; INT n in
 * real-address mode, which goes through no gate, is a kind of its own.
 */
enum reading_from { FROM_UNSEEN, FROM_INSTRUCTION, FROM_NEXT };
enum reading_from reading_of_from(uint32_t kind);
void reading_learn_from(struct test_context *t, uint32_t kind, enum reading_from reading);

/* When the buffer is full: F3.22, the three readings in its order. */
enum reading_limit {
    LIMIT_UNSEEN,
    LIMIT_INDEX_BELOW_MAXIMUM,  /* a: a record is stored while index < absolute maximum */
    LIMIT_RECORD_FITS,          /* b: while index + 24 <= absolute maximum */
    LIMIT_RECORD_FITS_STRICTLY, /* c: while index + 24 < absolute maximum */
};
enum reading_limit reading_of_limit(void);
void reading_learn_limit(struct test_context *t, enum reading_limit reading);

/* Whole records stored before the buffer is full, for absolute maximum = base + records, or one
 * byte more. */
size_t reading_capacity(enum reading_limit reading, size_t records, bool maximum_plus_one);

/* Index after the last record that fits, in circular mode: back at the base, or left at the end.
 * F3.25a. */
enum reading_wrap { WRAP_UNSEEN, WRAP_EAGER, WRAP_LAZY };
enum reading_wrap reading_of_wrap(void);
void reading_learn_wrap(struct test_context *t, enum reading_wrap reading);

/* What becomes of records once the buffer is full with BTINT set. F5.5. */
enum reading_full { FULL_UNSEEN, FULL_DROPS, FULL_WRAPS };
enum reading_full reading_of_full(void);
void reading_learn_full(struct test_context *t, enum reading_full reading);

#endif
