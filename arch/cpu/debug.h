/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DR6: why a debug exception came (F14.9). Usable from assembly for the bits. */
#ifndef ARCH_CPU_DEBUG_H
#define ARCH_CPU_DEBUG_H

#define DR6_INITIAL 0xffff0ff0
#define DR6_BS      0x4000 /* single step, branch step too (F9.5) */

#ifndef __ASSEMBLER__

#include <stdint.h>

/* Reads DR6 and sets it back: the processor sets bits and never clears BS by itself (F9.5). */
uint64_t debug_status_take(void);

#endif
#endif
