/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Straight code, and blocks of statements. */
#include "tests/random/generator_parts.h"

#define DEPTH_MAX 4
#define STATEMENT_BYTES                                                                            \
    256 /* room that a statement may need, the ends of those around it included */
#define STATEMENT_STEPS 48 /* likewise instructions, the blocks and calls in it apart */

const uint8_t generated_register_numbers[] = {REG_RAX, REG_RDX, REG_RSI, REG_RDI, REG_R8,
                                              REG_R9,  REG_R10, REG_R12, REG_R13};

enum reg generator_register(struct generator *g)
{
    return generated_register_numbers[random_below(&g->numbers, GENERATED_REGISTERS)];
}

/* Shifts and BT are left out: the manual leaves flags undefined that a Jcc would look at. */
static void straight_instruction(struct generator *g)
{
    static const uint8_t carry[] = {0xf8, 0xf9, 0xf5}; /* CLC, STC, CMC */
    enum reg reg = generator_register(g);

    switch (g->passes ? 2 + random_below(&g->numbers, 5) : random_below(&g->numbers, 7)) {
    case 0:
        emit_load(&g->code, reg, random_next(&g->numbers));
        break;
    case 1:
        emit_load32(&g->code, reg, (uint32_t)random_next(&g->numbers));
        break;
    case 2:
        emit_decrement(&g->code, reg);
        break;
    case 3:
        EMIT(&g->code, carry[random_below(&g->numbers, sizeof carry)]);
        break;
    case 4:
        emit_arithmetic_constant(&g->code, random_below(&g->numbers, 8), reg,
                                 (int8_t)random_next(&g->numbers));
        break;
    default:
        emit_arithmetic(&g->code, random_below(&g->numbers, 8), reg, generator_register(g));
        break;
    }
}

void generate_straight(struct generator *g, unsigned most)
{
    for (unsigned left = random_below(&g->numbers, most + 1); left; left--)
        straight_instruction(g);
}

void generate_flags(struct generator *g)
{
    emit_arithmetic(&g->code, ARITHMETIC_ADD, generator_register(g), generator_register(g));
}

void generate_registers(struct generator *g)
{
    for (size_t i = 0; i < GENERATED_REGISTERS; i++)
        emit_load(&g->code, generated_register_numbers[i], random_next(&g->numbers));
    generate_flags(g);
}

static bool has_room(const struct generator *g)
{
    return g->code.at + STATEMENT_BYTES <= g->code.size &&
           g->budget.steps + (size_t)g->budget.weight * STATEMENT_STEPS <= g->budget.limit;
}

static void statement(struct generator *g)
{
    static void (*const flat[])(struct generator *) = {
        generate_jump,      generate_indirect_jump, generate_jrcxz,
        generate_call_next, generate_return_jump,   generate_call,
    };
    static void (*const nesting[])(struct generator *) = {
        generate_condition,   generate_condition, generate_backward_jump, generate_loop,
        generate_inline_call, generate_recursion, generate_call,
    };

    generate_straight(g, 3);
    if (g->depth < DEPTH_MAX && random_percent(&g->numbers, 60))
        nesting[random_below(&g->numbers, sizeof nesting / sizeof nesting[0])](g);
    else
        flat[random_below(&g->numbers, sizeof flat / sizeof flat[0])](g);
}

void generate_block(struct generator *g, unsigned most)
{
    g->depth++;
    for (unsigned left = random_below(&g->numbers, most + 1); left && has_room(g); left--)
        statement(g);
    g->depth--;
}
