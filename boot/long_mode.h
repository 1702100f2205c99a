/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For assembly: enters long mode with the temporary page tables of boot/entry.S. */
#ifndef BOOT_LONG_MODE_H
#define BOOT_LONG_MODE_H

#define CR0_PE  (1 << 0)
#define CR0_ET  (1 << 4)
#define CR0_NE  (1 << 5)
#define CR0_PG  (1 << 31)
#define CR4_PAE (1 << 5)

/* Selectors in boot_gdt. */
#define BOOT_CODE64   0x08
#define BOOT_DATA     0x10
#define BOOT_GDT_SIZE 24 /* bytes */

/* For .code16 and .code32; a far jump to 64-bit code must follow. The order is prescribed (F14.1).
 * CR4, IA32_EFER and CR0 are written whole, because firmware may leave LA57, CET, NXE or CD set;
 * CR4 first, because CET keeps CR0.WP from being cleared. Destroys EAX, ECX, EDX. */
.macro LONG_MODE_ON
    mov $CR4_PAE, %eax
    mov %eax, %cr4
    mov $boot_pml4, %eax
    mov %eax, %cr3
    mov $IA32_EFER, %ecx
    mov $EFER_LME, %eax
    xor %edx, %edx
    wrmsr
    mov $(CR0_PG | CR0_NE | CR0_ET | CR0_PE), %eax
    mov %eax, %cr0
.endm

/* For .code64: loads SS, and null selectors into the other data segment registers, which ring 0
 * does not use. Destroys EAX. */
.macro DATA_SEGMENTS
    mov $BOOT_DATA, %eax
    mov %eax, %ss
    xor %eax, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %fs
    mov %eax, %gs
.endm

#endif
