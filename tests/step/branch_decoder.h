/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where will the instruction at RIP lead? Decodes the opcodes that transfer control and the few
 * others that a single-stepper must know; everything else is "other", of any length. Pure function
 * of bytes and registers, so it can be tested on any host.
 */
#ifndef TESTS_STEP_BRANCH_DECODER_H
#define TESTS_STEP_BRANCH_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_BYTES_MAX 15

enum branch_operation {
    OPERATION_OTHER,
    OPERATION_JMP,
    OPERATION_JMP_INDIRECT,
    OPERATION_JCC,
    OPERATION_LOOP,  /* LOOP, LOOPE, LOOPNE */
    OPERATION_JRCXZ, /* JCXZ and JECXZ too */
    OPERATION_CALL,
    OPERATION_CALL_INDIRECT,
    OPERATION_RET,
    OPERATION_FAR_JMP,
    OPERATION_FAR_CALL,
    OPERATION_FAR_RET,
    OPERATION_INT,
    OPERATION_INT3,
    OPERATION_INTO, /* taken if the overflow flag is set */
    OPERATION_INT1,
    OPERATION_IRET,
    OPERATION_SYSCALL,
    OPERATION_SYSRET,
    OPERATION_SYSENTER,
    OPERATION_SYSEXIT,
    OPERATION_UNFOLLOWABLE, /* XBEGIN, XABORT, RSM, VM entry */
    /* No control transfers: */
    OPERATION_PUSHF,
    OPERATION_POPF,
    OPERATION_HALT,
    OPERATION_STRING, /* with REP: a single step is one iteration, and RIP stays on it */
    OPERATION_COUNT,
};

struct branch_context { /* before the instruction executes */
    uint64_t rip, rcx, rflags;
    bool code_is_64bit;
};

struct branch_decoded {
    enum branch_operation operation;
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
