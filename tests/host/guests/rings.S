/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every processor with 64-bit mode must do, a thousand times each: instructions follow each
 * other, and lie, across the end of a page, in ring 0 and in ring 3; from there SYSCALL arrives at
 * its entry in a page of ring 0. Prints how often it did not, and of the last page fault in its way
 * the error code and the lower half of CR2. Needs no more than that of whoever runs it.
 */
#include "guest.h"

#define ROUNDS          1000
#define IA32_EFER       0xc0000080
#define IA32_STAR       0xc0000081
#define IA32_LSTAR      0xc0000082
#define IA32_FMASK      0xc0000084
#define EFER_SCE_LME    0x101
#define CR4_PAE         0x20
#define CR0_PG          0x80000000
#define PAGE            4096
#define PRESENT_WRITE   3
#define USER            4
#define LARGE           0x80

#define CODE64          0x08
#define DATA64          0x10
#define USER_DATA       0x23
#define USER_CODE       0x2b
#define TSS             0x30
#define CODE32          0x40

#define WINDOW          0x40000000      /* user pages, linear: the second GiB */
#define PAGE_FAULT      14
#define UNDEFINED       6

        .bss
        .balign PAGE
pml4:   .skip PAGE
pdpt:   .skip PAGE
low:    .skip PAGE
high:   .skip PAGE
window: .skip PAGE
user_stack:
        .skip PAGE
        .skip PAGE
ring_0_stack:
        .balign 16
task:   .skip 104
gates:  .skip 256 * 16
arrived:
        .skip 4
failures:
        .skip 4
error_code:
        .skip 4
fault_address:
        .skip 4
back_rsp:
        .skip 8

        .data
        .balign 8
long_segments:
        .quad 0
        .quad 0x00af9b000000ffff        /* code, 64 bits */
        .quad 0x00cf93000000ffff        /* data */
        .quad 0
        .quad 0x00cff3000000ffff        /* ring 3: data */
        .quad 0x00affb000000ffff        /* ring 3: code, 64 bits */
task_descriptor:
        .quad 0, 0
        .quad 0x00cf9b000000ffff        /* code, 32 bits */
long_segments_register:
        .word . - long_segments - 1
        .long long_segments
        .balign 4
gates_register:
        .word 256 * 16 - 1
        .long gates, 0

/* Three pages for ring 3, which lie in the window too: SYSCALL, a sled over the end of a page, an
 * instruction over the end of the next one. */
        .section .text.user, "ax"
        .balign PAGE
user_pages:
user_syscall:
        mov $1, %eax
        syscall
        .code64
        .skip 8, 0x90
user_end:
        ud2                             /* an exception ends a round in either ring */
        .org PAGE - 64
user_sled:
        .fill 128, 1, 0x90
        ud2
        .org 2 * PAGE - 3
user_split:
        movabs $0x1234567890, %rax      /* ten bytes, three of them before the end */
        ud2
        .org 3 * PAGE

        .text
        .code32
/* EAX = an entry's address, EDX = its vector in bytes of the table, ECX = its attributes. */
long_gate:
        mov %ax, gates(%edx)
        movw $CODE64, gates + 2(%edx)
        mov %cx, gates + 4(%edx)
        shr $16, %eax
        mov %ax, gates + 6(%edx)
        ret

        .macro gate vector, entry, attributes
        mov $\entry, %eax
        mov $(\vector * 16), %edx
        mov $\attributes, %ecx
        call long_gate
        .endm

build_tables:
        movl $(pdpt + PRESENT_WRITE + USER), pml4
        movl $(low + PRESENT_WRITE), pdpt
        movl $(high + PRESENT_WRITE + USER), pdpt + 8
        mov $(PRESENT_WRITE + LARGE), %eax
        xor %ecx, %ecx
1:      mov %eax, low(, %ecx, 8)
        add $0x200000, %eax
        inc %ecx
        cmp $512, %ecx
        jne 1b
        movl $(window + PRESENT_WRITE + USER), high
        mov $(user_pages + PRESENT_WRITE + USER), %eax
        xor %ecx, %ecx
