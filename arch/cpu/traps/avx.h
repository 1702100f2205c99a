/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AVX, which this kernel does not use: whether one of its instructions executes. */
#ifndef ARCH_CPU_TRAPS_AVX_H
#define ARCH_CPU_TRAPS_AVX_H

#include <stdbool.h>
#include "arch/cpu/ground/exception.h"

bool avx_exists(void);

/* AVX instructions execute, or raise #UD for want of their state in XCR0. Needs avx_exists(). */
void avx_begin(bool enabled);

/* Puts XCR0, CR0 and CR4 back to what they were. */
void avx_end(void);

/* VZEROUPPER. */
struct exception avx_execute(void);

#endif
