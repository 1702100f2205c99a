/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code for a starting processor (arch/cpu/smp/processors.h) that enters protected mode without
 * paging and returns, with IA-32e mode off all the time. Its inputs and results lie at LOW_DATA.
 */
#ifndef TESTS_WORKLOADS_MODES_PROTECTED_MODE_H
#define TESTS_WORKLOADS_MODES_PROTECTED_MODE_H

#include "arch/cpu/smp/processors.h"

/* Offsets of struct protected_mode_data, for assembly. */
#define PROTECTED_DS_AREA    0
#define PROTECTED_ON         8
#define PROTECTED_DEBUGCTL   16
#define PROTECTED_ANSWER     24
#define PROTECTED_ASKED      40
#define PROTECTED_START      48
#define PROTECTED_DONE       52
#define PROTECTED_GDTR       56
#define PROTECTED_IDTR       64
#define PROTECTED_ENTER      72
#define PROTECTED_BASED      80
#define PROTECTED_CALL       88
#define PROTECTED_LEAVE      96
#define PROTECTED_BACK       104
#define PROTECTED_GDT        112
#define PROTECTED_IDT        160
#define PROTECTED_TSS        272
#define PROTECTED_REGISTERS  376
#define PROTECTED_TRAP_COUNT 976
#define PROTECTED_TRAPS      980
#define PROTECTED_DIRECTORY  1108

/* Selectors in the GDT of struct protected_mode_data. CODE_FLAT is 32-bit code with base 0.
 * CODE_BASED (32-bit), CODE_16 and DATA have as base the page where the processor started. */
#define PROTECTED_CODE_FLAT   0x08
#define PROTECTED_CODE_BASED  0x10
#define PROTECTED_CODE_16     0x18
#define PROTECTED_DATA        0x20
#define PROTECTED_TASK        0x28
#define PROTECTED_DESCRIPTORS 6
#define PROTECTED_GATES       14 /* up to #GP */

#define PROTECTED_TSS_BYTES        104
#define PROTECTED_REGISTERS_MAX    24
#define PROTECTED_REGISTER_SIZE    24 /* of struct protected_register */
#define PROTECTED_REGISTER_NUMBER  0
#define PROTECTED_REGISTER_REFUSED 4
#define PROTECTED_REGISTER_VALUE   8
#define PROTECTED_REGISTER_FOUND   16
#define PROTECTED_TRAPS_MAX        32
#define PROTECTED_INT_VECTOR       9 /* for INT n: an exception that this code never raises */

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/modes/real_mode.h"

struct protected_far_pointer {
    uint32_t offset;
    uint16_t selector, unused;
};

struct protected_table { /* what LGDT and LIDT read */
    uint16_t limit, base_low, base_high, unused;
};

struct protected_register {
    uint32_t number;  /* given; 0: the end of the list */
    uint32_t refused; /* found: 1: #GP */
    uint64_t value;   /* given: the value that 32-bit code writes */
    uint64_t found;   /* found: the value that it reads back */
};

struct protected_mode_data { /* at LOW_DATA */
    uint64_t ds_area, on; /* given: IA32_DS_AREA (0: not written) and IA32_DEBUGCTL, below 4 GiB */
    uint64_t debugctl;    /* found at the end of recording */
    uint64_t answer[2];   /* found: what the registers held */
    uint32_t asked[2];    /* given: the numbers of two MSRs that the code reads */
    uint32_t start;       /* given: linear address of the start page */
    uint32_t done;        /* 1 at the end */
    struct protected_table gdtr, idtr;
    struct protected_far_pointer enter, based, call, leave; /* given: where each leads */
    struct real_far_pointer back, unused;
    uint64_t gdt[PROTECTED_DESCRIPTORS];
    uint64_t idt[PROTECTED_GATES];
    uint32_t tss[PROTECTED_TSS_BYTES / 4];
    struct protected_register registers[PROTECTED_REGISTERS_MAX + 1];
    uint32_t trap_count;                 /* found: how many debug exceptions came */
    uint32_t traps[PROTECTED_TRAPS_MAX]; /* found: the EIP that each saved */
    uint32_t directory;                  /* given: physical address of a page directory */
};

