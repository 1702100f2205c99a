/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A DS save area whose linear addresses are its physical ones, so that it is the same with and
 * without paging: for what happens to recording where paging is off (F10.41).
 */
#ifndef TESTS_EXPECT_IDENTITY_AREA_H
#define TESTS_EXPECT_IDENTITY_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/bts.h"
#include "arch/trace/pebs.h"
#include "kernel/test.h"

/*
 * Maps it, poisons it and fills in both buffers for so many records, no threshold to reach; pebs
 * may be NULL. The address of the management area, for IA32_DS_AREA, or NULL after a test_fail().
 */
struct ds_management_area *identity_area_open(struct test_context *t, size_t bts_records,
                                              const struct pebs_layout *pebs);
void identity_area_close(void);

/* The BTS index in records, BTS_NO_THRESHOLD off a boundary; the records. */
size_t identity_area_index(void);
const struct bts_record *identity_area_records(void);

/* Is the PEBS index where it was? */
bool identity_area_pebs_is_untouched(void);

/* Fails the test when anything outside the first so many BTS records was written to. */
void identity_area_expect_untouched(struct test_context *t, size_t bts_records);

#endif
