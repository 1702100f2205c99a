/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether an AVX instruction executes. The kernel itself does not use AVX. */
#ifndef ARCH_CPU_TRAPS_AVX_H
#define ARCH_CPU_TRAPS_AVX_H

#include <stdbool.h>
#include "arch/cpu/ground/exception.h"

bool avx_exists(void);

/* Sets XCR0 so that AVX instructions execute, or raise #UD. Needs avx_exists(). */
void avx_begin(bool enabled);

/* Restores XCR0, CR0 and CR4. */
void avx_end(void);

/* VZEROUPPER. */
struct exception avx_execute(void);

#endif
