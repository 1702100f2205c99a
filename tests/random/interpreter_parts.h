/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From bytes to operations: what the two files of the interpreter share. */
#ifndef TESTS_RANDOM_INTERPRETER_PARTS_H
#define TESTS_RANDOM_INTERPRETER_PARTS_H

#include "tests/random/interpreter.h"

enum {
    DO_SET, /* to = source: MOV, LEA of an address relative to RIP */
    DO_LEA, /* to = base + constant */
    DO_LOAD,
    DO_ADD, /* the eight as their opcodes have them */
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
    DO_NOTHING,            /* CLI, STI: to what is looked at here */
    DO_TRANSFERS,          /* from here on: what may transfer control */
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
 * Decodes the instruction of the bytes, at most so many of them, that lies at op->address; RIP
 * relative addresses are resolved. NULL, or what is wrong.
 */
const char *interpreter_decode(struct interpreter *in, struct operation *op, const uint8_t *bytes,
                               size_t length);

#endif
