/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes x86-64 instructions as bytes into memory, on any host. To run them, the caller makes the
 * page executable.
 *
 * Every function that writes an instruction adds the budget's `weight` to its `steps`.
 */
#ifndef TESTS_RANDOM_EMITTER_H
#define TESTS_RANDOM_EMITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reg {
    REG_RAX,
    REG_RCX,
    REG_RDX,
    REG_RBX,
    REG_RSP,
    REG_RBP,
    REG_RSI,
    REG_RDI,
    REG_R8,
    REG_R9,
    REG_R10,
    REG_R11,
    REG_R12,
    REG_R13,
    REG_R14,
    REG_R15,
};

/* Direct branches. The values below 16 are Jcc, numbered as the condition codes are. */
enum branch {
    BRANCH_JZ = 4,
    BRANCH_JNZ = 5,
    BRANCH_JCC_COUNT = 16,
    BRANCH_JMP = BRANCH_JCC_COUNT,
    BRANCH_CALL,
    BRANCH_LOOPNE,
    BRANCH_LOOPE,
    BRANCH_LOOP,
    BRANCH_JRCXZ,
    BRANCH_JECXZ,
};

/* Displacements of 8 or 32 bits. CALL has no short form, LOOP and JRCXZ have no near one. */
enum branch_width { BRANCH_SHORT = 1, BRANCH_NEAR = 4 };

enum indirect { INDIRECT_CALL = 2, INDIRECT_JMP = 4 }; /* the opcode extensions */
enum based { BASED_LOAD = 0x8b, BASED_LEA = 0x8d }; /* the opcodes: to = memory, or its address */

/* op r64, r64 and op r64, imm8; numbered as in the opcode. */
enum arithmetic {
    ARITHMETIC_ADD,
    ARITHMETIC_OR,
    ARITHMETIC_ADC,
    ARITHMETIC_SBB,
    ARITHMETIC_AND,
    ARITHMETIC_SUB,
    ARITHMETIC_XOR,
    ARITHMETIC_CMP,
};

struct budget {
    size_t steps;    /* instructions that run at most */
    size_t limit;    /* bound for steps; the emitter does not check it */
    unsigned weight; /* how often the code being written runs at most */
};

struct emitter {
    uint8_t *bytes;   /* where the code is written */
    uint64_t address; /* where it will run; by default the same place */
    size_t size;      /* bytes */
    size_t at;        /* offset of the next instruction */
    bool full; /* something did not fit or was out of a branch's reach: do not run the code */
    struct budget *budget;
};

/* A place whose target is still to be filled in: a displacement of 1 or 4 bytes, or an address
 * of 8. */
struct hole {
    size_t at;
    size_t length;
};

/* Fills the memory with INT3, so that a stray jump ends at once. */
struct emitter emitter_open(void *memory, size_t size, struct budget *budget);
uint64_t emitter_address(const struct emitter *e, size_t offset);

/* Points the hole at the next instruction, or at an offset. */
void emit_land(struct emitter *e, struct hole hole);
void emit_point(struct emitter *e, struct hole hole, size_t target);

/* The first writes a branch whose target is not written yet, the second one to a known offset. */
struct hole emit_branch(struct emitter *e, enum branch branch, enum branch_width width);
void emit_branch_to(struct emitter *e, enum branch branch, enum branch_width width, size_t target);

void emit_indirect_register(struct emitter *e, enum indirect what, enum reg target);
void emit_indirect_based(struct emitter *e, enum indirect what, enum reg base, int8_t displacement);
struct hole emit_indirect_rip(struct emitter *e, enum indirect what);

struct hole emit_lea_rip(struct emitter *e, enum reg to);
void emit_based(struct emitter *e, enum based what, enum reg to, enum reg base,
                int8_t displacement);
void emit_load(struct emitter *e, enum reg to, uint64_t value);
void emit_load32(struct emitter *e, enum reg to, uint32_t value);
void emit_move(struct emitter *e, enum reg to, enum reg from);
void emit_arithmetic(struct emitter *e, enum arithmetic what, enum reg to, enum reg from);
void emit_arithmetic_constant(struct emitter *e, enum arithmetic what, enum reg to, int8_t value);
void emit_decrement(struct emitter *e, enum reg reg);
void emit_push(struct emitter *e, enum reg reg);
void emit_pop(struct emitter *e, enum reg reg);
void emit_ret(struct emitter *e, uint16_t bytes_to_drop);

/* Any other instruction, as bytes from the manual. */
void emit_instruction(struct emitter *e, const uint8_t *bytes, size_t length);
#define EMIT(e, ...)                                                                               \
    emit_instruction(e, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* These write no instructions: room for an address, and bytes that must never run. */
struct hole emit_address(struct emitter *e);
void emit_gap(struct emitter *e, size_t length);

#endif