_Static_assert(offsetof(struct protected_mode_data, asked) == PROTECTED_ASKED, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, done) == PROTECTED_DONE, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, enter) == PROTECTED_ENTER, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, back) == PROTECTED_BACK, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, gdt) == PROTECTED_GDT, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, idt) == PROTECTED_IDT, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, tss) == PROTECTED_TSS, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, registers) == PROTECTED_REGISTERS,
               "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, trap_count) == PROTECTED_TRAP_COUNT,
               "virtual_8086.S");
_Static_assert(offsetof(struct protected_mode_data, traps) == PROTECTED_TRAPS, "virtual_8086.S");
_Static_assert(offsetof(struct protected_mode_data, directory) == PROTECTED_DIRECTORY,
               "protected_high.S");
_Static_assert(sizeof(struct protected_register) == PROTECTED_REGISTER_SIZE, "protected_mode.S");

/*
 * Sets IA32_DS_AREA and IA32_DEBUGCTL. Then goes through 32-bit and 16-bit code of protected mode
 * and back to real-address mode, with branches everywhere, and clears IA32_DEBUGCTL. A copy of the
 * code in low memory is run; the addresses in the truth are those of the original.
 */
extern const uint8_t protected_branches[], protected_branches_end[];
extern const uint8_t protected_enter[], protected_based[], protected_call[], protected_leave[];
extern const uint8_t protected_back[];
extern const struct transfer protected_truth[], protected_truth_end[];

/* Sets IA32_DEBUGCTL and executes a JMP, then UD2, in 32-bit code. The handler of #UD clears
 * IA32_DEBUGCTL and reads the last exception record. */
extern const uint8_t protected_ud[], protected_ud_end[];
extern const uint8_t protected_ud_enter[], protected_ud_jmp[], protected_ud_target[];
extern const uint8_t protected_ud_handler[], protected_ud_leave[], protected_ud_back[];

/* The same with 32-bit paging, which maps the code at a second address too. The JMP and the UD2 run
 * at that address, which `based` gives; the handler runs at the first address. */
extern const uint8_t protected_high[], protected_high_end[];
extern const uint8_t protected_high_enter[], protected_high_there[], protected_high_target[];
extern const uint8_t protected_high_handler[], protected_high_leave[], protected_high_back[];

/* Sets IA32_DS_AREA and IA32_DEBUGCTL, goes to protected mode, from there to virtual-8086 mode, and
 * back by a #UD, with branches in both. Clears IA32_DEBUGCTL. */
extern const uint8_t protected_8086[], protected_8086_end[];
extern const uint8_t protected_8086_enter[], protected_8086_handler[], protected_8086_leave[];
extern const uint8_t protected_8086_back[];
extern const struct transfer protected_8086_truth[], protected_8086_truth_end[];

/* The same with software interrupts in virtual-8086 mode. Their handler returns there. */
extern const uint8_t events_8086[], events_8086_end[];
extern const uint8_t events_8086_enter[], events_8086_handler[], events_8086_leave[];
extern const uint8_t events_8086_back[], events_8086_software[];
extern const struct transfer events_8086_truth[], events_8086_truth_end[];

/* The same, but TF is set in virtual-8086 mode, and IA32_DS_AREA is not written. The handler of #DB
 * stores the address in `traps` and writes IA32_DEBUGCTL again. */
extern const uint8_t stepped_8086[], stepped_8086_end[];
extern const uint8_t stepped_8086_enter[], stepped_8086_handler[], stepped_8086_leave[];
extern const uint8_t stepped_8086_back[], stepped_8086_trap[];
extern const struct transfer stepped_8086_truth[], stepped_8086_truth_end[];

/* Writes the MSRs of `registers` in 32-bit code and reads them back there. They keep the written
 * values. */
extern const uint8_t protected_registers[], protected_registers_end[];
extern const uint8_t protected_registers_enter[], protected_registers_leave[];
extern const uint8_t protected_registers_fault[], protected_registers_back[];

#endif
#endif
