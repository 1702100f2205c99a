/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DS save area in its 64-bit format: the buffer management area, and the rules a buffer
 * must keep before it may be given to the processor. This kernel always runs in IA-32e mode, so the
 * 64-bit format is the one in use on every processor (F1.5).
 */
#ifndef ARCH_TRACE_DS_H
#define ARCH_TRACE_DS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/memory/paging.h"

#define BTS_RECORD_SIZE 24u /* bytes, F3.10 */
#define DS_RESET_SLOTS  48u /* of format 5 and 6, the most (F22.1) */

/* Addresses are linear. The processor writes the two index fields and nothing else (F3.2, F3.5). */
struct ds_management_area {
    uint64_t bts_buffer_base;
    uint64_t bts_index; /* where the next record goes */
    uint64_t bts_absolute_maximum;
    uint64_t bts_interrupt_threshold;
    uint64_t pebs_buffer_base;
    uint64_t pebs_index;
    uint64_t pebs_absolute_maximum;
    uint64_t pebs_interrupt_threshold;
    uint64_t pebs_reset[DS_RESET_SLOTS]; /* whose is which: ds_reset_slot() */
};

_Static_assert(offsetof(struct ds_management_area, bts_absolute_maximum) == 0x10, "F3.2");
_Static_assert(offsetof(struct ds_management_area, bts_interrupt_threshold) == 0x18, "F3.2");
_Static_assert(offsetof(struct ds_management_area, pebs_buffer_base) == 0x20, "F3.2");
_Static_assert(offsetof(struct ds_management_area, pebs_interrupt_threshold) == 0x38, "F3.2");
_Static_assert(offsetof(struct ds_management_area, pebs_reset) == 0x40, "F3.2");

/*
 * The slot with a counter's reset value, for PEBS records of this format: general-purpose counter i
 * has slot i, fixed ones begin behind 8 of them, from format 5 on behind 32 (F3.2, F22.1).
 */
unsigned ds_reset_slot(unsigned pebs_format, bool fixed, unsigned number);

/* A BTS or PEBS buffer as it is to be programmed; all three are linear addresses. */
struct bts_geometry {
    uint64_t base;
    uint64_t absolute_maximum; /* base + n records, or one byte more (F3.21) */
    uint64_t threshold; /* a record boundary; above absolute_maximum for no interrupt (F3.25) */
};

enum ds_error {
    DS_OK,
    DS_NOT_CANONICAL,            /* IA32_DS_AREA refuses it, F3.1 */
    DS_BASE_MISALIGNED,          /* off a doubleword boundary, F3.20 */
    DS_BUFFER_TOO_SMALL,         /* less than one record plus one byte, F3.24, BTS-7 */
    DS_BUFFER_NOT_WHOLE_RECORDS, /* from base to absolute maximum, F3.26 */
    DS_THRESHOLD_OFF_BOUNDARY,   /* not base plus whole records, F3.23 */
    DS_PAGE_NOT_PRESENT,         /* a store would fault, F3.30 */
    DS_PAGE_READ_ONLY,
    DS_PAGE_HOLDS_CODE,     /* every store would be self-modifying code, F3.31 */
    DS_PAGE_OPEN_TO_RING_3, /* kernel space is asked for, F3.31, ISR-1 */
    DS_PAGE_NOT_TOUCHED,    /* accessed or dirty bit clear, F3.30 */
};

/* One sentence: what is wrong. */
const char *ds_error_text(enum ds_error error);

/* How the rules learn a page's rights; paging_rights() in the kernel. */
typedef struct page_rights (*ds_rights_lookup)(const void *address);

/* The first rule that a buffer of such records (bytes) breaks, its pages included, or DS_OK. */
enum ds_error ds_check_buffer(const struct bts_geometry *geometry, size_t record_size,
                              ds_rights_lookup rights);
enum ds_error ds_check_bts(const struct bts_geometry *geometry, ds_rights_lookup rights);

/*
 * Fills the four BTS fields, index at base, once area and geometry pass their rules; touches
 * nothing otherwise.
 */
enum ds_error ds_build_bts(struct ds_management_area *area, const struct bts_geometry *geometry,
                           ds_rights_lookup rights);

/* The same for the four PEBS fields; the reset values are left alone. */
enum ds_error ds_build_pebs(struct ds_management_area *area, const struct bts_geometry *geometry,
                            size_t record_size, ds_rights_lookup rights);

#endif
