/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the interpreter's two files: operations, and the decoder that makes them of bytes. */
#ifndef TESTS_RANDOM_INTERPRETER_PARTS_H
#define TESTS_RANDOM_INTERPRETER_PARTS_H

#include "tests/random/interpreter.h"

enum {
    DO_SET, /* to = source: MOV, LEA of an address relative to RIP */
    DO_LEA, /* to = base + constant */
    DO_LOAD,
    DO_ADD, /* eight operations in the order of their opcodes */
    DO_OR,
    DO_ADC,
    DO_SBB,
    DO_AND,
    DO_SUB,
    DO_XOR,
    DO_CMP,
    DO_DEC,
    DO_CLC,
    DO_STC,
    DO_CMC,
    DO_PUSH,
    DO_POP,
    DO_NOTHING,            /* CLI, STI: no effect on what is modelled */
    DO_TRANSFERS,          /* from here on: operations that may transfer control */
    DO_JCC = DO_TRANSFERS, /* to: the condition */
    DO_JMP,
    DO_CALL,
    DO_RET, /* constant: bytes to drop */
    DO_LOOP,
    DO_LOOPE,
    DO_LOOPNE,
    DO_JRCXZ,
    DO_JECXZ,
    DO_JMP_SOURCE,
    DO_CALL_SOURCE,
    DO_JMP_MEMORY, /* the word at base + constant */
    DO_CALL_MEMORY,
    DO_INT, /* constant: the vector */
    DO_IRET,
    DO_SYSCALL,
    DO_SYSRET,
};

/*
 * Decodes the instruction at op->address from at most `length` bytes, and resolves RIP-relative
 * addresses. Returns what is wrong, or NULL.
 */
const char *interpreter_decode(struct interpreter *in, struct operation *op, const uint8_t *bytes,
                               size_t length);

#endif
