/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instructions that generated programs are made of, by the opcode maps of the manual. */
#include "tests/random/interpreter_parts.h"

#define REGISTER_RSP 4u
#define REX_W        8u
#define REX_R        4u
#define REX_B        1u

/* An instruction that is being read. */
struct reading {
    struct interpreter *in;
    struct operation *op;
    const uint8_t *bytes;
    size_t length, at;
    uint8_t rex;
    bool address_32, repeat, bad;
};

static uint8_t byte(struct reading *r)
{
    if (r->at < r->length)
        return r->bytes[r->at++];
    r->bad = true;
    return 0;
}

/* Sign-extended. */
static uint64_t number(struct reading *r, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)byte(r) << 8 * i;
    if (bytes == 1)
        return (uint64_t)(int64_t)(int8_t)value;
    return bytes == 4 ? (uint64_t)(int64_t)(int32_t)value : value;
}

static void set(struct reading *r, uint8_t what, uint8_t to)
{
    r->op->what = what;
    r->op->to = to;
}

static void from_register(struct reading *r, uint8_t reg)
{
    r->op->source = &r->in->registers[reg];
}

static void from_constant(struct reading *r, uint64_t value)
{
    r->op->constant = value;
    r->op->source = &r->op->constant;
}

/* Relative to the next instruction: the displacement is the last part. */
static void relative(struct reading *r, uint8_t what, uint8_t to, unsigned bytes)
{
    uint64_t displacement = number(r, bytes);

    set(r, what, to);
    r->op->constant = r->op->address + r->at + displacement;
}

static uint8_t register_in_opcode(const struct reading *r, uint8_t opcode)
{
    return (uint8_t)((opcode & 7u) | (r->rex & REX_B ? 8u : 0));
}

struct modrm {
    unsigned mode;
    uint8_t middle, low; /* with REX.R and REX.B; the middle without it where it is an extension */
};

static struct modrm modrm(struct reading *r)
{
    uint8_t value = byte(r);

    return (struct modrm){
        .mode = value >> 6,
        .middle = (uint8_t)((value >> 3 & 7u) | (r->rex & REX_R ? 8u : 0)),
        .low = register_in_opcode(r, value),
    };
}

/* Memory by RIP, or by a base and 8 bits: base and constant. Nothing else is used. */
static void memory(struct reading *r, const struct modrm *m)
{
    if (m->mode == 0 && (m->low & 7) == 5) {
        r->op->constant = number(r, 4);
        r->op->constant += r->op->address + r->at;
        r->op->base = INTERPRETER_ZERO;
        return;
    }
    if (m->mode == 1 && (m->low & 7) == REGISTER_RSP && byte(r) != 0x24)
        r->bad = true; /* an index */
    r->op->constant = number(r, 1);
    r->op->base = m->low;
    r->bad |= m->mode != 1;
}

/* op r/m64, r64 with two registers. */
static void two_registers(struct reading *r, uint8_t what)
{
    struct modrm m = modrm(r);

    set(r, what, m.low);
    from_register(r, m.middle);
    r->bad |= m.mode != 3 || !(r->rex & REX_W);
}

static void arithmetic_constant(struct reading *r)
{
    struct modrm m = modrm(r);

    set(r, (uint8_t)(DO_ADD + (m.middle & 7)), m.low);
    from_constant(r, number(r, 1));
    r->bad |= m.mode != 3 || !(r->rex & REX_W);
}

static void load_constant(struct reading *r, uint8_t opcode)
{
    set(r, DO_SET, register_in_opcode(r, opcode));
    from_constant(r, r->rex & REX_W ? number(r, 8) : (uint32_t)number(r, 4));
}

/* 8B, 8D */
static void load(struct reading *r, uint8_t what)
{
    struct modrm m = modrm(r);

    set(r, what, m.middle);
    memory(r, &m);
    r->bad |= !(r->rex & REX_W);
    if (what == DO_LEA && r->op->base == INTERPRETER_ZERO) {
        set(r, DO_SET, m.middle);
        from_constant(r, r->op->constant);
    }
}

/* FF: /1 DEC, /2 CALL, /4 JMP */
static void group_ff(struct reading *r)
{
    struct modrm m = modrm(r);
    unsigned extension = m.middle & 7;

    from_register(r, m.low);
    if (extension == 1) {
        set(r, DO_DEC, m.low);
        r->bad |= m.mode != 3 || !(r->rex & REX_W);
    } else if (extension == 2 || extension == 4) {
        if (m.mode != 3)
            memory(r, &m);
        set(r, m.mode == 3 ? DO_JMP_SOURCE : DO_JMP_MEMORY, 0);
        r->op->what = (uint8_t)(r->op->what + (extension == 2));
    } else {
        r->bad = true;
    }
}

