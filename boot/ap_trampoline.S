/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where another processor begins (F10.34): in real-address mode, at CS = VV00H and IP = 0 of a copy
 * of this below 1 MiB. Straight from there to long mode, through the temporary tables of boot/entry.S
 * and where processor_entering has them to the tables of its world, and to C on its own stack.
 *
 * Code that a test wants executed before anything else is called first, with CS = DS = ES = SS:
 * until it returns, this touches nothing but general registers, segments and two bytes of its own.
 *
 * One comes at a time, for there is one stack: who comes too late, given up by then, stays here.
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
    jnz 2f                      /* nobody is expected, or another one came first */
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
