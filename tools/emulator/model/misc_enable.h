// SPDX-License-Identifier: GPL-2.0-or-later
/* IA32_MISC_ENABLE: three read-only bits enumerate performance monitoring (F1.20). */
#ifndef MISC_ENABLE_H
#define MISC_ENABLE_H

#include "debug_store.h"

uint64_t misc_enable_after_reset(const struct ds_profile *profile);

/* WRMSR. False if value would change bit 11 or 12 and this processor refuses that; nothing is
 * changed then. A change of bit 7 is ignored (F1.21). */
bool misc_enable_write(struct ds_cpu *cpu, uint64_t value);

#endif