static void two_bytes(struct reading *r)
{
    uint8_t opcode = byte(r);

    if ((opcode & 0xf0) == 0x80)
        relative(r, DO_JCC, opcode & 15, 4);
    else if (opcode == 0x05)
        set(r, DO_SYSCALL, 0);
    else if (opcode == 0x07 && r->rex & REX_W)
        set(r, DO_SYSRET, 0);
    else
        r->bad = true;
}

static void counter_branch(struct reading *r, uint8_t opcode)
{
    static const uint8_t which[] = {DO_LOOPNE, DO_LOOPE, DO_LOOP, DO_JRCXZ};

    relative(r, r->address_32 ? DO_JECXZ : which[opcode - 0xe0], 0, 1);
    r->bad |= r->address_32 && opcode != 0xe3;
}

static bool read_branch(struct reading *r, uint8_t opcode)
{
    if ((opcode & 0xf0) == 0x70)
        relative(r, DO_JCC, opcode & 15, 1);
    else if (opcode >= 0xe0 && opcode <= 0xe3)
        counter_branch(r, opcode);
    else if (opcode == 0xe8)
        relative(r, DO_CALL, 0, 4);
    else if (opcode == 0xe9 || opcode == 0xeb)
        relative(r, DO_JMP, 0, opcode == 0xe9 ? 4 : 1);
    else if (opcode == 0xc2 || opcode == 0xc3)
        set(r, DO_RET, 0);
    else if (opcode == 0xcd)
        set(r, DO_INT, 0);
    else if (opcode == 0xcf && r->rex & REX_W)
        set(r, DO_IRET, 0);
    else
        return false;
    if (opcode == 0xc2) /* not sign-extended */
        r->op->constant = number(r, 2);
    if (opcode == 0xcd)
        r->op->constant = byte(r);
    return true;
}

static bool read_one_byte(struct reading *r, uint8_t opcode)
{
    static const struct {
        uint8_t opcode, what;
    } alone[] = {
        {0xf5, DO_CMC}, {0xf8, DO_CLC}, {0xf9, DO_STC}, {0xfa, DO_NOTHING}, {0xfb, DO_NOTHING}};

    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        if (alone[i].opcode == opcode) {
            set(r, alone[i].what, 0);
            return true;
        }
    return false;
}

static void read_stack(struct reading *r, uint8_t opcode)
{
    uint8_t reg = register_in_opcode(r, opcode);

    set(r, opcode < 0x58 ? DO_PUSH : DO_POP, reg);
    from_register(r, reg);
}

static void read_straight(struct reading *r, uint8_t opcode)
{
    if (opcode >= 0x50 && opcode <= 0x5f)
        read_stack(r, opcode);
    else if (opcode >= 0xb8 && opcode <= 0xbf)
        load_constant(r, opcode);
    else if (opcode < 0x40 && (opcode & 7) == 1)
        two_registers(r, (uint8_t)(DO_ADD + (opcode >> 3)));
    else if (opcode == 0x89)
        two_registers(r, DO_SET);
    else if (opcode == 0x83)
        arithmetic_constant(r);
    else if (opcode == 0x8b || opcode == 0x8d)
        load(r, opcode == 0x8b ? DO_LOAD : DO_LEA);
    else if (opcode == 0xff)
        group_ff(r);
    else if (opcode == 0x0f)
        two_bytes(r);
    else if (opcode == 0x6a)
        set(r, DO_PUSH, 0), from_constant(r, number(r, 1));
    else if (!read_one_byte(r, opcode))
        r->bad = true;
}

static uint8_t read_prefixes(struct reading *r)
{
    uint8_t opcode = byte(r);

    r->address_32 = opcode == 0x67;
    r->repeat = opcode == 0xf3;
    if (r->address_32 || r->repeat)
        opcode = byte(r);
    if ((opcode & 0xf0) != 0x40)
        return opcode;
    r->rex = opcode;
    return byte(r);
}

const char *interpreter_decode(struct interpreter *in, struct operation *op, const uint8_t *bytes,
                               size_t length)
{
    struct reading r = {.in = in, .op = op, .bytes = bytes, .length = length};
    uint8_t opcode = read_prefixes(&r);

    if (!read_branch(&r, opcode))
        read_straight(&r, opcode);
    op->next_address = op->address + r.at;
    /* Only where they are known to mean nothing, or what is done here. */
    if (r.address_32 && op->what != DO_JECXZ)
        r.bad = true;
    if (r.repeat && op->what != DO_RET)
        r.bad = true;
    return r.bad ? "an instruction that the interpreter does not know" : NULL;
}
