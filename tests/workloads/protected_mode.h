/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code for a processor that starts (arch/cpu/processors.h), which goes to protected mode without
 * paging and comes back: IA-32e mode is off all the time. What it is given and what it leaves at
 * LOW_DATA.
 */
#ifndef TESTS_WORKLOADS_PROTECTED_MODE_H
#define TESTS_WORKLOADS_PROTECTED_MODE_H

#include "arch/cpu/processors.h"

/* Offsets of struct protected_mode_data, for assembly. */
#define PROTECTED_DS_AREA      0
#define PROTECTED_ON           8
#define PROTECTED_DEBUGCTL     16
#define PROTECTED_LER_FROM     24
#define PROTECTED_LER_TO       32
#define PROTECTED_LER_REGISTER 40
#define PROTECTED_START        48
#define PROTECTED_DONE         52
#define PROTECTED_GDTR         56
#define PROTECTED_IDTR         64
#define PROTECTED_ENTER        72
#define PROTECTED_BASED        80
#define PROTECTED_CALL         88
#define PROTECTED_LEAVE        96
#define PROTECTED_BACK         104
#define PROTECTED_GDT          112
#define PROTECTED_IDT          152

/* Selectors in that GDT: 32-bit code at base 0; the others begin where the processor started. */
#define PROTECTED_CODE_FLAT   0x08
#define PROTECTED_CODE_BASED  0x10
#define PROTECTED_CODE_16     0x18
#define PROTECTED_DATA        0x20
#define PROTECTED_DESCRIPTORS 5
#define PROTECTED_GATES       7 /* up to #UD */

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/real_mode.h"

struct protected_far_pointer {
    uint32_t offset;
    uint16_t selector, unused;
};

struct protected_table { /* what LGDT and LIDT read */
    uint16_t limit, base_low, base_high, unused;
};

struct protected_mode_data { /* at LOW_DATA */
    uint64_t ds_area, on;    /* given: IA32_DS_AREA, 0: not written; IA32_DEBUGCTL; below 4 GiB */
    uint64_t debugctl;       /* found at the end of recording */
    uint64_t ler_from, ler_to;
    uint32_t ler_register[2]; /* given: FROM, TO */
    uint32_t start;           /* given: linear address of the page where it started */
    uint32_t done;            /* 1 at the end */
    struct protected_table gdtr, idtr;
    struct protected_far_pointer enter, based, call, leave; /* given: where each leads */
    struct real_far_pointer back, unused;
    uint64_t gdt[PROTECTED_DESCRIPTORS];
    uint64_t idt[PROTECTED_GATES];
};

_Static_assert(offsetof(struct protected_mode_data, ler_register) == PROTECTED_LER_REGISTER,
               "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, done) == PROTECTED_DONE, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, enter) == PROTECTED_ENTER, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, back) == PROTECTED_BACK, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, gdt) == PROTECTED_GDT, "protected_mode.S");
_Static_assert(offsetof(struct protected_mode_data, idt) == PROTECTED_IDT, "protected_mode.S");

/*
 * Sets IA32_DS_AREA and IA32_DEBUGCTL, goes to 32-bit code, through 16-bit code of protected mode
 * and back, with branches everywhere, and clears IA32_DEBUGCTL. The truth has the addresses of this
 * image; the code runs from a copy.
 */
extern const uint8_t protected_branches[], protected_branches_end[];
extern const uint8_t protected_enter[], protected_based[], protected_call[], protected_leave[];
extern const uint8_t protected_back[];
extern const struct transfer protected_truth[], protected_truth_end[];

/* Sets IA32_DEBUGCTL; in 32-bit code the JMP, then UD2, whose handler clears IA32_DEBUGCTL and
 * reads the last-exception record. */
extern const uint8_t protected_ud[], protected_ud_end[];
extern const uint8_t protected_ud_enter[], protected_ud_jmp[], protected_ud_target[];
extern const uint8_t protected_ud_handler[], protected_ud_leave[], protected_ud_back[];

#endif
#endif
