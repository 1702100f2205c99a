/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/xmm.h"

#include "arch/cpu/ground/insn.h"

#define CR0_MP     (1ull << 1)
#define CR0_EM     (1ull << 2)
#define CR0_TS     (1ull << 3)
#define CR4_OSFXSR (1ull << 9) /* SSE is allowed: F14.14 */

void xmm_load(const uint64_t values[XMM_COUNT][2]); /* xmm_load.S */

static uint64_t cr0_before, cr4_before;

void xmm_begin(const uint64_t values[XMM_COUNT][2])
{
    cr0_before = insn_read_cr0();
    cr4_before = insn_read_cr4();
    insn_write_cr0((cr0_before & ~(CR0_EM | CR0_TS)) | CR0_MP);
    insn_write_cr4(cr4_before | CR4_OSFXSR);
    xmm_load(values);
}

void xmm_end(void)
{
    insn_write_cr4(cr4_before);
    insn_write_cr0(cr0_before);
}
