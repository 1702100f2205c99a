/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One WRMSR between the overflow of a PEBS counter and its record. */
#ifndef TESTS_WORKLOADS_ARMED_WRITE_H
#define TESTS_WORKLOADS_ARMED_WRITE_H

/* Offsets of struct armed_pause. */
#define ARMED_PAUSE_NUMBER 0
#define ARMED_PAUSE_ON     8
#define ARMED_PAUSE_WORD   16
#define ARMED_PAUSE_FOUND  24

/* armed_pause(): from the bracket's first WRMSR to its own first one are fewer instructions than
 * ARMED_PAUSE_AHEAD. After its second one are ARMED_PAUSE_NOPS NOPs. */
#define ARMED_PAUSE_AHEAD 16
#define ARMED_PAUSE_NOPS  200

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/register_write.h"

/* RDI: the address of a struct register_write; ends by RET. Its other branches are two jumps, with
 * the WRMSR between them. The symbols: the WRMSR, the second jump, and that jump's target. */
void armed_write(void);
extern const char armed_write_wrmsr[], armed_write_jump[], armed_write_landing[];

/* Branches from the bracket's CALL to the first jump, both included. */
#define ARMED_WRITE_BRANCHES_BEFORE 2
#define ARMED_WRITE_BRANCHES        4 /* the same, up to the RET of armed_write() */

struct armed_pause {
    uint64_t number, on;           /* given: the register that gets 0, then `on` */
    const volatile uint64_t *word; /* given: a word that is read between the two WRMSR */
    uint64_t found;                /* result: the word's value */
};

_Static_assert(offsetof(struct armed_pause, word) == ARMED_PAUSE_WORD, "armed_write.S");
_Static_assert(offsetof(struct armed_pause, found) == ARMED_PAUSE_FOUND, "armed_write.S");

/* RDI: the address of a struct armed_pause; ends by RET. The symbols: its two WRMSR. */
void armed_pause(void);
extern const char armed_pause_off[], armed_pause_on[];

#endif
#endif
