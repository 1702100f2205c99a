/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BTS buffer of the running processor: lay it out, read its records, see what was touched.
 */
#ifndef ARCH_TRACE_BTS_H
#define ARCH_TRACE_BTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/ds.h"
#include "arch/trace/trace_state.h"

struct bts_record { /* 64-bit format, F3.10 */
    uint64_t from;
    uint64_t to;
    uint64_t flags;                    /* bit 4: predicted, on processors that have it (F3.11) */
} __attribute__((packed, aligned(4))); /* a doubleword boundary is all that a base needs (F3.20) */

_Static_assert(sizeof(struct bts_record) == BTS_RECORD_SIZE, "F3.10");

/* Whole records that the buffer memory holds, one spare record beyond the absolute maximum kept. */
#define BTS_RECORDS_MAX (BTS_BUFFER_BYTES / BTS_RECORD_SIZE - 1)

/* The same of the large buffer: more than 2 to the 13th, and more bytes than 17 bits count. */
#define BTS_LARGE_BYTES       0x32000u
#define BTS_LARGE_RECORDS_MAX (BTS_LARGE_BYTES / BTS_RECORD_SIZE - 1)

/* A threshold no index can reach: one record above the absolute maximum (F3.25). */
#define BTS_NO_THRESHOLD SIZE_MAX

struct bts_layout {
    size_t records;        /* n: absolute maximum = base + n records */
    size_t threshold;      /* in records from the base, or BTS_NO_THRESHOLD */
    bool maximum_plus_one; /* the literal reading of the manual: one byte more (F3.21) */
    size_t base_offset;    /* bytes from the start of the buffer memory, a page, to the base */
    bool large;            /* the buffer memory is the large one, for one processor at a time */
};

/*
 * Poisons the buffer and its surroundings, builds the DS save area for the layout and points
 * IA32_DS_AREA at it. Tracing must be off. NULL, or the reason why not.
 */
const char *bts_prepare(const struct bts_layout *layout);

/* The same, but leaves IA32_DS_AREA as the last bts_prepare() wrote it: fields may be filled after
 * the register (F3.39). */
const char *bts_prepare_fields(const struct bts_layout *layout);

/* The same amid a run, for a routine that goes on with another buffer: TR must be clear. Nothing is
 * poisoned, and nothing checked that bts_refusal() checks. */
void bts_switch(const struct bts_layout *layout);

/* The reason why bts_prepare() would refuse the layout, or NULL. Touches nothing. */
const char *bts_refusal(const struct bts_layout *layout);

/*
 * Index, absolute maximum and threshold in bytes from the base, off the records where software
 * should not put them (F3.23, F3.26), but where the processor's rules say what they mean. For use
 * between bts_prepare() with a layout that has as much room, and a run.
 */
struct bts_fields {
    size_t index, absolute_maximum, threshold;
};
void bts_set_fields(const struct bts_fields *fields);

/* The index field, in bytes from the base. */
uint64_t bts_index_bytes(void);

/* True when no byte from the first up to the end was touched, both from the base. */
bool bts_bytes_are_poison(size_t first, size_t end);

/* The records' memory: record 0 is at the base. */
const struct bts_record *bts_records(void);

/* The index field, in records from the base; BTS_NO_THRESHOLD when it is off a record boundary. */
size_t bts_index(void);

/* Makes the next record go to this place, in records from the base. */
void bts_set_index(size_t index);

/* Makes the next record go to the base again, as a handler that has drained the buffer does. */
void bts_rewind(void);

/* True when the record's 24 bytes are still poison. */
bool bts_record_is_poison(size_t number);

/*
 * Looks for a byte touched outside the first so many records of the buffer: canary pages, the rest
 * of the buffer memory, management area fields that only software writes. NULL, or what was touched
 * (static text).
 */
const char *bts_find_stray_write(size_t records);

#endif
