/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates from a seed a page of machine code full of branches. The program always ends: loops and
 * recursion have counters of their own, calls go to code written earlier, and the generator counts
 * the instructions that run at most.
 *
 * The generator does not know which branches are taken; interpreter.h finds out. The same seed
 * gives the same program wherever the pages lie: no flag and no counter depends on an address. The
 * manual defines every flag that a branch tests.
 *
 * Registers: RBX and the stack stay as the bracket needs them. While ring 3 runs, R15 holds RSP of
 * ring 0 and R14 where to go on. RCX counts loops, RBP recursion. R11 only holds addresses.
 */
#ifndef TESTS_RANDOM_GENERATOR_H
#define TESTS_RANDOM_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENERATED_PAGE_BYTES 4096u
#define GENERATED_STEPS_MAX  2000u /* most instructions that a program, or a pass, runs */
#define GENERATED_REGISTERS  9u    /* registers from whose values the flags come */

enum generated_shape {
    GENERATED_RING0, /* near branches in ring 0 */
    GENERATED_RING3, /* to ring 3 and back, once or more; near branches there */
    GENERATED_RINGS, /* the same with near branches and INT n in ring 0 in between */
    GENERATED_SHAPES,
};

struct generator_place {
    uint8_t *kernel_page,
        *user_page; /* GENERATED_PAGE_BYTES each; writable now, executable later */
    uint64_t kernel_address, user_address; /* where they will run; 0: where they are */
    uint64_t user_stack_top;
};

/* All that a pass depends on; RDI points to it at the entry. */
struct generated_state {
    uint64_t mixer;  /* mixed into some of the registers at the end of each pass */
    uint64_t passes; /* passes left, this one included; not 0 */
    uint64_t registers[GENERATED_REGISTERS]; /* of those in generated_register_numbers[] */
};

extern const uint8_t generated_register_numbers[GENERATED_REGISTERS];

struct generated {
    enum generated_shape shape;
    uint64_t seed;
    uint64_t entry;              /* called from ring 0; returns by RET */
    uint64_t syscall_landing;    /* where SYSCALL must lead; 0 when none is executed */
    uint64_t user_int_landing;   /* likewise INT VECTOR_USER_INT from ring 3 */
    uint64_t kernel_int_landing; /* likewise INT VECTOR_WORKLOAD_INT from ring 0 */
    size_t kernel_bytes, user_bytes;
    size_t steps_max; /* most instructions that this program runs, in each pass */
    uint64_t again;   /* the branch to the next pass; at its target the stack holds the passes left,
                         on top, and the mixer */
};

/*
 * False if the program did not fit, which is a mistake of the generator; do not run it. passes: the
 * program runs again and again on the registers that the pass before left, so that other branches
 * are taken; it is a different program from the other one of the same seed.
 */
bool generate(struct generated *out, const struct generator_place *place,
              enum generated_shape shape, uint64_t seed, bool passes);

#endif
