/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 16-bit code for a starting processor (arch/cpu/smp/processors.h), with its inputs and results at
 * LOW_DATA. Also 64-bit code that leaves recording on until an INIT comes.
 */
#ifndef TESTS_WORKLOADS_MODES_REAL_MODE_H
#define TESTS_WORKLOADS_MODES_REAL_MODE_H

#include "arch/cpu/smp/processors.h"

/* Offsets of struct real_mode_data, for assembly. */
#define REAL_DS_AREA    0
#define REAL_ON         8
#define REAL_DEBUGCTL   16
#define REAL_AREA_FOUND 24
#define REAL_PEBS_FOUND 32
#define REAL_READ_PEBS  40
#define REAL_DONE       44
#define REAL_IDTR       48
#define REAL_FAR        56
#define REAL_BACK       60
#define REAL_CALL       64
#define REAL_VECTORS    128

#define REAL_INT_VECTOR 0x20
/* Bytes from the start page down to the second code segment, so that offsets in it have bit 15 set.
 * Every start page has that much memory below it. */
#define REAL_OTHER_SEGMENT 0x7f00
#define AFTER_INIT_LOOPS   1000 /* two branches each */
#define BEFORE_INIT_JUMPS  10

/* Offsets of struct before_init. */
#define BEFORE_INIT_ON    0
#define BEFORE_INIT_READY 8

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

struct real_far_pointer {
    uint16_t ip, cs;
};

struct real_mode_data {  /* at LOW_DATA */
    uint64_t ds_area;    /* given: IA32_DS_AREA; after_init writes it only if read_pebs */
    uint64_t on;         /* given: IA32_DEBUGCTL; bits 63:32 of both are taken as 0 */
    uint64_t debugctl;   /* found: IA32_DEBUGCTL */
    uint64_t area_found; /* found by after_init: IA32_DS_AREA */
    uint64_t pebs_found; /* found by after_init if read_pebs: IA32_PEBS_ENABLE */
    uint32_t read_pebs;  /* given: IA32_PEBS_ENABLE exists */
    uint32_t done;       /* 1 at the end */
    uint16_t idt_limit;  /* given: what LIDT reads */
    uint16_t idt_base_low, idt_base_high, unused;
    struct real_far_pointer far, back, call; /* given: to the other segment, back, a far callee */
    uint8_t gap[REAL_VECTORS - REAL_CALL - sizeof(struct real_far_pointer)];
    struct real_far_pointer vectors[REAL_INT_VECTOR + 1];
};

_Static_assert(offsetof(struct real_mode_data, pebs_found) == REAL_PEBS_FOUND, "real_mode.S");
_Static_assert(offsetof(struct real_mode_data, idt_limit) == REAL_IDTR, "real_mode.S");
_Static_assert(offsetof(struct real_mode_data, call) == REAL_CALL, "real_mode.S");
_Static_assert(offsetof(struct real_mode_data, vectors) == REAL_VECTORS, "real_mode.S");

/*
 * Sets IA32_DS_AREA and IA32_DEBUGCTL, makes every kind of branch of real-address mode, and clears
 * IA32_DEBUGCTL. The code runs from a copy; the truth has the addresses of this image.
 */
extern const uint8_t real_mode_branches[], real_mode_branches_end[];
extern const uint8_t real_mode_in_far[], real_mode_in_back[], real_mode_in_call[];
extern const uint8_t real_mode_in_int[];
extern const struct transfer real_mode_truth[], real_mode_truth_end[];

/* Reads the registers (debugctl, area_found, pebs_found), then branches. Writes at most
 * IA32_DS_AREA. */
extern const uint8_t after_init[], after_init_end[];

/*
 * 64-bit code that sets IA32_DEBUGCTL and does not return, with interrupts off. before_init_halt()
 * makes BEFORE_INIT_JUMPS jumps and halts; before_init_run() jumps for ever from and to
 * before_init_loop.
 */
struct before_init {
    uint64_t on;
    uint32_t ready; /* 1 when the jumps are made, or when the loop is about to begin */
};
void before_init_halt(void *before_init);
void before_init_run(void *before_init);
extern const char before_init_loop[];

#endif
#endif
