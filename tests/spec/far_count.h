/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By how much a counter of instructions or branches may exceed those retired. On Atoms a far
 * transfer counts as two (F21.32), and a delivery may count (F6.54).
 */
#ifndef TESTS_SPEC_FAR_COUNT_H
#define TESTS_SPEC_FAR_COUNT_H

#include <stdint.h>

/* The most that `deliveries` add, each with the far transfer that ends its handler, and `transfers`
 * other far transfers, with IRET, SYSCALL and SYSRET among them. */
uint64_t far_count_excess(uint64_t transfers, uint64_t deliveries);

#endif
