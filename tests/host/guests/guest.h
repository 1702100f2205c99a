/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What small guest programs share: they are started in 32-bit protected mode by QEMU's -kernel,
 * print lines of hexadecimal numbers on COM1 and end with a status of isa-debug-exit.
 * A program includes this file first and defines guest_main, which returns.
 */
#define COM1       0x3f8
#define DEBUG_EXIT 0xf4

#define IA32_APIC_BASE        0x1b
#define IA32_PMC0             0xc1
#define IA32_PMC1             0xc2
#define IA32_PERFEVTSEL0      0x186
#define IA32_PERFEVTSEL1      0x187
#define IA32_FIXED_CTR0       0x309
#define IA32_FIXED_CTR_CTRL   0x38d
#define IA32_PERF_GLOBAL_CTRL 0x38f
#define IA32_PERF_STATUS_RESET 0x390

#define CODE_SELECTOR 0x08
#define DATA_SELECTOR 0x10

        .macro write_msr msr, low, high=0
        mov $\msr, %ecx
        mov $\low, %eax
        mov $\high, %edx
        wrmsr
        .endm

        /* The lower half of an MSR, in EAX. */
        .macro read_msr msr
        mov $\msr, %ecx
        rdmsr
        .endm

        /* "name: eax" and a new line. */
        .macro print name
        push $777f
        call print_line
        add $4, %esp
        .section .rodata
777:    .asciz "\name"
        .text
        .endm

        /* An interrupt gate. */
        .macro set_gate vector, handler
        mov $\handler, %eax
        mov %ax, descriptors + 8 * \vector
        movw $CODE_SELECTOR, descriptors + 8 * \vector + 2
        movw $0x8e00, descriptors + 8 * \vector + 4
        shr $16, %eax
        mov %ax, descriptors + 8 * \vector + 6
        .endm

        .section .multiboot, "a"
        .long 0x1badb002, 0, -0x1badb002

        .section .rodata
        .balign 8
segments:
        .quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff
segments_register:
        .word . - segments - 1
        .long segments
descriptors_register:
        .word 256 * 8 - 1
        .long descriptors

        .bss
        .balign 16
descriptors:
        .skip 256 * 8
        .skip 16384
stack:

        .text
        .globl _start
_start:
        cli
        cld
        lgdt segments_register
        ljmp $CODE_SELECTOR, $1f
1:      mov $DATA_SELECTOR, %eax
        mov %eax, %ds
        mov %eax, %es
        mov %eax, %ss
        mov $stack, %esp
        lidt descriptors_register
        call guest_main
        mov $0, %al
        mov $DEBUG_EXIT, %edx
        out %al, %dx
1:      hlt
        jmp 1b

put_character:
        push %edx
        mov $COM1, %edx
        out %al, %dx
        pop %edx
        ret

put_string:                             /* at ESI */
        lodsb
        test %al, %al
        jz 1f
        call put_character
        jmp put_string
1:      ret

put_number:                             /* EBX */
        mov $8, %ecx
1:      rol $4, %ebx
        mov %bl, %al
        and $15, %al
        cmp $10, %al
        sbb $0x69, %al
        das
        call put_character
        loop 1b
        ret

print_line:
        pusha
        mov %eax, %ebx
        mov 36(%esp), %esi
        call put_string
        mov $':', %al
        call put_character
        call put_number
        mov $'\n', %al
        call put_character
        popa
        ret
