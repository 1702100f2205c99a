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

/*
 * Parks another processor on a real board. A start-up message brings it here, in real-address mode
 * at CS = VV00H and IP = 0 of a copy of this code (F10.34); the next INIT takes it away. It halts,
 * but unlike a processor that waits for a start-up message it takes SMIs (F10.13).
 *
 * Several processors may be here at once. Each counts itself; all else that they write, two
 * constants and what an NMI pushes, is the same for each. INIT has masked every entry of their
 * local APICs (F10.31), and interrupts are off. NMIs get a vector and stack of ours, because
 * address 0 holds the firmware's vectors, or none. CR4.MCE is clear after INIT (F10.30), so a
 * machine check that reaches every processor shuts this one down. It would do the same to one that
 * waits for a start-up message, and ends the run anyway.
 */
#define NMI_OFFSET (2 * 4) /* vector 2 of a table of four bytes each */

    .section .rodata, "a", @progbits
    .code16
    .balign 16
    .globl ap_park, ap_park_came, ap_park_end
ap_park:
    cli
    mov %cs, %ax
    mov %ax, %ds
    mov %ax, %ss
    mov $LOW_PARK_SIZE, %sp
    mov %ax, vectors + NMI_OFFSET + 2 - ap_park
    movzwl %ax, %eax
    shl $4, %eax
    add $(vectors - ap_park), %eax
    mov %eax, table + 2 - ap_park
    lidtw table - ap_park
    lock incl ap_park_came - ap_park
1:  hlt
    jmp 1b
return:
    iret

    .balign 4
vectors:
    .fill NMI_OFFSET
    .short return - ap_park, 0
table:
    .short table - vectors - 1
    .long 0
    .balign 4
ap_park_came:
    .long 0
ap_park_end:
