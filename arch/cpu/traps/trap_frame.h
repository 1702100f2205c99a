/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vectors, and the frame that their common entry leaves on the stack. Usable from assembly. */
#ifndef ARCH_CPU_TRAPS_TRAP_FRAME_H
#define ARCH_CPU_TRAPS_TRAP_FRAME_H

#define VECTOR_DE       0
#define VECTOR_DB       1
#define VECTOR_NMI      2
#define VECTOR_BP       3
#define VECTOR_OF       4
#define VECTOR_BR       5
#define VECTOR_UD       6
#define VECTOR_DF       8
#define VECTOR_GP       13
#define VECTOR_PF       14
#define VECTOR_MC       18
#define VECTOR_USER_INT 0x80 /* INT n by which ring 3 returns; gate DPL 3 */
#define VECTOR_PMI      0xe0 /* performance LVT, fixed delivery */
#define VECTOR_TIMER    0xe1
#define VECTOR_TEST     0xe2 /* for a test; unused otherwise */
#define VECTOR_SPURIOUS 0xff

#define RFLAGS_TF   0x00100 /* single-stepping */
#define RFLAGS_IF   0x00200 /* maskable interrupts are enabled */
#define RFLAGS_IOPL 0x03000 /* rings up to this number may enable them */
#define RFLAGS_DF   0x00400
#define RFLAGS_NT   0x04000
#define RFLAGS_AC   0x40000

#define INTERRUPT_ENTRY_SIZE 16 /* bytes from one vector's common entry to the next */

#ifdef __ASSEMBLER__

/* Saves the registers of a struct trap_frame, after vector and error code. */
/* clang-format off */
.macro SAVE_REGISTERS
    .irp register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
    push %\register
    .endr
    cld                         /* as C expects */
.endm

/* Also drops vector and error code, so that RSP is ready for IRET. */
.macro RESTORE_REGISTERS
    .irp register, r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax
    pop %\register
    .endr
    add $16, %rsp
.endm
/* clang-format on */

#else

#include <stdint.h>

/* Lowest address first. The processor pushes ss to rip, then error_code for vectors that have one
 * (F14.5). After that the common entry pushes the rest, with error_code 0 for other vectors. */
struct trap_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error_code;
    uint64_t rip, cs, rflags, rsp, ss;
};

#endif
#endif
