/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables SPCR and DBG2 as the firmware hands them over: field by field, and of SPCR the address
 * that the PCI function has which it names.
 */
#include "guest.h"

#define BIOS_AREA     0xe0000
#define BIOS_AREA_END 0x100000
#define SIGNATURE     0x20445352 /* "RSD ", and "PTR " */
#define SIGNATURE_2   0x20525450
#define RSDT          16
#define LENGTH        4
#define ENTRIES       36

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define BAR            0x10

        .macro print_field name, offset, load=mov
        \load \offset(%edi), %eax
        print \name
        .endm

        .text
/* EDI: the table with the signature EBX; 0: there is none. */
find_table:
        mov $BIOS_AREA, %esi
1:      cmpl $SIGNATURE, (%esi)
        jne 2f
        cmpl $SIGNATURE_2, 4(%esi)
        je 3f
2:      add $16, %esi
        cmp $BIOS_AREA_END, %esi
        jb 1b
        xor %edi, %edi
        ret
3:      mov RSDT(%esi), %esi
        mov LENGTH(%esi), %ecx
        add %esi, %ecx
        add $ENTRIES, %esi
4:      mov (%esi), %edi
        cmp %ebx, (%edi)
        je 5f
        add $4, %esi
        cmp %ecx, %esi
        jb 4b
        xor %edi, %edi
5:      ret

/* EAX: what the bytes of the table at EDI add up to. */
add_up:
        mov LENGTH(%edi), %ecx
        mov %edi, %esi
        xor %eax, %eax
1:      add (%esi), %al
        inc %esi
        loop 1b
        ret

print_spcr:
        call add_up
        print spcr_sum
        print_field spcr_length, LENGTH
        print_field spcr_type, 36, movzbl
        print_field spcr_space, 40, movzbl
        print_field spcr_bits, 41, movzbl
        print_field spcr_access, 43, movzbl
        print_field spcr_address, 44
        print_field spcr_upper, 48
        print_field spcr_rate, 58, movzbl
        print_field spcr_device, 64, movzwl
        print_field spcr_vendor, 66, movzwl
        movzbl 68(%edi), %eax
        shl $5, %eax
        movzbl 69(%edi), %ecx
        or %ecx, %eax
        shl $3, %eax
        movzbl 70(%edi), %ecx
        or %ecx, %eax
        shl $8, %eax
        or $0x80000000 + BAR, %eax
        mov $CONFIG_ADDRESS, %edx
        out %eax, %dx
        mov $CONFIG_DATA, %edx
        in %dx, %eax
        print bar
        ret

print_dbg2:
        call add_up
        print dbg2_sum
        print_field dbg2_ports, 40
        add 36(%edi), %edi
        print_field dbg2_length, 1, movzwl
        print_field dbg2_addresses, 3, movzbl
        print_field dbg2_type, 12, movzwl
        print_field dbg2_subtype, 14, movzwl
        movzwl 20(%edi), %ecx
        mov (%edi,%ecx), %eax
        print dbg2_size
        movzwl 6(%edi), %ecx
        mov (%edi,%ecx), %eax
        print dbg2_name
        movzwl 18(%edi), %ecx
        add %ecx, %edi
        print_field dbg2_space, 0, movzbl
        print_field dbg2_access, 3, movzbl
        print_field dbg2_address, 4
        ret

guest_main:
        mov $0x52435053, %ebx /* SPCR */
        call find_table
        mov %edi, %eax
        print spcr
        test %edi, %edi
        jz 1f
        call print_spcr
1:      mov $0x32474244, %ebx /* DBG2 */
        call find_table
        mov %edi, %eax
        print dbg2
        test %edi, %edi
        jz 1f
        call print_dbg2
1:      ret
