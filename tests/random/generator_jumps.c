/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jumps, conditions and loops. */
#include "tests/random/generator_parts.h"

#define GAP_MAX        24 /* bytes that a jump goes over */
#define LOOP_TURNS_MAX 5
#define SHORT_REACH    120 /* bytes backwards that a displacement of 8 bits surely reaches */

static enum branch_width any_width(struct generator *g)
{
    return random_percent(&g->numbers, 50) ? BRANCH_SHORT : BRANCH_NEAR;
}

/* Often nothing: then the target is the next instruction (F4.11). */
static void gap(struct generator *g)
{
    if (random_percent(&g->numbers, 70))
        emit_gap(&g->code, random_below(&g->numbers, GAP_MAX));
}

void generate_jump(struct generator *g)
{
    struct hole target = emit_branch(&g->code, BRANCH_JMP, any_width(g));

    gap(g);
    emit_land(&g->code, target);
}

static void jump_by_register(struct generator *g, enum reg reg)
{
    struct hole target = emit_lea_rip(&g->code, reg);

    emit_indirect_register(&g->code, INDIRECT_JMP, reg);
    gap(g);
    emit_land(&g->code, target);
}

/* The word that the jump reads, and where that leads. */
static void land_by_word(struct generator *g, struct hole word)
{
    struct hole target;

    emit_land(&g->code, word);
    target = emit_address(&g->code);
    gap(g);
    emit_land(&g->code, target);
}

static void jump_by_word(struct generator *g)
{
    struct hole word = emit_indirect_rip(&g->code, INDIRECT_JMP);

    emit_gap(&g->code, random_below(&g->numbers, GAP_MAX));
    land_by_word(g, word);
}

static void jump_by_base(struct generator *g, enum reg reg)
{
    struct hole word = emit_lea_rip(&g->code, reg);
    int8_t displacement = (int8_t)(random_below(&g->numbers, 255) - 127);

    emit_based(&g->code, BASED_LEA, reg, reg, (int8_t)-displacement);
    emit_indirect_based(&g->code, INDIRECT_JMP, reg, displacement);
    land_by_word(g, word);
}

static void jump_by_stack(struct generator *g, enum reg reg)
{
    struct hole target = emit_lea_rip(&g->code, reg);

    emit_push(&g->code, reg);
    emit_indirect_based(&g->code, INDIRECT_JMP, REG_RSP, 0);
    gap(g);
    emit_land(&g->code, target);
    emit_pop(&g->code, REG_R11);
}

void generate_indirect_jump(struct generator *g)
{
    enum reg reg = generator_register(g);
    unsigned how = random_below(&g->numbers, 4);

    if (how == 0)
        jump_by_register(g, reg);
    else if (how == 1)
        jump_by_word(g);
    else if (how == 2)
        jump_by_base(g, reg);
    else
        jump_by_stack(g, reg);
    if (how != 1) /* no flag may depend on an address */
        emit_load32(&g->code, reg, (uint32_t)random_next(&g->numbers));
}

static enum branch any_condition(struct generator *g)
{
    return (enum branch)random_below(&g->numbers, BRANCH_JCC_COUNT);
}

static void if_else(struct generator *g)
{
    struct hole otherwise = emit_branch(&g->code, any_condition(g), BRANCH_NEAR), end;

    generate_block(g, 3);
    end = emit_branch(&g->code, BRANCH_JMP, BRANCH_NEAR);
    emit_land(&g->code, otherwise);
    generate_block(g, 3);
    emit_land(&g->code, end);
}

void generate_condition(struct generator *g)
{
    struct hole end;

    if (random_percent(&g->numbers, 30)) {
        if_else(g);
        return;
    }
    if (random_percent(&g->numbers, 50)) {
        end = emit_branch(&g->code, any_condition(g), BRANCH_SHORT);
        generate_straight(g, 4);
    } else {
        end = emit_branch(&g->code, any_condition(g), BRANCH_NEAR);
        generate_block(g, 3);
    }
    emit_land(&g->code, end);
}

/* RCX = 2^32 jumps by JECXZ and not by JRCXZ. */
void generate_jrcxz(struct generator *g)
{
    enum branch branch = random_percent(&g->numbers, 50) ? BRANCH_JRCXZ : BRANCH_JECXZ;
    struct hole end;

    emit_push(&g->code, REG_RCX);
    if (random_percent(&g->numbers, 30))
        emit_load(&g->code, REG_RCX, 1ull << 32);
    else
        emit_load32(&g->code, REG_RCX, random_below(&g->numbers, 2));
    end = emit_branch(&g->code, branch, BRANCH_SHORT);
    generate_straight(g, 4);
    emit_land(&g->code, end);
    emit_pop(&g->code, REG_RCX);
}

void generate_backward_jump(struct generator *g)
{
    struct hole last = emit_branch(&g->code, BRANCH_JMP, BRANCH_NEAR), end;
    size_t first = g->code.at;

    generate_block(g, 3);
    end = emit_branch(&g->code, BRANCH_JMP, BRANCH_NEAR);
    generate_straight(g, 1); /* never runs */
    emit_land(&g->code, last);
    emit_branch_to(&g->code, BRANCH_JMP, BRANCH_NEAR, first);
    emit_land(&g->code, end);
}

/* LOOP reaches 128 bytes back; further, it goes by way of a jump. */
static void loop_back(struct generator *g, enum branch branch, size_t start)
{
    struct hole again, end;

    if (g->code.at - start < SHORT_REACH) {
        emit_branch_to(&g->code, branch, BRANCH_SHORT, start);
        return;
    }
    again = emit_branch(&g->code, branch, BRANCH_SHORT);
    end = emit_branch(&g->code, BRANCH_JMP, BRANCH_SHORT);
    emit_land(&g->code, again);
    emit_branch_to(&g->code, BRANCH_JMP, BRANCH_NEAR, start);
    emit_land(&g->code, end);
}

static void loop_by_condition(struct generator *g, size_t start)
{
    bool is_near = g->code.at - start < SHORT_REACH;

    emit_decrement(&g->code, REG_RCX);
    emit_branch_to(&g->code, BRANCH_JNZ, is_near ? BRANCH_SHORT : BRANCH_NEAR, start);
}

/* LOOPE and LOOPNE may end it early; RCX ends it in any case. */
void generate_loop(struct generator *g)
{
    static const enum branch branches[] = {BRANCH_LOOP, BRANCH_LOOPE, BRANCH_LOOPNE, BRANCH_LOOP};
    unsigned turns = 1 + random_below(&g->numbers, LOOP_TURNS_MAX), how, weight;
    size_t start;

    emit_push(&g->code, REG_RCX);
    emit_load32(&g->code, REG_RCX, turns);
    weight = g->budget.weight;
    g->budget.weight *= turns;
    start = g->code.at;
    generate_block(g, 2);
    how = random_below(&g->numbers, 5);
    if (how == 4)
        loop_by_condition(g, start);
    else
        loop_back(g, branches[how], start);
    g->budget.weight = weight;
    emit_pop(&g->code, REG_RCX);
}
