/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that run in passes: how the first one begins, and how each leads to the next. */
#include "tests/random/generator_parts.h"

#define MIXED_LEAST 3 /* registers that the mixer goes into */
#define MIXED_MORE  6

#define AT(field) ((int8_t)offsetof(struct generated_state, field))

static void push_from_state(struct generator *g, int8_t offset)
{
    emit_based(&g->code, BASED_LOAD, REG_R11, REG_RDI, offset);
    emit_push(&g->code, REG_R11);
}

/* RDI leads to the state: last. */
void generate_first_pass(struct generator *g)
{
    int8_t of_rdi = 0;

    push_from_state(g, AT(mixer));
    push_from_state(g, AT(passes));
    for (size_t i = 0; i < GENERATED_REGISTERS; i++) {
        int8_t offset = (int8_t)(AT(registers) + (int8_t)(8 * i));

        if (generated_register_numbers[i] == REG_RDI)
            of_rdi = offset;
        else
            emit_based(&g->code, BASED_LOAD, generated_register_numbers[i], REG_RDI, offset);
    }
    emit_based(&g->code, BASED_LOAD, REG_RDI, REG_RDI, of_rdi);
}

/* Into some registers, by what keeps as many values apart. */
static void mix(struct generator *g)
{
    static const enum arithmetic ways[] = {ARITHMETIC_ADD, ARITHMETIC_ADC, ARITHMETIC_SBB,
                                           ARITHMETIC_SUB, ARITHMETIC_XOR};

    for (unsigned left = MIXED_LEAST + random_below(&g->numbers, MIXED_MORE + 1); left; left--) {
        enum arithmetic way = ways[random_below(&g->numbers, sizeof ways / sizeof ways[0])];

        emit_arithmetic(&g->code, way, generator_register(g), REG_R11);
    }
}

/* No recursion and no loop is on its way here: RBP and RCX are free. */
void generate_next_pass(struct generator *g, struct generated *out, size_t start)
{
    emit_pop(&g->code, REG_RCX);
    emit_pop(&g->code, REG_R11);
    emit_load(&g->code, REG_RBP, random_next(&g->numbers) | 1);
    emit_arithmetic(&g->code, ARITHMETIC_ADD, REG_R11, REG_RBP);
    mix(g);
    emit_push(&g->code, REG_R11);
    emit_decrement(&g->code, REG_RCX);
    emit_push(&g->code, REG_RCX);
    out->again = emitter_address(&g->code, g->code.at);
    emit_branch_to(&g->code, BRANCH_JNZ, BRANCH_NEAR, start);
    emit_pop(&g->code, REG_RCX);
    emit_pop(&g->code, REG_RCX);
}
