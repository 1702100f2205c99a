/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the loader's 32-bit protected mode (F11.31) to 64-bit C. Checks that there is a long mode to
 * go to and says so on COM1, and on the screen where it shows text, if not; nothing else of the
 * machine is in use yet.
 *
 * Temporary tables, 2-MiB pages, writable and executable, replaced by paging_init(); other
 * processors pass through them too (boot/ap_trampoline.S):
 *     0 to 4 GiB                  identity: this code, and what the loader left in memory
 *     0xffffffff80000000 + 1 GiB  the same first GiB of memory: the kernel
 */
#include "arch/cpu/traps/debug.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/stacks.h"
#include "boot/long_mode.h"

#define LOADER_MAGIC 0x36d76289 /* in EAX, from a multiboot2 loader: F11.31 */

#define EFLAGS_CLEAN        0x2
#define EFLAGS_ID           (1 << 21)
#define CPUID_PAE           (1 << 6)  /* 01H:EDX */
#define CPUID_MSR           (1 << 5)  /* 01H:EDX */
#define CPUID_CMOV          (1 << 15) /* 01H:EDX; compilers take it for granted in 64-bit code */
#define CPUID_SSE2          (1 << 26) /* 01H:EDX; MFENCE */
#define CPUID_HYPERVISOR    (1 << 31) /* 01H:ECX */
#define CPUID_LONG_MODE     (1 << 29) /* 80000001H:EDX */
#define PAGE_PRESENT_WRITE  0x003
#define PAGE_LARGE          0x080
#define LARGE_PAGES         2048 /* 4 GiB */

#define COM1            0x3f8
#define LSR_SEND_READY  0x20
#define SEND_WAIT       100000 /* reads of the line status; a dead port must not stop us */
#define SCREEN          0xb8000 /* 25 rows of 80 cells; a cell is a letter and its colours */
#define SCREEN_CELLS    (80 * 25)
#define SCREEN_ROW      (80 * 2)
#define WHITE           0x0f

#define TAG_END         0       /* of the loader's information: F11.32, F11.33 */
#define TAG_FRAMEBUFFER 8
#define TAG_EFI_32      11
#define TAG_EFI_64      12
#define TAG_KIND        29      /* of a framebuffer */
#define KIND_TEXT       2

#define EXIT_PORT       0xf4   /* an emulator's exit device (F14.13) */
#define EXIT_NOT_RUN    0x12

    .section .boot.text, "ax"
    .code32
    .globl boot_entry
boot_entry:
    cli
    cld
    mov $boot_stack_top, %esp
    push $EFLAGS_CLEAN          /* clear the loader's NT, AC, IOPL */
    popfl
    mov %eax, boot_magic
    mov %ebx, boot_information
    mov $DR7_INITIAL, %eax      /* no foreign breakpoint */
    mov %eax, %dr7

    pushfl                      /* CPUID exists when EFLAGS.ID can be changed */
    pop %eax
    mov %eax, %ecx
    xor $EFLAGS_ID, %eax
    push %eax
    popfl
    pushfl
    pop %eax
    mov $text_no_cpuid, %esi
    xor %ecx, %eax
    test $EFLAGS_ID, %eax
    jz refuse

    mov $1, %eax
    cpuid
    mov %ecx, boot_features
    mov $text_no_multiboot, %esi
    cmpl $LOADER_MAGIC, boot_magic
    jne refuse
    mov %edx, %eax
    and $(CPUID_PAE | CPUID_MSR), %eax
    mov $text_no_pae, %esi
    cmp $(CPUID_PAE | CPUID_MSR), %eax
    jne refuse
    mov %edx, %edi              /* checked after long mode */
    mov $0x80000000, %eax
    cpuid
    mov $text_no_long_mode, %esi
    cmp $0x80000001, %eax
    jb refuse
    mov $0x80000001, %eax
    cpuid
    test $CPUID_LONG_MODE, %edx
    jz refuse
    mov %cr0, %eax              /* what the loader left, for the log */
    mov %eax, boot_entry_state
    mov %cr4, %eax
    mov %eax, boot_entry_state + 4
    mov $IA32_EFER, %ecx
    rdmsr
    mov %eax, boot_entry_state + 8
    and $(CPUID_CMOV | CPUID_SSE2), %edi
    mov $text_no_cmov, %esi
    cmp $(CPUID_CMOV | CPUID_SSE2), %edi
    jne refuse

    mov $PAGE_PRESENT_WRITE | PAGE_LARGE, %eax
    xor %ecx, %ecx
1:  mov %eax, boot_directories(, %ecx, 8)
    add $(2 << 20), %eax
    inc %ecx
    cmp $LARGE_PAGES, %ecx
    jne 1b
    mov $boot_directories + PAGE_PRESENT_WRITE, %eax
    mov %eax, boot_pointers_high + 510 * 8
    xor %ecx, %ecx
2:  mov %eax, boot_pointers_low(, %ecx, 8)
    add $4096, %eax
    inc %ecx
    cmp $4, %ecx
    jne 2b
    movl $boot_pointers_low + PAGE_PRESENT_WRITE, boot_pml4
    movl $boot_pointers_high + PAGE_PRESENT_WRITE, boot_pml4 + 511 * 8

    LONG_MODE_ON
    lgdt boot_gdt_pointer
    ljmp $BOOT_CODE64, $long_mode

