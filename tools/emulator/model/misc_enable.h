// SPDX-License-Identifier: GPL-2.0-or-later
/* IA32_MISC_ENABLE: three read-only bits tell what of performance monitoring there is (F1.20). */
#ifndef MISC_ENABLE_H
#define MISC_ENABLE_H

#include "debug_store.h"

uint64_t misc_enable_after_reset(const struct ds_profile *profile);

/* False, and nothing changed, when value would change bit 11 or 12, and this processor refuses
 * that; a change of bit 7 is ignored (F1.21). */
bool misc_enable_write(struct ds_cpu *cpu, uint64_t value);

#endif
