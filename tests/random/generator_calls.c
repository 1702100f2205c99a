/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls and returns. */
#include "tests/random/generator_parts.h"

#define FUNCTION_STEPS     64 /* instructions that a function aims at, its calls included */
#define DROPPED_WORDS_MAX  3
#define RECURSION_DEEP_MAX 5

/* Words for the callee's RET to take away. */
static void push_words(struct generator *g, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        emit_push(&g->code, generator_register(g));
}

/* Some plain ones with a prefix that means nothing, as compilers write it. */
static void ret(struct generator *g, uint16_t drops)
{
    if (!drops && random_percent(&g->numbers, 25))
        EMIT(&g->code, 0xf3, 0xc3);
    else
        emit_ret(&g->code, drops);
}

static void call_function(struct generator *g, const struct generator_function *function)
{
    push_words(g, function->drops / 8u);
    switch (random_below(&g->numbers, 4)) {
    case 0:
        emit_branch_to(&g->code, BRANCH_CALL, BRANCH_NEAR, function->entry);
        break;
    case 1:
        emit_point(&g->code, emit_indirect_rip(&g->code, INDIRECT_CALL), function->slot);
        break;
    case 2:
        emit_point(&g->code, emit_lea_rip(&g->code, REG_R11), function->slot + 8);
        emit_indirect_based(&g->code, INDIRECT_CALL, REG_R11, -8);
        break;
    default:
        emit_point(&g->code, emit_lea_rip(&g->code, REG_R11), function->entry);
        emit_indirect_register(&g->code, INDIRECT_CALL, REG_R11);
        break;
    }
}

void generate_call(struct generator *g)
{
    const struct generator_function *function;

    if (!g->function_count)
        return;
    function = &g->functions[random_below(&g->numbers, g->function_count)];
    if (g->budget.steps + g->budget.weight * (function->steps + 8) > g->budget.limit)
        return;
    call_function(g, function);
    g->budget.steps += g->budget.weight * function->steps;
}

static void function(struct generator *g)
{
    struct generator_function *made = &g->functions[g->function_count];
    const struct budget kept = g->budget;

    g->budget = (struct budget){.limit = FUNCTION_STEPS, .weight = 1};
    made->entry = g->code.at;
    generate_straight(g, 2);
    generate_block(g, 4);
    made->drops = (uint16_t)(8 * random_below(&g->numbers, DROPPED_WORDS_MAX + 1) *
                             random_below(&g->numbers, 2));
    ret(g, made->drops);
    made->slot = g->code.at;
    emit_point(&g->code, emit_address(&g->code), made->entry);
    made->steps = g->budget.steps;
    g->budget = kept;
    g->function_count++;
}

void generate_functions(struct generator *g)
{
    unsigned count = random_below(&g->numbers, GENERATOR_FUNCTIONS + 1);

    g->function_count = 0;
    g->no_recursion = true; /* a recursion may call them */
    for (unsigned i = 0; i < count; i++)
        function(g);
    g->no_recursion = false;
}

/* The callee stands right behind the call, and is jumped over on the way back. */
void generate_inline_call(struct generator *g)
{
    struct hole callee = emit_branch(&g->code, BRANCH_CALL, BRANCH_NEAR);
    struct hole end = emit_branch(&g->code, BRANCH_JMP, BRANCH_NEAR);

    emit_land(&g->code, callee);
    generate_block(g, 3);
    ret(g, 0);
    emit_land(&g->code, end);
}

/* A call of the next instruction is a taken branch all the same (F4.10). */
void generate_call_next(struct generator *g)
{
    emit_land(&g->code, emit_branch(&g->code, BRANCH_CALL, BRANCH_NEAR));
    emit_pop(&g->code, REG_R11);
}

/* A RET that no CALL belongs to. */
void generate_return_jump(struct generator *g)
{
    unsigned words = random_below(&g->numbers, DROPPED_WORDS_MAX);
    struct hole target;

    push_words(g, words);
    target = emit_lea_rip(&g->code, REG_R11);
    emit_push(&g->code, REG_R11);
    ret(g, (uint16_t)(8 * words));
    emit_gap(&g->code, random_below(&g->numbers, 8));
    emit_land(&g->code, target);
}

/* Calls itself until RBP is 0. */
void generate_recursion(struct generator *g)
{
    unsigned deep = 1 + random_below(&g->numbers, RECURSION_DEEP_MAX), weight = g->budget.weight;
    struct hole first, over, bottom;
    size_t entry;

    if (g->no_recursion)
        return;
    g->no_recursion = true;
    emit_load32(&g->code, REG_RBP, deep);
    first = emit_branch(&g->code, BRANCH_CALL, BRANCH_NEAR);
    over = emit_branch(&g->code, BRANCH_JMP, BRANCH_NEAR);
    g->budget.weight *= deep;
    emit_land(&g->code, first);
    entry = g->code.at;
    generate_block(g, 2);
    emit_decrement(&g->code, REG_RBP);
    bottom = emit_branch(&g->code, BRANCH_JZ, BRANCH_SHORT);
    emit_branch_to(&g->code, BRANCH_CALL, BRANCH_NEAR, entry);
    generate_straight(g, 3);
    emit_land(&g->code, bottom);
    ret(g, 0);
    g->budget.weight = weight;
    emit_land(&g->code, over);
    g->no_recursion = false;
}
