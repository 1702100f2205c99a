/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A burst runs a list of operations one after another while IA32_DEBUGCTL and IA32_PERF_GLOBAL_CTRL
 * are on, as the state of a walk has them. Before and after it both are off, so the test's own code
 * is neither recorded nor counted.
 *
 * A write or call makes two jumps: from burst_dispatch to burst_write or burst_call, and from its
 * end to burst_next. A call adds the transfers of what it calls. The end of the list makes only the
 * jump from burst_dispatch. There are no other transfers.
 */
#ifndef TESTS_WORKLOADS_BURST_H
#define TESTS_WORKLOADS_BURST_H

/* Kinds of operation. BURST_END_PLAIN is the end for processors without IA32_PERF_GLOBAL_CTRL. */
#define BURST_WRITE     0
#define BURST_CALL      1
#define BURST_END       2
#define BURST_END_PLAIN 3

/* Slow instructions before the end, so that a late interrupt or freeze has come by then (F6.44,
 * F7.6). Each is an RDMSR, at least some fifty cycles long. */
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
    uint64_t first;  /* the register's number, or the function called */
    uint64_t second; /* the value, or the function's argument in RDI */
};

struct burst {
    const struct burst_operation *next; /* the list, which ends with BURST_END or _END_PLAIN */
    uint64_t debugctl, control;         /* at the beginning */
    uint64_t has_control;               /* nonzero: IA32_PERF_GLOBAL_CTRL and its relatives exist */
    uint64_t interrupts_open;           /* nonzero: IF = 1 */
    uint64_t found_debugctl, found_control, found_status; /* right before both are cleared */
    uint64_t lbr_control; /* IA32_LBR_CTL at the beginning, for burst_lbr_code */
    uint64_t found_lbr;   /* IA32_LBR_CTL at the end */
};

_Static_assert(sizeof(struct burst_operation) == BURST_OPERATION_SIZE, "burst.S");
_Static_assert(offsetof(struct burst, interrupts_open) == BURST_INTERRUPTS_OPEN, "burst.S");
_Static_assert(offsetof(struct burst, found_status) == BURST_FOUND_STATUS, "burst.S");
_Static_assert(offsetof(struct burst, found_lbr) == BURST_FOUND_LBR, "burst.S");

/* The function that runs a burst, and its addresses. From `on` to `off`, registers are on; from
 * `lbr_on`, which may be before that, IA32_LBR_CTL. `next` fetches an operation, and the jump at
 * `dispatch` goes to it: to `write`, `call`, `end` or `end_plain`. `call_out` is the CALL, which
 * returns to `call_back`. The jumps at `write_back` and `call_back` lead to `next`. `settle`: the
 * first of the slow instructions. From `cleared`, and at `off`, IA32_DEBUGCTL is 0. */
struct burst_code {
    void (*run)(struct burst *burst);
    const char *lbr_on, *on, *next, *dispatch, *write, *write_back, *call, *call_out, *call_back,
        *end, *settle, *cleared, *end_plain, *off;
};

/* burst_lbr_code also switches architectural last-branch records by IA32_LBR_CTL, and needs
 * IA32_PERF_GLOBAL_CTRL. */
extern const struct burst_code burst_code, burst_lbr_code;

#endif
#endif
