// SPDX-License-Identifier: GPL-2.0-or-later
/* What happens now and then: by a generator of the processor's own, the same on every run. */
#ifndef CHANCE_H
#define CHANCE_H

#include "debug_store.h"

/* True once in n times. */
bool chance(struct ds_cpu *cpu, uint32_t n);

#endif
