/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DS save area of processor 0 where its linear addresses are its physical ones, lent to another
 * processor: it is the same there with and without paging (F10.41). While it is lent, bts_index(),
 * bts_records() and expect_no_stray_write() show what the other one did.
 */
#ifndef TESTS_RUN_IDENTITY_AREA_H
#define TESTS_RUN_IDENTITY_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include "arch/trace/bts.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"

/*
 * Fills in both buffers, for so many BTS records with no threshold to reach; pebs may be NULL. The
 * address of the management area, for IA32_DS_AREA, or NULL after a test_fail(). Only processor 0.
 */
struct ds_management_area *identity_area_open(struct test_context *t, size_t bts_records,
                                              const struct pebs_layout *pebs);
void identity_area_close(void);

/* Is the PEBS index at the base, and nothing stored? */
bool identity_area_pebs_is_untouched(void);

#endif
