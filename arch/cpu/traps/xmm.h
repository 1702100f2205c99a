/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The XMM registers, which this kernel uses for nothing else than to be seen in a PEBS record. */
#ifndef ARCH_CPU_TRAPS_XMM_H
#define ARCH_CPU_TRAPS_XMM_H

#include <stdint.h>

#define XMM_COUNT 16

/* Enables SSE and loads XMM0 to XMM15, low half first. Every 64-bit processor has SSE2. */
void xmm_begin(const uint64_t values[XMM_COUNT][2]);

/* Puts CR0 and CR4 back to what they were. */
void xmm_end(void);

#endif
