/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a counter of instructions or branches may have beyond those retired where code leaves its
 * segment: on Atoms a far transfer counts as two (F21.32), and a delivery may count (F6.54).
 */
#ifndef TESTS_ORACLE_FAR_COUNT_H
#define TESTS_ORACLE_FAR_COUNT_H

#include <stdint.h>

/* The most that so many deliveries add, each with the far transfer that ends its handler, and so
 * many other far transfers: IRET, SYSCALL and SYSRET too. */
uint64_t far_count_excess(uint64_t transfers, uint64_t deliveries);

#endif
