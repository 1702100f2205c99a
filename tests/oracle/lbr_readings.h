/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the manual leaves open about the LBR stack: learnt the first time a stack shows it, printed
 * as "# observed:", and from then on the processor is held to it.
 */
#ifndef TESTS_ORACLE_LBR_READINGS_H
#define TESTS_ORACLE_LBR_READINGS_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/test.h"
#include "tests/workloads/workload.h"

/* Every reading starts as 0: not seen yet. */
enum lbr_reading { LBR_UNSEEN, LBR_RECORDED, LBR_SUPPRESSED };

/*
 * A transfer of this kind while the given bit of MSR_LBR_SELECT is set and leaves it open: a ring
 * change under one of the CPL bits (F8.24), LOOP and JRCXZ under JCC, interrupts and exceptions
 * under FAR_BRANCH (F8.20).
 */
enum lbr_reading lbr_reading_of_filter(uint64_t bit, uint32_t kind);
void lbr_reading_learn_filter(struct test_context *t, uint64_t bit, uint32_t kind, bool recorded);

/* FROM of a kind with two readings: as in tests/oracle/readings.h. */
enum lbr_reading_from { LBR_FROM_UNSEEN, LBR_FROM_INSTRUCTION, LBR_FROM_NEXT };
enum lbr_reading_from lbr_reading_of_from(uint32_t kind);
void lbr_reading_learn_from(struct test_context *t, uint32_t kind, enum lbr_reading_from reading);

/* Bits of an address in the format that may keep 32 only (F8.10, F4.16). */
enum lbr_reading_width { LBR_WIDTH_UNSEEN, LBR_WIDTH_32, LBR_WIDTH_64 };
enum lbr_reading_width lbr_reading_of_width(void);
void lbr_reading_learn_width(struct test_context *t, enum lbr_reading_width reading);

/* Is the stack updated while TR is set and LBR clear? D 9. One reading with BTS clear, one with BTS
 * set: a processor may make messages of its entries for the bus and not for memory. */
enum lbr_reading_tr { LBR_TR_UNSEEN, LBR_TR_GOES_ON, LBR_TR_STANDS_STILL };
enum lbr_reading_tr lbr_reading_of_tr(uint64_t debugctl);
void lbr_reading_learn_tr(struct test_context *t, uint64_t debugctl, enum lbr_reading_tr reading);

#endif
