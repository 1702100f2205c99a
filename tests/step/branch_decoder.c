/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/step/branch_decoder.h"

#define FLAG_CF 0x001u
#define FLAG_PF 0x004u
#define FLAG_ZF 0x040u
#define FLAG_SF 0x080u
#define FLAG_OF 0x800u

#define REX_W 8u

struct reader {
    const uint8_t *bytes;
    size_t at; /* bytes read so far */
    const struct branch_context *context;
    bool operand_size, address_size, repeat; /* prefixes 66, 67, F2 or F3 */
    uint8_t rex;
};

static uint8_t next_byte(struct reader *r)
{
    return r->at < INSTRUCTION_BYTES_MAX ? r->bytes[r->at++] : 0;
}

static uint8_t peek(const struct reader *r)
{
    return r->at < INSTRUCTION_BYTES_MAX ? r->bytes[r->at] : 0;
}

static int64_t read_signed(struct reader *r, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)next_byte(r) << 8 * i;
    return (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size);
}

static bool is_legacy_prefix(uint8_t byte)
{
    static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                       0x66, 0x67, 0xf0, 0xf2, 0xf3};

    for (size_t i = 0; i < sizeof prefixes; i++)
        if (byte == prefixes[i])
            return true;
    return false;
}

/* A REX prefix counts only right before the opcode. */
static void read_prefixes(struct reader *r)
{
    while (is_legacy_prefix(peek(r)) && r->at < INSTRUCTION_BYTES_MAX - 1) {
        uint8_t byte = next_byte(r);

        r->operand_size |= byte == 0x66;
        r->address_size |= byte == 0x67;
        r->repeat |= byte == 0xf2 || byte == 0xf3;
    }
    if (r->context->code_is_64bit && (peek(r) & 0xf0) == 0x40)
        r->rex = next_byte(r);
}

/* The even conditions; each odd one is its opposite. */
static bool condition_holds(unsigned condition, uint64_t flags)
{
    bool less = !(flags & FLAG_SF) != !(flags & FLAG_OF);
    const bool even[8] = {
        flags & FLAG_OF,
        flags & FLAG_CF,
        flags & FLAG_ZF,
        flags & (FLAG_CF | FLAG_ZF),
        flags & FLAG_SF,
        flags & FLAG_PF,
        less,
        less || flags & FLAG_ZF,
    };

    return even[condition >> 1 & 7] != (condition & 1);
}

static uint64_t within_mode(const struct reader *r, uint64_t address)
{
    return r->context->code_is_64bit ? address : (uint32_t)address;
}

static uint64_t here(const struct reader *r)
{
    return within_mode(r, r->context->rip + r->at);
}

static void direct(struct reader *r, struct branch_decoded *d, uint8_t kind,
                   unsigned displacement_size)
{
    int64_t displacement = read_signed(r, displacement_size);

    d->operation = kind;
    d->target = within_mode(r, here(r) + (uint64_t)displacement);
    if (!r->context->code_is_64bit && r->operand_size)
        d->target &= 0xffff;
}

/* Intel processors ignore the operand-size prefix of near branches in 64-bit code. */
static unsigned near_displacement(const struct reader *r)
{
    return !r->context->code_is_64bit && r->operand_size ? 2 : 4;
}

static uint64_t counter_mask(const struct reader *r)
{
    if (r->context->code_is_64bit)
        return r->address_size ? 0xffffffff : ~0ull;
    return r->address_size ? 0xffff : 0xffffffff;
}

/* E0 LOOPNE, E1 LOOPE, E2 LOOP, E3 JRCXZ. */
static void decode_loop(struct reader *r, struct branch_decoded *d, uint8_t opcode)
{
    bool zero_flag = r->context->rflags & FLAG_ZF;
    uint64_t count = r->context->rcx & counter_mask(r);

    direct(r, d, opcode == 0xe3 ? TRANSFER_JRCXZ : TRANSFER_LOOP, 1);
    if (opcode == 0xe3)
        d->taken = count == 0;
    else
        d->taken = count != 1 && (opcode == 0xe2 || zero_flag == (opcode == 0xe1));
}

static void transfer(struct branch_decoded *d, uint8_t kind)
{
    d->operation = kind;
    d->taken = true;
}

/* FF: /2 to /5. */
static void decode_group_ff(struct reader *r, struct branch_decoded *d)
{
    static const uint8_t kinds[] = {TRANSFER_CALL_INDIRECT, TRANSFER_FAR_CALL,
                                    TRANSFER_JMP_INDIRECT, TRANSFER_FAR_JMP};
    unsigned extension = peek(r) >> 3 & 7;

    d->next = 0; /* ModRM and displacement are not measured */
    if (extension >= 2 && extension <= 5)
        transfer(d, kinds[extension - 2]);
}

static void decode_two_byte(struct reader *r, struct branch_decoded *d)
{
    uint8_t opcode = next_byte(r);

    if (opcode == 0x05)
        transfer(d, TRANSFER_SYSCALL);
    else if (opcode == 0x07)
        transfer(d, TRANSFER_SYSRET);
    else if (opcode == 0x34)
        transfer(d, TRANSFER_SYSENTER);
    else if (opcode == 0x35)
        transfer(d, TRANSFER_SYSEXIT);
    else if (opcode == 0xaa || (opcode == 0x01 && peek(r) >= 0xc2 && peek(r) <= 0xc3))
        transfer(d, OPERATION_UNFOLLOWABLE); /* RSM, VMLAUNCH, VMRESUME */
    else if ((opcode & 0xf0) == 0x80) {
        direct(r, d, TRANSFER_JCC, near_displacement(r));
        d->taken = condition_holds(opcode & 15, r->context->rflags);
    }
    d->next = d->operation != OPERATION_OTHER ? here(r) : 0;
}

