/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running processor's BTS buffer: lays it out, reads its records, and finds stray writes. */
#ifndef ARCH_TRACE_BTS_H
#define ARCH_TRACE_BTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/trace_state.h"

struct bts_record { /* 64-bit format, F3.10 */
    uint64_t from;
    uint64_t to;
    uint64_t flags;                    /* bit 4: predicted, on processors that have it (F3.11) */
} __attribute__((packed, aligned(4))); /* a doubleword boundary is all that a base needs (F3.20) */

_Static_assert(sizeof(struct bts_record) == BTS_RECORD_SIZE, "F3.10");

/* Whole records that the buffer memory holds, besides a spare one beyond the absolute maximum. */
#define BTS_RECORDS_MAX (BTS_BUFFER_BYTES / BTS_RECORD_SIZE - 1)

/* The same for the large buffer, which has more than 2^13 records and more than 2^17 bytes. */
#define BTS_LARGE_BYTES       0x32000u
#define BTS_LARGE_RECORDS_MAX (BTS_LARGE_BYTES / BTS_RECORD_SIZE - 1)

/* In bts_layout: the threshold lies one record above the absolute maximum, where no index gets
 * (F3.25). From bts_index(): the index is off a record boundary. */
#define BTS_NO_THRESHOLD SIZE_MAX

struct bts_layout {
    size_t records;        /* n: absolute maximum = base + n records */
    size_t threshold;      /* in records from the base, or BTS_NO_THRESHOLD */
    bool maximum_plus_one; /* one byte more, as the manual literally asks (F3.21) */
    size_t base_offset;    /* bytes from the start of the buffer memory, which is page-aligned */
    bool large;            /* uses the large buffer memory, for one processor at a time */
};

/*
 * Poisons the buffer and its surroundings, builds the DS save area for the layout and points
 * IA32_DS_AREA at it. Tracing must be off. Returns NULL, or the reason it refused.
 */
const char *bts_prepare(const struct bts_layout *layout);

/* Like bts_prepare(), but does not write IA32_DS_AREA, which must have the area's address already.
 * This shows whether fields that are filled after the register count as well (F3.39). */
const char *bts_prepare_fields(const struct bts_layout *layout);

/* Changes the buffer during a run, for an interrupt routine. TR must be clear. Poisons nothing, and
 * checks nothing that bts_refusal() checks. */
void bts_switch(const struct bts_layout *layout);

/* Returns why bts_prepare() would refuse the layout, or NULL. Writes nothing. */
const char *bts_refusal(const struct bts_layout *layout);

/*
 * Index, absolute maximum and threshold in bytes from the base. They may lie off record boundaries:
 * software should avoid that (F3.23, F3.26), but the rules say what the processor then does. Call
 * bts_prepare() with a layout that has enough room, then bts_set_fields(), then start the run.
 */
struct bts_fields {
    size_t index, absolute_maximum, threshold;
};
void bts_set_fields(const struct bts_fields *fields);

/* The index field, in bytes from the base. */
uint64_t bts_index_bytes(void);

/* Is every byte in [first, end), counted from the base, still poison? */
bool bts_bytes_are_poison(size_t first, size_t end);

/* The records; record 0 is at the base. */
const struct bts_record *bts_records(void);

/* The index field, in records from the base; BTS_NO_THRESHOLD if it is off a record boundary. */
size_t bts_index(void);

/* Sets where the next record goes, in records from the base. */
void bts_set_index(size_t index);

/* Sets the index to the base, like a handler that drained the buffer. */
void bts_rewind(void);

/* Are the record's 24 bytes still poison? */
bool bts_record_is_poison(size_t number);

/*
 * Looks for a changed byte anywhere but in the first `records` records: in the canary pages, the
 * rest of the buffer memory, and management area fields that only software writes. Returns NULL, or
 * what was changed (static text).
 */
const char *bts_find_stray_write(size_t records);

#endif
