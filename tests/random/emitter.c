/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/emitter.h"

#define INT3 0xccu

struct emitter emitter_open(void *memory, size_t size, struct budget *budget)
{
    __builtin_memset(memory, INT3, size);
    return (struct emitter){
        .bytes = memory, .address = (uint64_t)(uintptr_t)memory, .size = size, .budget = budget};
}

uint64_t emitter_address(const struct emitter *e, size_t offset)
{
    return e->address + offset;
}

static void put(struct emitter *e, const uint8_t *bytes, size_t length)
{
    if (length > e->size - e->at) {
        e->full = true;
        return;
    }
    __builtin_memcpy(e->bytes + e->at, bytes, length);
    e->at += length;
}

void emit_instruction(struct emitter *e, const uint8_t *bytes, size_t length)
{
    put(e, bytes, length);
    e->budget->steps += e->budget->weight;
}

static struct hole put_hole(struct emitter *e, size_t length)
{
    static const uint8_t nothing[8];
    struct hole hole = {e->at, length};

    put(e, nothing, length);
    return hole;
}

void emit_point(struct emitter *e, struct hole hole, size_t target)
{
    uint64_t value = emitter_address(e, target);

    if (e->full)
        return;
    if (hole.length < 8) /* the displacement is always the last part of its instruction */
        value = target - (hole.at + hole.length);
    if (hole.length == 1 && (int64_t)value != (int8_t)value) {
        e->full = true;
        return;
    }
    __builtin_memcpy(e->bytes + hole.at, &value, hole.length);
}

void emit_land(struct emitter *e, struct hole hole)
{
    emit_point(e, hole, e->at);
}

static void put_short_opcode(struct emitter *e, enum branch branch)
{
    static const uint8_t opcodes[] = {
        [BRANCH_JMP] = 0xeb,  [BRANCH_LOOPNE] = 0xe0, [BRANCH_LOOPE] = 0xe1,
        [BRANCH_LOOP] = 0xe2, [BRANCH_JRCXZ] = 0xe3,  [BRANCH_JECXZ] = 0xe3,
    };

    if (branch < BRANCH_JCC_COUNT)
        EMIT(e, 0x70 + branch);
    else if (branch == BRANCH_JECXZ)
        EMIT(e, 0x67, opcodes[branch]);
    else
        EMIT(e, opcodes[branch]);
}

struct hole emit_branch(struct emitter *e, enum branch branch, enum branch_width width)
{
    if (branch == BRANCH_CALL) {
        EMIT(e, 0xe8);
        return put_hole(e, BRANCH_NEAR);
    }
    if (width == BRANCH_SHORT || branch > BRANCH_CALL) {
        put_short_opcode(e, branch);
        return put_hole(e, BRANCH_SHORT);
    }
    if (branch == BRANCH_JMP)
        EMIT(e, 0xe9);
    else
        EMIT(e, 0x0f, 0x80 + branch);
    return put_hole(e, BRANCH_NEAR);
}

void emit_branch_to(struct emitter *e, enum branch branch, enum branch_width width, size_t target)
{
    emit_point(e, emit_branch(e, branch, width), target);
}

static uint8_t modrm(unsigned mode, unsigned middle, unsigned low)
{
    return (uint8_t)(mode << 6 | (middle & 7) << 3 | (low & 7));
}

void emit_indirect_register(struct emitter *e, enum indirect what, enum reg target)
{
    if (target >= REG_R8)
        EMIT(e, 0x41, 0xff, modrm(3, what, target));
    else
        EMIT(e, 0xff, modrm(3, what, target));
}

/* A base numbered 4 modulo 8 cannot do without a SIB byte; 24H says that base and no index. */
void emit_indirect_based(struct emitter *e, enum indirect what, enum reg base, int8_t displacement)
{
    uint8_t code[5];
    size_t length = 0;

    if (base >= REG_R8)
        code[length++] = 0x41;
    code[length++] = 0xff;
    code[length++] = modrm(1, what, base);
    if ((base & 7) == REG_RSP)
        code[length++] = 0x24;
    code[length++] = (uint8_t)displacement;
    emit_instruction(e, code, length);
}

struct hole emit_indirect_rip(struct emitter *e, enum indirect what)
{
    EMIT(e, 0xff, modrm(0, what, 5));
    return put_hole(e, BRANCH_NEAR);
}

static uint8_t rex_w(enum reg middle, enum reg low)
{
    return (uint8_t)(0x48 | (middle >= REG_R8) << 2 | (low >= REG_R8));
}

struct hole emit_lea_rip(struct emitter *e, enum reg to)
{
    EMIT(e, rex_w(to, 0), 0x8d, modrm(0, to, 5));
    return put_hole(e, BRANCH_NEAR);
}

void emit_based(struct emitter *e, enum based what, enum reg to, enum reg base, int8_t displacement)
{
    if ((base & 7) == REG_RSP)
        EMIT(e, rex_w(to, base), what, modrm(1, to, base), 0x24, (uint8_t)displacement);
    else
        EMIT(e, rex_w(to, base), what, modrm(1, to, base), (uint8_t)displacement);
}

void emit_load(struct emitter *e, enum reg to, uint64_t value)
{
    EMIT(e, rex_w(0, to), (uint8_t)(0xb8 + (to & 7)));
    put(e, (const uint8_t *)&value, 8);
}

/* The register is in the opcode, its highest bit before it. */
static void emit_with_register(struct emitter *e, uint8_t opcode, enum reg reg)
{
    if (reg >= REG_R8)
        EMIT(e, 0x41, (uint8_t)(opcode + (reg & 7)));
    else
        EMIT(e, (uint8_t)(opcode + reg));
}

void emit_load32(struct emitter *e, enum reg to, uint32_t value)
{
    emit_with_register(e, 0xb8, to);
    put(e, (const uint8_t *)&value, 4);
}

void emit_move(struct emitter *e, enum reg to, enum reg from)
{
    EMIT(e, rex_w(from, to), 0x89, modrm(3, from, to));
}

void emit_arithmetic(struct emitter *e, enum arithmetic what, enum reg to, enum reg from)
{
    EMIT(e, rex_w(from, to), (uint8_t)(what << 3 | 1), modrm(3, from, to));
}

void emit_arithmetic_constant(struct emitter *e, enum arithmetic what, enum reg to, int8_t value)
{
    EMIT(e, rex_w(0, to), 0x83, modrm(3, what, to), (uint8_t)value);
}

void emit_decrement(struct emitter *e, enum reg reg)
{
    EMIT(e, rex_w(0, reg), 0xff, modrm(3, 1, reg));
}

void emit_push(struct emitter *e, enum reg reg)
{
    emit_with_register(e, 0x50, reg);
}

void emit_pop(struct emitter *e, enum reg reg)
{
    emit_with_register(e, 0x58, reg);
}

void emit_ret(struct emitter *e, uint16_t bytes_to_drop)
{
    if (bytes_to_drop)
        EMIT(e, 0xc2, (uint8_t)bytes_to_drop, (uint8_t)(bytes_to_drop >> 8));
    else
        EMIT(e, 0xc3);
}

struct hole emit_address(struct emitter *e)
{
    return put_hole(e, 8);
}

void emit_gap(struct emitter *e, size_t length)
{
    if (length > e->size - e->at)
        e->full = true;
    else
        e->at += length; /* INT3 by emitter_open() */
}
