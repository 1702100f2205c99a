/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/avx.h"

#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/insn.h"

#define CR0_MP      (1ull << 1)
#define CR0_EM      (1ull << 2)
#define CR0_TS      (1ull << 3)
#define CR4_OSXSAVE (1ull << 18)
#define XCR0_X87    1u
#define XCR0_SSE    2u
#define XCR0_AVX    4u

uint64_t avx_read_xcr0(void); /* avx_instructions.S */
void avx_write_xcr0(uint64_t value);

static uint64_t cr0_before, cr4_before, xcr0_before;

bool avx_exists(void)
{
    return cpuid_bit_value((struct cpuid_bit){1, CPUID_ECX, 26}) &&
           cpuid_bit_value((struct cpuid_bit){1, CPUID_ECX, 28});
}

void avx_begin(bool enabled)
{
    cr0_before = insn_read_cr0();
    cr4_before = insn_read_cr4();
    insn_write_cr0((cr0_before & ~(CR0_EM | CR0_TS)) | CR0_MP);
    insn_write_cr4(cr4_before | CR4_OSXSAVE);
    xcr0_before = avx_read_xcr0();
    avx_write_xcr0(XCR0_X87 | XCR0_SSE | (enabled ? XCR0_AVX : 0));
}

void avx_end(void)
{
    avx_write_xcr0(xcr0_before);
    insn_write_cr4(cr4_before);
    insn_write_cr0(cr0_before);
}
