/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the generator share: a program on its way, and the parts it is made of. */
#ifndef TESTS_RANDOM_GENERATOR_PARTS_H
#define TESTS_RANDOM_GENERATOR_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/random/emitter.h"
#include "tests/random/generator.h"
#include "tests/random/random_numbers.h"

#define GENERATOR_FUNCTIONS 4 /* a page, at most; each may call those written before it */

struct generator_function {
    size_t entry, slot; /* offsets of its code, and of an 8-byte word that holds its address */
    size_t steps;       /* instructions that a call runs at most */
    uint16_t drops;     /* bytes that its RET takes off the stack */
};

struct generator {
    struct random_numbers numbers;
    struct budget budget;
    struct emitter code;                                      /* the page being written */
    struct generator_function functions[GENERATOR_FUNCTIONS]; /* of that page */
    unsigned function_count;
    unsigned depth;    /* blocks around the next instruction */
    bool no_recursion; /* RBP may be counting already */
    bool passes;       /* straight code keeps what the passes before have left in registers */
};

/* A register whose value matters to the flags alone. */
enum reg generator_register(struct generator *g);

/* Instructions that are no branches, from 0 to most; at most 10 bytes and 1 step each. */
void generate_straight(struct generator *g, unsigned most);

/* Gives every free register and every flag a value of its own. */
void generate_registers(struct generator *g);

/* Every flag alone. */
void generate_flags(struct generator *g);

/* The first and the last instructions of a program in passes, from the first pass on. */
void generate_first_pass(struct generator *g);
void generate_next_pass(struct generator *g, struct generated *out, size_t start);

/* Statements, from 0 to most, as many as page and budget allow. */
void generate_block(struct generator *g, unsigned most);

/* Functions for the statements of this page. */
void generate_functions(struct generator *g);

/* The parts that generate_block() chooses from, one call one statement. */
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