static uint8_t stack_item_bytes(const struct reader *r, uint8_t usual)
{
    return r->rex & REX_W ? 8 : r->operand_size ? 2 : usual;
}

/* CA, CB, CC, CD, CE, CF and F1. */
static void decode_far_return_or_trap(struct reader *r, struct branch_decoded *d, uint8_t opcode)
{
    static const uint8_t kinds[] = {TRANSFER_FAR_RET, TRANSFER_FAR_RET, TRANSFER_INT3,
                                    TRANSFER_INT,     TRANSFER_INTO,    TRANSFER_IRET};

    transfer(d, opcode == 0xf1 ? TRANSFER_INT1 : kinds[opcode - 0xca]);
    r->at += opcode == 0xca ? 2 : 0;
    if (opcode == 0xcd)
        d->vector = next_byte(r);
    if (opcode == 0xce && r->context->code_is_64bit) {
        d->operation = OPERATION_OTHER; /* #UD */
        d->taken = false;
    } else if (opcode == 0xce) {
        d->taken = r->context->rflags & FLAG_OF;
    }
    d->operand_bytes = stack_item_bytes(r, 4);
    d->next = here(r);
}

/* 9A and EA: far, with the pointer in the instruction; #UD in 64-bit code. */
static void decode_far_direct(struct reader *r, struct branch_decoded *d, uint8_t opcode)
{
    if (r->context->code_is_64bit)
        return;
    transfer(d, opcode == 0x9a ? TRANSFER_FAR_CALL : TRANSFER_FAR_JMP);
    r->at += r->operand_size ? 4 : 6;
    d->next = here(r);
}

/* C6 F8 XABORT, C7 F8 XBEGIN. */
static void decode_transaction(struct reader *r, struct branch_decoded *d)
{
    if (peek(r) == 0xf8)
        transfer(d, OPERATION_UNFOLLOWABLE);
}

/* 8E /2. Only the form with a register has a length that is known. */
static void decode_move_to_segment(struct reader *r, struct branch_decoded *d)
{
    uint8_t modrm = next_byte(r);

    d->delays_traps = (modrm >> 3 & 7) == 2;
    d->next = modrm >> 6 == 3 ? here(r) : 0;
}

static bool decode_near(struct reader *r, struct branch_decoded *d, uint8_t opcode)
{
    if ((opcode & 0xf0) == 0x70) {
        direct(r, d, TRANSFER_JCC, 1);
        d->taken = condition_holds(opcode & 15, r->context->rflags);
    } else if (opcode >= 0xe0 && opcode <= 0xe3) {
        decode_loop(r, d, opcode);
    } else if (opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb) {
        direct(r, d, opcode == 0xe8 ? TRANSFER_CALL : TRANSFER_JMP,
               opcode == 0xeb ? 1 : near_displacement(r));
        d->taken = true;
    } else if (opcode == 0xc2 || opcode == 0xc3) {
        transfer(d, TRANSFER_RET);
        r->at += opcode == 0xc2 ? 2 : 0;
    } else {
        return false;
    }
    d->next = here(r);
    return true;
}

static bool is_string(uint8_t opcode)
{
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf);
}

/* No transfers, but of interest. */
static void decode_rest(struct reader *r, struct branch_decoded *d, uint8_t opcode)
{
    uint8_t usual = r->context->code_is_64bit ? 8 : 4;

    if (opcode == 0x9c || opcode == 0x9d) {
        d->operation = opcode == 0x9c ? OPERATION_PUSHF : OPERATION_POPF;
        d->operand_bytes = stack_item_bytes(r, usual);
    } else if (opcode == 0xf4) {
        d->operation = OPERATION_HALT;
    } else if (is_string(opcode) && r->repeat) {
        d->operation = OPERATION_STRING;
    }
    d->delays_traps = opcode == 0xfb;
    if (d->operation != OPERATION_OTHER || d->delays_traps)
        d->next = here(r);
}

struct branch_decoded branch_decode(const uint8_t *bytes, const struct branch_context *context)
{
    struct reader r = {.bytes = bytes, .context = context};
    struct branch_decoded d = {.operation = OPERATION_OTHER};
    uint8_t opcode;

    read_prefixes(&r);
    opcode = next_byte(&r);
    if (decode_near(&r, &d, opcode))
        return d;
    if (opcode == 0x0f)
        decode_two_byte(&r, &d);
    else if (opcode == 0xff)
        decode_group_ff(&r, &d);
    else if ((opcode >= 0xca && opcode <= 0xcf) || opcode == 0xf1)
        decode_far_return_or_trap(&r, &d, opcode);
    else if (opcode == 0x9a || opcode == 0xea)
        decode_far_direct(&r, &d, opcode);
    else if (opcode == 0xc6 || opcode == 0xc7)
        decode_transaction(&r, &d);
    else if (opcode == 0x8e)
        decode_move_to_segment(&r, &d);
    else
        decode_rest(&r, &d, opcode);
    return d;
}
