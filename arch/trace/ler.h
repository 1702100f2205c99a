/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last-exception record: the last branch before the last exception or interrupt (F8.30 to
 * F8.33).
 */
#ifndef ARCH_TRACE_LER_H
#define ARCH_TRACE_LER_H

#include <stdbool.h>
#include <stdint.h>

struct ler {
    uint64_t from, to; /* linear addresses, as read but for flag bits (F8.17) */
    uint64_t info; /* where LBRs are architectural, what of it means something (F20.34); else 0 */
};

/* False, and the record all zero, when a register cannot be read. Needs FEATURE_LER. */
bool ler_read(struct ler *record);

#endif
