/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of another processor (F10.34), in real-address mode at CS = VV00H and IP = 0 of a copy of
 * this code below 1 MiB. It enters long mode with the temporary tables of boot/entry.S, loads the
 * tables of its private image if processor_entering has them, and calls C on its own stack.
 *
 * A test's code, if any, is called first, with CS = DS = ES = SS. Before, this code changes only
 * general registers, segments and two bytes of its own.
 *
 * There is one stack, so one processor starts at a time. One that comes too late, after it was
 * given up, stays here.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/smp/processors.h"
#include "boot/long_mode.h"

    .section .rodata, "a", @progbits
    .code16
    .balign 16
    .globl ap_trampoline, ap_trampoline_end, ap_trampoline_arrived, ap_trampoline_has_first
ap_trampoline:
    cli
    cld
    mov %cs, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $LOW_STACK_TOP, %sp
    mov $1, %al
    xchg %al, ap_trampoline_arrived - ap_trampoline
    test %al, %al
    jnz 2f                      /* no processor is expected, or another came first */
    cmpb $0, ap_trampoline_has_first - ap_trampoline
    je 1f
    mov $LOW_CODE, %ax
    call *%ax
1:  lgdtl gdt_pointer - ap_trampoline
    LONG_MODE_ON
    ljmpl $BOOT_CODE64, $ap_long_mode
2:  cli
    hlt
    jmp 2b

    .balign 4
gdt_pointer:
    .short BOOT_GDT_SIZE - 1
    .long boot_gdt
ap_trampoline_arrived:
    .byte 0
ap_trampoline_has_first:
    .byte 0
ap_trampoline_end:

    .section .boot.text, "ax"
    .code64
ap_long_mode:
    DATA_SEGMENTS
    movabs $ap_in_kernel, %rax
    jmp *%rax

    .text
ap_in_kernel:                   /* where both tables have the same code */
    rdtsc
    shl $32, %rdx
    or %rdx, %rax
    lea processor_entering(%rip), %rsi
    mov %rax, ENTERING_TSC(%rsi)
    mov ENTERING_ARGUMENT(%rsi), %rdi
    mov ENTERING_STACK(%rsi), %rsp
    mov ENTERING_MAIN(%rsi), %rbx
    mov ENTERING_ROOT(%rsi), %rbp
    test %rbp, %rbp
    jz 1f
    mov ENTERING_EFER(%rsi), %esi
    mov $IA32_EFER, %ecx
    rdmsr
    or %esi, %eax               /* without NXE, NX is a reserved bit of the tables */
    wrmsr
    mov %rbp, %cr3
1:  xor %ebp, %ebp              /* the end of every backtrace */
    call *%rbx
    ud2
