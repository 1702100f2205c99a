/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's first instructions, in front of its own entry: a loader that leaves the processor in
 * a state that firmware may leave, as far as CPUID has it. Linked into the kernel, in the page of
 * its entry; all that it changes is what a 32-bit program can change.
 */
#define CR0_LEFT        0x6005000e /* CD, NW, AM, WP, TS, EM, MP */
#define CR4_LEFT        0x071e     /* PCE, OSFXSR, OSXMMEXCPT, PSE, DE, TSD, PVI */
#define CR4_MCE_PGE     0x00c0
#define CR4_UMIP        (1 << 11)
#define CR4_LA57        (1 << 12)
#define CR4_FSGSBASE    (1 << 16)
#define CR4_OSXSAVE     (1 << 18)
#define CR4_SMEP        (1 << 20)
#define CR4_SMAP        (1 << 21)
#define CR4_PKE         (1 << 22)
#define CR4_PKS         (1 << 24)
#define EFER_SCE_NXE    0x801
#define DR7_WRITE       0xd0401 /* DR0, after a write to the four bytes there */
#define THERMAL_LEFT    0x00200 /* an SMI */
#define PIN_LEFT        0x10200 /* one that is masked */

        .macro write_msr number, high, low
        mov $\number, %ecx
        mov $\high, %edx
        mov $\low, %eax
        wrmsr
        .endm

        /* Adds the bit of CR4 to EDI where CPUID's register in it has the other one. */
        .macro if_there bit, register, left
        bt $\bit, \register
        jnc 9f
        or $\left, %edi
9:
        .endm

        .section .boot.text, "ax"
        .code32
        .globl dirty_entry
dirty_entry:
        mov %eax, %ebp
        mov %ebx, %esp

        mov $boot_pml4, %eax    /* a breakpoint on the way, at a write of the kernel's entry */
        mov %eax, %dr0

        mov $1, %eax
        cpuid
        mov $(CR4_LEFT | CR4_MCE_PGE), %edi
        if_there 26, %ecx, CR4_OSXSAVE
        mov $7, %eax
        xor %ecx, %ecx
        cpuid
        if_there 0, %ebx, CR4_FSGSBASE
        if_there 7, %ebx, CR4_SMEP
        if_there 20, %ebx, CR4_SMAP
        if_there 2, %ecx, CR4_UMIP
        if_there 3, %ecx, CR4_PKE
        if_there 16, %ecx, CR4_LA57
        if_there 31, %ecx, CR4_PKS
        mov %edi, %cr4
        mov %cr0, %eax
        or $CR0_LEFT, %eax
        mov %eax, %cr0

        write_msr 0xc0000080, 0, EFER_SCE_NXE
        write_msr 0x277, 0x01050401, 0x05010704   /* IA32_PAT: each entry is another type */
        write_msr 0x2ff, 0, 0                     /* IA32_MTRR_DEF_TYPE: all memory uncacheable */
        write_msr 0x174, 0, 0x10                  /* IA32_SYSENTER_CS, _ESP, _EIP */
        write_msr 0x175, 0, 0x7000
        write_msr 0x176, 0, 0x8000
        write_msr 0xc0000081, 0x00230010, 0       /* IA32_STAR, LSTAR, CSTAR, FMASK */
        write_msr 0xc0000082, 0, 0x9000
        write_msr 0xc0000083, 0, 0xa000
        write_msr 0xc0000084, 0, 0
        write_msr 0xc0000100, 0x1234, 0x5000      /* FS, GS and kernel GS base */
        write_msr 0xc0000101, 0x2345, 0x6000
        write_msr 0xc0000102, 0x3456, 0x7000
        mov $0x1a0, %ecx                          /* IA32_MISC_ENABLE[22] */
        rdmsr
        or $(1 << 22), %eax
        wrmsr

        movl $THERMAL_LEFT, 0xfee00330            /* the local APIC's thermal entry */
        movl $0x10 + 2 * 20, 0xfec00000           /* pin 20 of the I/O APIC, the low half */
        movl $PIN_LEFT, 0xfec00010

        mov $DR7_WRITE, %eax
        mov %eax, %dr7
        mov %esp, %ebx
        mov %ebp, %eax
        std
        jmp boot_entry
