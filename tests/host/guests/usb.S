/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A USB controller that raises SMIs: found by its class on bus 0, and taken from the firmware step
 * by step; how many SMIs come after each.
 */
#include "guest.h"
#include "hand_over.h"

#define MSR_SMI_COUNT 0x34

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define COMMAND        0x04
#define CLASS          0x08
#define BAR            0x10
#define MEMORY_ENABLE  2
#define USB            0x0c03

#define UHCI_LEGACY     0xc0
#define EHCI_PARAMETERS 0x08
#define XHCI_PARAMETERS 0x10
#define OWNER_FIRMWARE  0x10000
#define OWNER_SYSTEM    0x1000000

        .bss
        .balign 4
place:  .skip 4                         /* the function's configuration address */
kind:   .skip 4                         /* its programming interface */
memory: .skip 4                         /* of its registers */
legacy: .skip 4                         /* its legacy support: offset in one of the two */
left:   .skip 4                         /* tenths of a second */

        .text
select:                                 /* EAX: a register of configuration space */
        or place, %eax
        mov $CONFIG_ADDRESS, %edx
        out %eax, %dx
        mov $CONFIG_DATA, %edx
        ret

read_config:                            /* EAX: the register; its value */
        call select
        in %dx, %eax
        ret

write_config:                           /* EAX: the register; ECX: the value */
        call select
        mov %ecx, %eax
        out %eax, %dx
        ret

read_legacy:                            /* EAX: 0 or 4; the value there */
        add legacy, %eax
        cmpl $0x30, kind
        jne read_config
        add memory, %eax
        mov (%eax), %eax
        ret

write_legacy:                           /* EAX: 0 or 4; ECX: the value */
        add legacy, %eax
        cmpl $0x30, kind
        jne write_config
        add memory, %eax
        mov %ecx, (%eax)
        ret

find:
        movl $0x80000000, place
1:      mov $CLASS, %eax
        call read_config
        shr $16, %eax
        cmp $USB, %eax
        je 2f
        addl $0x800, place
        cmpl $0x80010000, place
        jb 1b
2:      ret

open:
        mov $CLASS, %eax
        call read_config
        shr $8, %eax
        print class
        and $0xff, %eax
        mov %eax, kind
        movl $UHCI_LEGACY, legacy
        cmpl $0, kind
        je 9f
        mov $COMMAND, %eax
        mov $MEMORY_ENABLE, %ecx
        call write_config
        mov $BAR, %eax
        call read_config
        and $~15, %eax
        mov %eax, memory
        mov %eax, %esi
        mov EHCI_PARAMETERS(%esi), %eax
        shr $8, %eax
        and $0xff, %eax
        mov %eax, legacy
        cmpl $0x20, kind
        je 9f
        mov XHCI_PARAMETERS(%esi), %eax
        shr $16, %eax
        shl $2, %eax
        mov %eax, legacy
9:      ret

        /* SMIs of a tenth of a second; if none came, of the next, up to so many: a processor on a
           busy host may not run in one. */
        .macro count name, tenths=1
        read_msr MSR_SMI_COUNT
        push %eax
        movl $\tenths, left
1:      wait TICKS_A_SECOND / 10
        read_msr MSR_SMI_COUNT
        sub (%esp), %eax
        jnz 2f
        decl left
        jnz 1b
2:      add $4, %esp
        print \name
        .endm

        .macro print_legacy offset, name
        mov $\offset, %eax
        call read_legacy
        print \name
        .endm

        /* Sets and clears bits of the owners. */
        .macro own set, clear
        xor %eax, %eax
        call read_legacy
        or $\set, %eax
        and $~\clear, %eax
        mov %eax, %ecx
        xor %eax, %eax
        call write_legacy
        .endm

        /* An UHCI has no owners, and its enables are where others have them. */
        .macro disable
        mov $4, %eax
        cmpl $0, kind
        jne 1f
        xor %eax, %eax
1:      mov $0x8f00, %ecx
        cmpl $0, kind
        je 1f
        xor %ecx, %ecx
1:      call write_legacy
        .endm

guest_main:
        call mask_8259s
        call find
        call open
        count before_hand_over
        call hand_over
        count owned, 100
        disable
        count disabled, 10
        cmpl $0, kind
        je 9f
        print_legacy 0, owners
        own OWNER_SYSTEM, 0
        count asked, 100
        print_legacy 0, owners_asked
        own 0, OWNER_FIRMWARE
        disable
        count taken
        print_legacy 0, owners_taken
        print_legacy 4, control_taken
9:      ret
