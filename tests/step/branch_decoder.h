/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where will the instruction at RIP lead? Decodes the opcodes that transfer control and the few
 * others that a single-stepper must know; everything else is "other", of any length. Pure function
 * of bytes and registers, so it can be tested on any host.
 */
#ifndef TESTS_STEP_BRANCH_DECODER_H
#define TESTS_STEP_BRANCH_DECODER_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

#define INSTRUCTION_BYTES_MAX 15

/* Operations that are no kind of transfer of tests/workloads/workload.h. */
enum {
    OPERATION_OTHER = TRANSFER_KINDS,
    OPERATION_UNFOLLOWABLE, /* a transfer: XBEGIN, XABORT, RSM, VM entry */
    OPERATION_PUSHF,
    OPERATION_POPF,
    OPERATION_HALT,
    OPERATION_STRING, /* with REP: a single step is one iteration, and RIP stays on it */
};

struct branch_context { /* before the instruction executes */
    uint64_t rip, rcx, rflags;
    bool code_is_64bit;
};

struct branch_decoded {
    uint8_t operation;     /* TRANSFER_… or OPERATION_…; TRANSFER_JRCXZ: JCXZ and JECXZ too */
    bool taken;            /* it is a transfer, and will happen unless it faults */
    uint64_t next;         /* address of the instruction after it; 0: unknown */
    uint64_t target;       /* of a direct branch, taken or not; else 0 */
    uint8_t operand_bytes; /* IRET, POPF, PUSHF: size of each item on the stack */
    uint8_t vector;        /* INT n */
    bool delays_traps;     /* STI, MOV SS: the trap may come one instruction late (F9.7) */
};

/* bytes: INSTRUCTION_BYTES_MAX bytes from RIP on, 0 where memory cannot be read. */
struct branch_decoded branch_decode(const uint8_t *bytes, const struct branch_context *context);

#endif
