/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests use AVX because XCR0 can make its instructions raise #UD, and load the XMM registers to
 * find their values in PEBS records. The kernel itself uses neither. */
#ifndef ARCH_CPU_TRAPS_SIMD_H
#define ARCH_CPU_TRAPS_SIMD_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"

/* Bits of XCR0, and components of XSAVE: x87, SSE, AVX. */
#define XCR0_VECTORS 7u

bool avx_exists(void);

/* Sets XCR0 so that AVX instructions execute (enabled) or raise #UD. Needs avx_exists(). */
void avx_begin(bool enabled);

/* Restores XCR0, CR0 and CR4. */
void avx_end(void);

/* Executes VZEROUPPER, an AVX instruction. */
struct exception avx_execute(void);

#define XMM_COUNT 16

/* Enables SSE and loads XMM0 to XMM15, low half first. Every 64-bit processor has SSE2. */
void xmm_begin(const uint64_t values[XMM_COUNT][2]);

/* Restores CR0 and CR4. */
void xmm_end(void);

#endif
