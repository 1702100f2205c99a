/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DR6 tells why a debug exception came, DR7 enables breakpoints (F14.9). The bits are usable from
 * assembly. */
#ifndef ARCH_CPU_TRAPS_DEBUG_H
#define ARCH_CPU_TRAPS_DEBUG_H

#define DR6_INITIAL 0xffff0ff0
#define DR6_ONES    0xfffe07f0 /* the bits of DR6_INITIAL that are 1 on every processor */
#define DR6_BS      0x4000     /* single step, branch step too (F9.5) */

#define DR7_INITIAL 0x400
#define DR7_L0      0x1     /* enables DR0's breakpoint, on execution of the instruction at DR0 */
#define DR7_WRITE0  0x10000 /* makes it a breakpoint on a write to the byte at DR0 */
#define DR7_ENABLES 0xff

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/insn.h"

/* Reads DR6 and resets it, because the processor never clears BS itself (F9.5). */
static inline uint64_t debug_status_take(void)
{
    uint64_t status = insn_read_dr6();

    insn_write_dr6(DR6_INITIAL);
    return status;
}

/* Are all breakpoints of DR0 to DR3 off? The second function turns them off. */
static inline bool debug_breakpoints_are_off(void)
{
    return !(insn_read_dr7() & DR7_ENABLES);
}

static inline void debug_breakpoints_clear(void)
{
    insn_write_dr7(DR7_INITIAL);
}

#endif
#endif
