/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the generator's files: a program being written, and the parts it is made of. */
#ifndef TESTS_RANDOM_GENERATOR_PARTS_H
#define TESTS_RANDOM_GENERATOR_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/random/emitter.h"
#include "tests/random/generator.h"
#include "tests/random/random_numbers.h"

#define GENERATOR_FUNCTIONS 4 /* at most, per page; each may call those written before it */

struct generator_function {
    size_t entry, slot; /* offset of its code, and of an 8-byte word that holds its address */
    size_t steps;       /* most instructions that a call runs */
    uint16_t drops;     /* bytes that its RET takes off the stack */
};

struct generator {
    struct random_numbers numbers;
    struct budget budget;
    struct emitter code;                                      /* the page being written */
    struct generator_function functions[GENERATOR_FUNCTIONS]; /* of that page */
    unsigned function_count;
    unsigned depth;    /* nested blocks around the next instruction */
    bool no_recursion; /* RBP may be in use already */
    bool passes;       /* the program runs again and again: straight code loads no constants */
};

/* Draws a register whose value affects only the flags. */
enum reg generator_register(struct generator *g);

/* 0 to `most` instructions that are no branches; at most 10 bytes and 1 step each. */
void generate_straight(struct generator *g, unsigned most);

/* Sets every free register and every flag. */
void generate_registers(struct generator *g);

/* Sets every flag. */
void generate_flags(struct generator *g);

/* For a program in passes: write the instructions before the first pass, and those that lead from a
 * pass to the next. start: offset of the first pass in the page. */
void generate_first_pass(struct generator *g);
void generate_next_pass(struct generator *g, struct generated *out, size_t start);

/* 0 to `most` statements, as far as page and budget allow. */
void generate_block(struct generator *g, unsigned most);

/* The functions that this page's statements call. */
void generate_functions(struct generator *g);

/* generate_block() chooses from these. Each call writes one statement. */
void generate_jump(struct generator *g);
void generate_indirect_jump(struct generator *g);
void generate_condition(struct generator *g);
void generate_jrcxz(struct generator *g);
void generate_backward_jump(struct generator *g);
void generate_loop(struct generator *g);
void generate_call(struct generator *g);
void generate_inline_call(struct generator *g);
void generate_call_next(struct generator *g);
void generate_return_jump(struct generator *g);
void generate_recursion(struct generator *g);

#endif
