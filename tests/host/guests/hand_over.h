/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For guests that need a board which has begun to misbehave: it does so when long mode is switched
 * on. hand_over goes there and back to 32-bit protected mode. The ports are those that SeaBIOS
 * chooses on q35. Interrupts of the 8259s stay masked.
 */
#define PM_TIMER       0x608 /* 24 bits */
#define TICKS_A_SECOND 3579545

#define IA32_EFER 0xc0000080
#define EFER_LME  0x100
#define CR4_PAE   0x20
#define CR0_PG    0x80000000

        /* Waits `ticks` ticks of the timer; EAX: how many passed. */
        .macro wait ticks
        mov $\ticks, %ebx
        call wait_ticks
        .endm

        /* Waits until the word at `address` differs from EBP, at most `ticks` ticks. A processor
           that runs on a busy host may take seconds for its first instruction. */
        .macro await_change address, ticks
        mov $\ticks, %ebx
        mov $\address, %esi
        call wait_for_change
        .endm

        .bss
        .balign 4096
map_4:  .skip 4096
map_3:  .skip 4096
map_2:  .skip 4 * 4096                  /* 4 GiB in pages of 2 MiB, each where it is */

        .text
hand_over:
        call enter_long_mode
        call leave_long_mode
        ret

/* The code stays 32 bits wide. Interrupts would need 64-bit gates, so they must wait. */
enter_long_mode:
        pusha
        movl $map_3 + 3, map_4
        mov $map_2 + 3, %eax
        mov $map_3, %edi
        mov $4, %ecx
1:      mov %eax, (%edi)
        add $4096, %eax
        add $8, %edi
        loop 1b
        mov $0x83, %eax
        mov $map_2, %edi
        mov $4 * 512, %ecx
1:      mov %eax, (%edi)
        add $0x200000, %eax
        add $8, %edi
        loop 1b
        mov $map_4, %eax
        mov %eax, %cr3
        mov %cr4, %eax
        or $CR4_PAE, %eax
        mov %eax, %cr4
        write_msr IA32_EFER, EFER_LME
        mov %cr0, %eax
        or $CR0_PG, %eax
        mov %eax, %cr0
        jmp 1f
1:      popa
        ret

leave_long_mode:
        push %eax
        mov %cr0, %eax
        and $~CR0_PG, %eax
        mov %eax, %cr0
        jmp 1f
1:      pop %eax
        ret

mask_8259s:
        mov $0xff, %al
        out %al, $0x21
        out %al, $0xa1
        ret

read_timer:                             /* returns EAX; EDX is lost */
        mov $PM_TIMER, %edx
        in %dx, %eax
        ret

wait_for_change:                        /* takes EBX, ESI, EBP */
        call read_timer
        mov %eax, %edi
1:      cmp (%esi), %ebp
        jne 2f
        call read_timer
        sub %edi, %eax
        and $0xffffff, %eax
        cmp %ebx, %eax
        jb 1b
2:      ret

wait_ticks:                             /* takes EBX, returns EAX */
        call read_timer
        mov %eax, %edi
1:      call read_timer
        sub %edi, %eax
        and $0xffffff, %eax
        cmp %ebx, %eax
        jb 1b
        ret
