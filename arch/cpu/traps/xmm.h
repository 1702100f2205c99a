/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The XMM registers, which the kernel loads only so that PEBS records show them. */
#ifndef ARCH_CPU_TRAPS_XMM_H
#define ARCH_CPU_TRAPS_XMM_H

#include <stdint.h>

#define XMM_COUNT 16

/* Enables SSE and loads XMM0 to XMM15, low half first. Every 64-bit processor has SSE2. */
void xmm_begin(const uint64_t values[XMM_COUNT][2]);

/* Restores CR0 and CR4. */
void xmm_end(void);

#endif
