/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lends the DS save area of processor 0 to another processor. It lies where linear and physical
 * addresses are equal, so it works with and without paging (F10.41). Meanwhile bts_index(),
 * bts_records() and expect_no_stray_write() show what the other processor did.
 */
#ifndef TESTS_RUN_IDENTITY_AREA_H
#define TESTS_RUN_IDENTITY_AREA_H

#include <stddef.h>
#include "arch/trace/bts.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"

/*
 * Sets up a BTS buffer of bts_records records whose threshold is never reached, and a PEBS buffer
 * unless pebs is NULL. Returns the address of the management area, for IA32_DS_AREA, or NULL after
 * a test_fail(). Call on processor 0 only.
 */
struct ds_management_area *identity_area_open(struct test_context *t, size_t bts_records,
                                              const struct pebs_layout *pebs);
void identity_area_close(void);

/* PEBS records up to the index; 1 where it is at the base and the buffer was written. */
size_t identity_area_pebs_records(void);

#endif
