/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/simd.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/identity/identity.h"

#define CR0_MP      (1ull << 1)
#define CR0_EM      (1ull << 2)
#define CR0_TS      (1ull << 3)
#define CR4_OSFXSR  (1ull << 9) /* SSE is allowed: F14.14 */
#define CR4_OSXSAVE (1ull << 18)
#define XCR0_AVX    4u

uint64_t avx_read_xcr0(void); /* simd_instructions.S */
void avx_write_xcr0(uint64_t value);
void xmm_load(const uint64_t values[XMM_COUNT][2]);

static uint64_t cr0_before, cr4_before, xcr0_before;

static void allow(uint64_t cr4_bit)
{
    cr0_before = insn_read_cr0();
    cr4_before = insn_read_cr4();
    insn_write_cr0((cr0_before & ~(CR0_EM | CR0_TS)) | CR0_MP);
    insn_write_cr4(cr4_before | cr4_bit);
}

void xmm_end(void)
{
    insn_write_cr4(cr4_before);
    insn_write_cr0(cr0_before);
}

bool avx_exists(void)
{
    return cpuid_bit_value((struct cpuid_bit){1, CPUID_ECX, 26}) &&
           cpuid_bit_value((struct cpuid_bit){1, CPUID_ECX, 28});
}

void avx_begin(bool enabled)
{
    allow(CR4_OSXSAVE);
    xcr0_before = avx_read_xcr0();
    avx_write_xcr0(enabled ? XCR0_VECTORS : XCR0_VECTORS & ~XCR0_AVX);
}

void avx_end(void)
{
    avx_write_xcr0(xcr0_before);
    xmm_end();
}

void xmm_begin(const uint64_t values[XMM_COUNT][2])
{
    allow(CR4_OSFXSR);
    xmm_load(values);
}
