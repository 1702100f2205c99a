/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole programs: what stands around the blocks, and the ways between the rings. */
#include "tests/random/generator.h"

#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/traps/user.h"
#include "tests/random/generator_parts.h"
#include "tests/workloads/workload.h"

#define STEPS_LEAST 64
#define VISITS_MAX  3 /* of ring 3 */

/* Many small programs and some large ones. */
static size_t any_limit(struct generator *g)
{
    return STEPS_LEAST + random_below(&g->numbers, STEPS_LEAST << random_below(&g->numbers, 5));
}

/* Where ring 3 comes back: on some other stack, IF = 0. */
static uint64_t landing(struct generator *g)
{
    uint64_t address = emitter_address(&g->code, g->code.at);

    emit_move(&g->code, REG_RSP, REG_R15);
    EMIT(&g->code, 0xfb); /* STI */
    emit_indirect_register(&g->code, INDIRECT_JMP, REG_R14);
    return address;
}

static void out_by_iret(struct generator *g, uint64_t target, uint64_t stack)
{
    EMIT(&g->code, 0x6a, SELECTOR_USER_DATA); /* PUSH imm8 */
    emit_load(&g->code, REG_R11, stack);
    emit_push(&g->code, REG_R11);
    emit_load(&g->code, REG_R11, USER_RFLAGS);
    emit_push(&g->code, REG_R11);
    EMIT(&g->code, 0x6a, SELECTOR_USER_CODE);
    emit_load(&g->code, REG_R11, target);
    emit_push(&g->code, REG_R11);
    EMIT(&g->code, 0x48, 0xcf); /* IRETQ */
}

/* CLI: no interrupt may come in ring 0 on ring 3's stack. */
static void out_by_sysret(struct generator *g, uint64_t target, uint64_t stack)
{
    EMIT(&g->code, 0xfa); /* CLI */
    emit_load(&g->code, REG_RSP, stack);
    emit_load(&g->code, REG_RCX, target);
    emit_load(&g->code, REG_R11, USER_RFLAGS);
    EMIT(&g->code, 0x48, 0x0f, 0x07); /* SYSRETQ */
}

/* The program's two pages, one generator for each. They draw from the same numbers and share a
 * budget: one goes on where the other stopped. */
struct pages {
    struct generator kernel, user;
};

static void hand_over(struct generator *to, const struct generator *from)
{
    to->numbers = from->numbers;
    to->budget = from->budget;
}

/* Writes a piece of ring 3 code and returns its address. */
static uint64_t user_piece(struct pages *pages, size_t limit)
{
    struct generator *g = &pages->user;
    uint64_t start = emitter_address(&g->code, g->code.at);

    hand_over(g, &pages->kernel);
    g->budget.limit = limit;
    generate_block(g, 20);
    if (random_percent(&g->numbers, 50))
        EMIT(&g->code, 0x0f, 0x05); /* SYSCALL */
    else
        EMIT(&g->code, 0xcd, VECTOR_USER_INT); /* INT n */
    hand_over(&pages->kernel, g);
    return start;
}

static void visit(struct pages *pages, size_t limit, uint64_t stack)
{
    struct generator *g = &pages->kernel;
    uint64_t start = user_piece(pages, limit);
    struct hole back = emit_lea_rip(&g->code, REG_R14);

    if (random_percent(&g->numbers, 50))
        out_by_iret(g, start, stack);
    else
        out_by_sysret(g, start, stack);
    emit_gap(&g->code, random_below(&g->numbers, 8));
    emit_land(&g->code, back);
    generate_flags(g);    /* SYSCALL keeps them, but QEMU clears them */
    g->budget.steps += 3; /* the landing */
}

static void entry_points(struct generator *g, struct generated *out)
{
    out->syscall_landing = landing(g);
    out->user_int_landing = landing(g);
    if (out->shape != GENERATED_RINGS)
        return;
    out->kernel_int_landing = emitter_address(&g->code, g->code.at);
    EMIT(&g->code, 0x48, 0xcf); /* IRETQ */
}

static void visits(struct pages *pages, const struct generated *out, size_t limit, uint64_t stack)
{
    struct generator *g = &pages->kernel;
    unsigned count = 1 + random_below(&g->numbers, VISITS_MAX);

    emit_move(&g->code, REG_R15, REG_RSP);
    for (unsigned i = 1; i <= count; i++) {
        g->budget.limit = limit * (2 * i - 1) / (2 * count);
        if (out->shape == GENERATED_RINGS) {
            generate_block(g, 8);
            EMIT(&g->code, 0xcd, VECTOR_WORKLOAD_INT);
            g->budget.steps++; /* its IRET */
        }
        visit(pages, limit * i / count, stack);
    }
}

/* An emitter for one of the pages. */
static struct emitter open_page(uint8_t *page, uint64_t address, struct budget *budget)
{
    struct emitter code = emitter_open(page, GENERATED_PAGE_BYTES, budget);

    if (address)
        code.address = address;
    return code;
}

/* What runs once, or in each pass. */
static void body(struct pages *pages, struct generated *out, size_t limit, uint64_t stack)
{
    struct generator *g = &pages->kernel;

    if (out->shape != GENERATED_RING0)
        visits(pages, out, limit, stack);
    g->budget.limit = limit;
    if (out->shape != GENERATED_RING3)
        generate_block(g, 40);
}

bool generate(struct generated *out, const struct generator_place *place,
              enum generated_shape shape, uint64_t seed, bool passes)
{
    static struct pages pages;
    struct generator *g = &pages.kernel;
    size_t limit, start;

    *out = (struct generated){.shape = shape, .seed = seed};
    *g = (struct generator){
        .numbers = random_seeded(seed), .budget = {.weight = 1}, .passes = passes};
    pages.user = *g;
    g->code = open_page(place->kernel_page, place->kernel_address, &g->budget);
    pages.user.code = open_page(place->user_page, place->user_address, &pages.user.budget);
    limit = any_limit(g);
    generate_functions(g);
    if (shape != GENERATED_RING0) {
        hand_over(&pages.user, g);
        generate_functions(&pages.user);
        hand_over(g, &pages.user);
        entry_points(g, out);
    }
    g->budget.steps = 0;
    out->entry = emitter_address(&g->code, g->code.at);
    passes ? generate_first_pass(g) : generate_registers(g);
    start = g->code.at;
    if (passes)
        generate_flags(g);
    body(&pages, out, limit, place->user_stack_top);
    if (passes)
        generate_next_pass(g, out, start);
    emit_ret(&g->code, 0);
    out->kernel_bytes = g->code.at;
    out->user_bytes = pages.user.code.at;
    out->steps_max = g->budget.steps;
    return !g->code.full && !pages.user.code.full;
}
