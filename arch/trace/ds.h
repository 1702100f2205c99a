/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DS save area: the buffer management area, and the rules that a buffer must meet before the
 * processor gets it. The kernel runs in IA-32e mode, so every processor uses the 64-bit format
 * (F1.5).
 */
#ifndef ARCH_TRACE_DS_H
#define ARCH_TRACE_DS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/memory/paging.h"

#define BTS_RECORD_SIZE 24u /* bytes, F3.10 */
#define DS_RESET_SLOTS  48u /* of format 5 and 6, the most (F22.1) */

/* Addresses are linear. The processor writes only the two index fields (F3.2, F3.5). */
struct ds_management_area {
    uint64_t bts_buffer_base;
    uint64_t bts_index; /* where the next record goes */
    uint64_t bts_absolute_maximum;
    uint64_t bts_interrupt_threshold;
    uint64_t pebs_buffer_base;
    uint64_t pebs_index;
    uint64_t pebs_absolute_maximum;
    uint64_t pebs_interrupt_threshold;
    uint64_t pebs_reset[DS_RESET_SLOTS]; /* by ds_reset_slot() */
};

_Static_assert(offsetof(struct ds_management_area, bts_absolute_maximum) == 0x10, "F3.2");
_Static_assert(offsetof(struct ds_management_area, bts_interrupt_threshold) == 0x18, "F3.2");
_Static_assert(offsetof(struct ds_management_area, pebs_buffer_base) == 0x20, "F3.2");
_Static_assert(offsetof(struct ds_management_area, pebs_interrupt_threshold) == 0x38, "F3.2");
_Static_assert(offsetof(struct ds_management_area, pebs_reset) == 0x40, "F3.2");

/*
 * Returns the number of the slot that holds a counter's reset value. General-purpose counter i has
 * slot i; fixed counters begin at slot 8, from PEBS format 5 on at slot 32 (F3.2, F22.1).
 */
unsigned ds_reset_slot(unsigned pebs_format, bool fixed, unsigned number);

/* Fields of a BTS or PEBS buffer; all three are linear addresses. */
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

/* One sentence that says what is wrong. */
const char *ds_error_text(enum ds_error error);

/* Looks up a page's rights; paging_rights() in the kernel. */
typedef struct page_rights (*ds_rights_lookup)(const void *address);

/* Return the first rule that the buffer or its pages break, or DS_OK. record_size: in bytes. */
enum ds_error ds_check_buffer(const struct bts_geometry *geometry, size_t record_size,
                              ds_rights_lookup rights);
enum ds_error ds_check_bts(const struct bts_geometry *geometry, ds_rights_lookup rights);

/*
 * Fills the four BTS fields, with the index at the base, if area and geometry meet the rules;
 * otherwise writes nothing. Returns the first rule that is broken, or DS_OK.
 */
enum ds_error ds_build_bts(struct ds_management_area *area, const struct bts_geometry *geometry,
                           ds_rights_lookup rights);

/* The same for the four PEBS fields; does not write the reset values. */
enum ds_error ds_build_pebs(struct ds_management_area *area, const struct bts_geometry *geometry,
                            size_t record_size, ds_rights_lookup rights);

#endif
