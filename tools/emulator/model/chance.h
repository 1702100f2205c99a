// SPDX-License-Identifier: GPL-2.0-or-later
/* Random events, from the processor's own generator, which is the same on every run. */
#ifndef CHANCE_H
#define CHANCE_H

#include "debug_store.h"

/* True in one call of `n`, on average. */
bool chance(struct ds_cpu *cpu, uint32_t n);

#endif
