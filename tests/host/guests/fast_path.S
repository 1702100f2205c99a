/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch records where memory is not what it was: in a page of code that has run, in a page that
 * comes and goes; where the mode is not what it was: in protected mode, between two visits of
 * 64-bit mode that record last branches alone at their end; and the index, read after each of them.
 *
 * A branch at FROM makes a record that begins with 31 C0 C3: XOR EAX, EAX; RET. Where it is stored
 * stood MOV AL, 1; RET, which has run just before.
 */
#include "guest.h"
#include "hand_over.h"

#define IA32_DEBUGCTL 0x1d9
#define IA32_DS_AREA  0x600
#define LBR           0x01
#define TR_BTS        0xc0

#define CODE64 0x18
#define LARGE  0x200000           /* bytes of a page */
#define BUFFER (4 * LARGE)
#define ENTRY  (map_2 + 4 * 8)    /* that maps it */
#define VICTIM (BUFFER + 24)
#define FROM   0x00c3c031
#define OLD    0x00c301b0         /* MOV AL, 1; RET */
#define RECORD 24
#define ROUNDS 100
#define TURNS  5000

        .section .rodata
        .balign 8
own_segments:
        .quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff, 0x00af9a000000ffff
own_register:
        .word . - own_segments - 1
        .long own_segments

        .bss
        .balign 4096
area:   .skip 4096
old_ran:        .skip 4
new_ran:        .skip 4
moved:          .skip 4
stayed:         .skip 4
steps:          .skip 4
in_32_bits:     .skip 4
in_64_bits:     .skip 4
first:          .skip 4
rounds:         .skip 4

        .text
guest_main:
        lgdt own_register
        mov $in_64_bit_mode, %eax
        call visit_64_bit_mode
        movl $ROUNDS, rounds
1:      call protected_mode
        mov $back_in_64_bit_mode, %eax
        call visit_64_bit_mode
        decl rounds
        jnz 1b
        .irp name, old_ran, new_ran, moved, stayed, steps, in_32_bits, in_64_bits
        mov \name, %eax
        print \name
        .endr
        ret

/* EAX: where it begins there. */
visit_64_bit_mode:
        mov %eax, first
        call enter_long_mode
        ljmp $CODE64, $1f
        .code64
1:      mov first(%rip), %eax
        call *%rax
        mov $1f, %eax
        pushq $CODE_SELECTOR
        push %rax
        lretq
        .code32
1:      call leave_long_mode
        ret

/* The layout is that of 64-bit mode in every mode (CPUID.01H:ECX.DTES64). */
protected_mode:
        movl $BUFFER, area + 8
        movl $-1, BUFFER
        write_msr IA32_DEBUGCTL, TR_BTS
        jmp 2f
        nop
2:      xor %eax, %eax
        wrmsr
        cmpl $BUFFER + RECORD, area + 8
        jne 1f
        cmpl $2b - 3, BUFFER
        jne 1f
        incl in_32_bits
1:      ret

        .code64
in_64_bit_mode:
        movw $0xe0ff, FROM              /* JMP *RAX */
        movq $BUFFER, area(%rip)
        movq $BUFFER + LARGE, area + 16(%rip)
        movq $-1, area + 24(%rip)
        write_msr IA32_DS_AREA, area
        mov $ROUNDS, %ebp
1:      call over_code
        call page_gone
        dec %ebp
        jnz 1b
        jmp index_moves

back_in_64_bit_mode:
        call two_records
        cmp $2 * RECORD, %rbx
        jne 1f
        incl in_64_bits(%rip)
1:      write_msr IA32_DEBUGCTL, LBR
        jmp 1f
        nop
1:      write_msr IA32_DEBUGCTL, 0
        ret

/* Two records from the buffer's base on; RBX: the index then, from the base. */
two_records:
        movq $BUFFER, area + 8(%rip)
        mov $FROM, %ebx
        mov $IA32_DEBUGCTL, %ecx
        mov $TR_BTS, %eax
        xor %edx, %edx
        wrmsr
        mov $1f, %eax
        jmp *%rbx
1:      xor %eax, %eax
        wrmsr
        mov area + 8(%rip), %rbx
        sub $BUFFER, %rbx
        ret

over_code:
        movl $OLD, VICTIM
        mov $VICTIM, %edi
        xor %eax, %eax
        call *%rdi
        add %eax, old_ran(%rip)
        call two_records
        cmp $2 * RECORD, %rbx
        jne 1f
        incl moved(%rip)
1:      mov $VICTIM, %edi
        mov $-1, %eax
        call *%rdi
        test %eax, %eax
        jnz 1f
        incl new_ran(%rip)
1:      ret

/* No code is left in it: the records before find it as they want it. */
page_gone:
        call two_records
        call two_records
        andl $~1, ENTRY(%rip)
        invlpg BUFFER
        call two_records
        test %rbx, %rbx
        jnz 1f
        incl stayed(%rip)
1:      orl $1, ENTRY(%rip)
        ret

/* Each of the two jumps of a turn moves it by one record, at once. */
index_moves:
        movq $BUFFER, area + 8(%rip)
        mov $TURNS, %edi
        write_msr IA32_DEBUGCTL, TR_BTS
1:      mov area + 8(%rip), %rsi
        jmp 2f
        nop
2:      add $RECORD, %rsi
        xor %eax, %eax
        cmp area + 8(%rip), %rsi
        sete %al
        add %eax, steps(%rip)
        dec %edi
        jnz 1b
        write_msr IA32_DEBUGCTL, 0
        ret
        .code32
