/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GDT, TSS and IDT of one processor. */
#ifndef ARCH_CPU_TRAPS_DESCRIPTORS_H
#define ARCH_CPU_TRAPS_DESCRIPTORS_H

/* Selectors, in the order that SYSCALL, SYSRET, SYSENTER and SYSEXIT require (F14.2, F14.3). Usable
 * from assembly. */
#define SELECTOR_KERNEL_CODE 0x08
#define SELECTOR_KERNEL_DATA 0x10
#define SELECTOR_USER_CODE32 0x1b
#define SELECTOR_USER_DATA   0x23
#define SELECTOR_USER_CODE   0x2b
#define SELECTOR_TSS         0x38 /* two slots */
#define SELECTOR_CALL_GATE   0x4b /* two slots; open to every ring */

/* Rings 1 and 2, for workloads. Their code and stacks lie in pages of the kernel. */
#define SELECTOR_RING1_CODE 0x59
#define SELECTOR_RING1_DATA 0x61
#define SELECTOR_RING2_CODE 0x6a
#define SELECTOR_RING2_DATA 0x72

/* 32-bit ring 3 code like SELECTOR_USER_CODE32, but with this segment base. */
#define SELECTOR_USER_CODE32_BASED 0x7b
#define USER_CODE32_BASE           0x10000

/* The same with a base so high that linear addresses wrap at 4 GiB to 0. */
#define SELECTOR_USER_CODE32_HIGH 0x83
#define USER_CODE32_HIGH_BASE     0xfff00000

/* 16-bit ring 3 code, 64 KiB. */
#define SELECTOR_USER_CODE16 0x8b
#define USER_CODE16_BASE     0x10000

/* Conforming 64-bit code of ring 0, which ring 3 executes without leaving ring 3. */
#define SELECTOR_CONFORMING 0x93

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#define IST_NONE      0
#define IST_NMI       1
#define IST_DF        2
#define IST_MC        3
#define IST_DB        4 /* right after SYSCALL, ring 0 still runs on ring 3's stack */
#define IST_INTERCEPT 5 /* intercept.h */

struct tss { /* of 64-bit mode, 104 bytes: F14.6 */
    uint32_t reserved0;
    uint64_t rsp[3]; /* stacks of rings 0 to 2 */
    uint64_t reserved1;
    uint64_t ist[7];
    uint64_t reserved2;
    uint16_t reserved3;
    uint16_t io_map_base;
} __attribute__((packed));

struct descriptor_tables {
    uint64_t gdt[20];
    struct tss tss;
};

/*
 * Fills and loads GDT, segments and TSS of the running processor, with this index. Clears GS base,
 * so percpu_init() must follow.
 */
struct descriptor_tables *descriptors_load(unsigned processor);

/* Is this a selector of 64-bit code in the running processor's GDT? */
bool selector_is_64bit_code(uint16_t selector);

/* Points the running processor's call gate at ring 0 code; NULL makes it not present. */
void call_gate_set(void (*entry)(void));

/* The 256 interrupt gates (F14.4). */

/* Fills every gate with its default and loads IDTR. */
void idt_load(void);

/* Sets an interrupt gate, which clears IF and TF on entry. ist: 0 to 7; dpl: 0 or 3. */
void idt_set(uint8_t vector, uint64_t entry, unsigned dpl, unsigned ist);

/* Sets the default gate. It leads to the common entry; #DB, NMI, #DF and #MC each get a stack of
 * their own. For VECTOR_USER_INT it leads to the return from ring 3. */
void idt_set_default(uint8_t vector);
bool idt_is_default(uint8_t vector);

/* Points the gate at the common entry. */
void idt_set_common_entry(uint8_t vector, unsigned dpl, unsigned ist);

/* The gate's entry address, and its DPL, which is the outermost ring whose INT n may use it. */
uint64_t idt_entry(uint8_t vector);
unsigned idt_dpl(uint8_t vector);

#endif
#endif