2:      mov %eax, window(, %ecx, 8)
        add $PAGE, %eax
        inc %ecx
        cmp $3, %ecx
        jne 2b
        movl $(user_stack + PRESENT_WRITE + USER), window + 3 * 8
        ret

build_task:
        movl $ring_0_stack, task + 4
        mov $task, %eax
        mov %eax, %edx
        shl $16, %eax
        or $103, %eax
        mov %eax, task_descriptor
        mov %edx, %eax
        shr $16, %eax
        and $0xff, %eax
        or $0x8900, %eax
        mov %eax, task_descriptor + 4
        ret

guest_main:
        call build_tables
        call build_task
        gate PAGE_FAULT, on_fault, 0x8e00
        gate UNDEFINED, on_back, 0x8e00
        write_msr IA32_STAR, 0, 0x00180008
        write_msr IA32_LSTAR, on_syscall
        write_msr IA32_FMASK, 0x300
        mov $CR4_PAE, %eax
        mov %eax, %cr4
        mov $pml4, %eax
        mov %eax, %cr3
        write_msr IA32_EFER, EFER_SCE_LME
        mov %cr0, %eax
        or $CR0_PG, %eax
        mov %eax, %cr0
        lgdt long_segments_register
        ljmp $CODE64, $in_long_mode

        .code64
in_long_mode:
        mov $DATA64, %eax
        mov %eax, %ds
        mov %eax, %es
        mov %eax, %ss
        lidt gates_register(%rip)
        mov $TSS, %eax
        ltr %ax

        .macro rounds name, code, ring
        movl $0, failures(%rip)
        movl $0, error_code(%rip)
        movl $0, fault_address(%rip)
        mov $ROUNDS, %r15d
771:    mov $(\code), %edi
        mov $\ring, %esi
        call round
        dec %r15d
        jnz 771b
        call to_32_bits
        .code32
        mov failures, %eax
        print \name
        mov error_code, %eax
        print \name\()_error_code
        mov fault_address, %eax
        print \name\()_cr2
        call to_64_bits
        .code64
        .endm

        rounds end, user_end, 0
        rounds sled, user_sled, 0
        rounds split, user_split, 0
        rounds user_end, (WINDOW+user_end-user_pages), 3
        rounds user_sled, (WINDOW+user_sled-user_pages), 3
        rounds user_split, (WINDOW+user_split-user_pages), 3
        rounds syscall, (WINDOW+user_syscall-user_pages), 3
        call to_32_bits
        .code32
        ret
        .code64

/* One way there, EDI in ring ESI, and back by SYSCALL, an interrupt, or a fault. */
round:
        push %rbx
        push %rbp
        mov %rsp, back_rsp(%rip)
        movl $0, arrived(%rip)
        test %esi, %esi
        jnz 1f
        jmp *%rdi
1:      push $USER_DATA
        mov $(WINDOW + 4 * PAGE), %eax
        push %rax
        push $2
        push $USER_CODE
        push %rdi
        iretq
on_syscall:
on_back:
        movl $1, arrived(%rip)
leave:
        mov back_rsp(%rip), %rsp
        cmpl $1, arrived(%rip)
        je 1f
        incl failures(%rip)
1:      mov $DATA64, %eax               /* ring 3 has lost those of ring 0 */
        mov %eax, %ss
        mov %eax, %ds
        mov %eax, %es
        pop %rbp
        pop %rbx
        ret
on_fault:
        pop %rax
        mov %eax, error_code(%rip)
        mov %cr2, %rax
        mov %eax, fault_address(%rip)
        jmp leave

/* To code with paging and flat segments, so that the stack stays; and back. */
to_32_bits:
        pop %rax
        push $CODE32
        push %rax
        lretq
        .code32
to_64_bits:
        pop %eax
        push $CODE64
        push %eax
        lret