/* Prints what is missing (ESI), exits an emulator, and stops. */
refuse:
    call find_screen
    mov $show, %ebp
    call say
    mov $COM1 + 3, %dx          /* 115200 baud, 8 bits, no parity, FIFO on (F14.13) */
    mov $0x80, %al
    out %al, %dx
    mov $COM1, %dx
    mov $1, %al
    out %al, %dx
    inc %dx
    xor %al, %al
    out %al, %dx
    mov $COM1 + 3, %dx
    mov $0x03, %al
    out %al, %dx
    dec %dx
    mov $0xc7, %al
    out %al, %dx
    mov $send, %ebp
    call say
    testl $CPUID_HYPERVISOR, boot_features
    jz 3f                       /* on a real board the port may be anything */
    mov $EXIT_NOT_RUN, %al
    mov $EXIT_PORT, %dx
    out %al, %dx
3:  cli
    hlt
    jmp 3b

/* Prints the whole message by the function in EBP. */
say:
    mov $text_begin, %edi
    call *%ebp
    mov %esi, %edi
    call *%ebp
    mov $text_end, %edi
    jmp *%ebp

/* Returns in EBX the text screen, cleared, or 0 if the loader reports none, because EFI started it
 * or the framebuffer is of another kind. */
find_screen:
    xor %ebx, %ebx
    cmpl $LOADER_MAGIC, boot_magic
    jne 9f
    mov boot_information, %eax
    mov %eax, %ecx              /* where it ends */
    add (%eax), %ecx
    add $8, %eax
7:  lea 8(%eax), %edx
    cmp %ecx, %edx
    ja 9f
    mov (%eax), %edx
    cmp $TAG_END, %edx
    je 8f
    cmp $TAG_EFI_32, %edx
    je 9f
    cmp $TAG_EFI_64, %edx
    je 9f
    cmp $TAG_FRAMEBUFFER, %edx
    jne 1f
    cmpb $KIND_TEXT, TAG_KIND(%eax)
    jne 9f
1:  mov 4(%eax), %edx
    cmp $8, %edx
    jb 9f
    add $7, %edx
    and $~7, %edx
    add %edx, %eax
    jnc 7b
    ret
8:  mov $SCREEN, %ebx
    mov %ebx, %edi
    mov $(WHITE << 8 | ' '), %eax
    mov $SCREEN_CELLS, %ecx
    rep stosw
9:  ret

/* Writes the text at EDI to the screen at EBX, and advances EBX. */
show:
    test %ebx, %ebx
    jz 9b
    mov (%edi), %al
    inc %edi
    cmp $' ', %al
    jb 1f
    mov $WHITE, %ah
    mov %ax, (%ebx)
    add $2, %ebx
    jmp show
1:  test %al, %al
    jz 9b
    cmp $'\n', %al
    jne show
    lea -SCREEN(%ebx), %eax     /* to the row below */
    xor %edx, %edx
    mov $SCREEN_ROW, %ecx
    div %ecx
    sub %edx, %ebx
    add %ecx, %ebx
    jmp show

/* Sends the text at EDI to COM1. */
send:
    mov (%edi), %ah
    test %ah, %ah
    jz 6f
    mov $SEND_WAIT, %ecx
    mov $COM1 + 5, %dx
4:  in %dx, %al
    test $LSR_SEND_READY, %al
    jnz 5f
    loop 4b
5:  mov $COM1, %dx
    mov %ah, %al
    out %al, %dx
    inc %edi
    jmp send
6:  ret

    .code64
long_mode:
    DATA_SEGMENTS
    mov $stacks + STACK_GUARD_SIZE + STACK_SIZE, %rsp
    xor %ebp, %ebp              /* the end of every backtrace */
    mov boot_information(%rip), %edi
    lea boot_entry_state(%rip), %rsi
    movabs $boot_main, %rax
    call *%rax
    ud2

text_begin:
    .asciz "\r\n# error: "
text_no_multiboot:
    .asciz "not started by a Multiboot2 loader"
text_no_cpuid:
    .asciz "this processor has no CPUID, so no long mode"
text_no_pae:
    .asciz "this processor has no PAE or no MSRs (CPUID.01H:EDX[6], EDX[5]), so no long mode"
text_no_long_mode:
    .asciz "this processor has no long mode (CPUID.80000001H:EDX[29] = 0)"
text_no_cmov:
    .asciz "this processor has long mode, but no CMOV or no SSE2 (CPUID.01H:EDX[15], EDX[26])"
text_end:
    .asciz "; cannot run\r\n# verdict: ERROR\r\n"

    .balign 8
    .globl boot_gdt
boot_gdt:
    .quad 0
    .quad 0x00af9b000000ffff    /* code, 64 bits */
    .quad 0x00cf93000000ffff    /* data */
boot_gdt_pointer:
    .short BOOT_GDT_SIZE - 1
    .long boot_gdt

    .section .boot.bss, "aw", @nobits
    .balign 4096
    .globl boot_pml4
boot_pml4:
    .skip 4096
boot_pointers_low:
    .skip 4096
boot_pointers_high:
    .skip 4096
boot_directories:
    .skip 4 * 4096
    .skip 1024
boot_stack_top:
boot_information:
    .skip 4
boot_magic:
    .skip 4
boot_features:
    .skip 4                     /* CPUID.01H:ECX */
boot_entry_state:
    .skip 12                    /* struct boot_entry_state */
