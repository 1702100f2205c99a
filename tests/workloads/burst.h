/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A burst: a list of operations that run one after another while IA32_DEBUGCTL and
 * IA32_PERF_GLOBAL_CTRL are on, as the state of a walk has them. Before and behind it both are off,
 * so that nothing of the test's own is recorded or counted.
 *
 * Each operation is reached by one jump, burst_dispatch -> burst_write or burst_call, and left by
 * one, to burst_next; a call makes the transfers of what it calls besides. Those are all.
 */
#ifndef TESTS_WORKLOADS_BURST_H
#define TESTS_WORKLOADS_BURST_H

/* What an operation is. The second end is for processors without IA32_PERF_GLOBAL_CTRL. */
#define BURST_WRITE     0
#define BURST_CALL      1
#define BURST_END       2
#define BURST_END_PLAIN 3

/* Instructions that do nothing but take their time, ahead of the end: an interrupt or a freeze that
 * comes late is there by then (F6.44, F7.6). Each is an RDMSR, some fifty cycles at least, and no
 * branch. */
#define BURST_SETTLE       128
#define BURST_SETTLE_BYTES 2 /* each */

/* Offsets of struct burst_operation and struct burst, for burst.S. */
#define BURST_OPERATION_FIRST  8
#define BURST_OPERATION_SECOND 16
#define BURST_OPERATION_SIZE   24
#define BURST_NEXT             0
#define BURST_DEBUGCTL         8
#define BURST_CONTROL          16
#define BURST_HAS_CONTROL      24
#define BURST_INTERRUPTS_OPEN  32
#define BURST_FOUND_DEBUGCTL   40
#define BURST_FOUND_CONTROL    48
#define BURST_FOUND_STATUS     56
#define BURST_LBR              64
#define BURST_FOUND_LBR        72

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct burst_operation {
    uint64_t kind;   /* BURST_… */
    uint64_t first;  /* the register's number, or what is called */
    uint64_t second; /* the value, or what is called has it in RDI */
};

struct burst {
    const struct burst_operation *next; /* the last one is an end */
    uint64_t debugctl, control;         /* as it begins */
    uint64_t has_control;               /* nonzero: IA32_PERF_GLOBAL_CTRL and its relatives exist */
    uint64_t interrupts_open;           /* nonzero: IF = 1 */
    uint64_t found_debugctl, found_control, found_status; /* right before both went off */
    uint64_t lbr_control; /* IA32_LBR_CTL as it begins, of one that has it */
    uint64_t found_lbr;   /* likewise at the end */
};

_Static_assert(sizeof(struct burst_operation) == BURST_OPERATION_SIZE, "burst.S");
_Static_assert(offsetof(struct burst, interrupts_open) == BURST_INTERRUPTS_OPEN, "burst.S");
_Static_assert(offsetof(struct burst, found_status) == BURST_FOUND_STATUS, "burst.S");
_Static_assert(offsetof(struct burst, found_lbr) == BURST_FOUND_LBR, "burst.S");

/* What runs it, and its places: the first and last address at which anything is on, the jump to an
 * operation, where each begins, what a call returns to, and the jumps back. */
struct burst_code {
    void (*run)(struct burst *burst);
    const char *on, *next, *dispatch, *write, *write_back, *call, *call_out, *call_back, *end,
        *settle, *end_plain, *off;
};

/* The second one switches architectural last-branch records on and off, too, by IA32_LBR_CTL. It
 * takes IA32_PERF_GLOBAL_CTRL to be there. */
extern const struct burst_code burst_code, burst_lbr_code;

#endif
#endif
