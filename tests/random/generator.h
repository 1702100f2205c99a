/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generated programs: from a seed to a page of machine code full of branches. It always
 * ends: loops and recursion have counters that nothing else touches, calls go to code written
 * before them, and the instructions that run at most are counted while writing.
 *
 * Which branches are taken is not known here; tests/step/stepper.h finds out. The same seed gives
 * the same program wherever the pages lie: no flag and no counter depends on an address. Flags that
 * a branch looks at are always defined by the manual.
 *
 * Registers: RBX and the stack as the bracket wants them; R15 holds RSP of ring 0 and R14 where to
 * go on, while ring 3 runs; RCX counts loops, RBP recursion; R11 is only ever an address.
 */
#ifndef TESTS_RANDOM_GENERATOR_H
#define TESTS_RANDOM_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENERATED_PAGE_BYTES 4096u
#define GENERATED_STEPS_MAX  2000u /* instructions that any program runs at most, or a pass */
#define GENERATED_REGISTERS  9u    /* whose values the flags come from */

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

/* What a pass begins with, and all that it depends on; RDI leads to it at the entry. */
struct generated_state {
    uint64_t mixer;  /* goes into some of the registers at the end of each pass */
    uint64_t passes; /* that are left, this one with them; not 0 */
    uint64_t registers[GENERATED_REGISTERS]; /* generated_register_numbers[] */
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
    size_t steps_max; /* instructions that this one runs at most, in each pass */
    uint64_t again;   /* of passes: the branch that leads to the next one; at its target the mixer
                         and the passes left lie on the stack, these on top */
};

/* False when it did not fit, which is a mistake of the generator: nothing is to be run then. */
bool generate(struct generated *out, const struct generator_place *place,
              enum generated_shape shape, uint64_t seed);

/*
 * The same in passes: what makes up the program runs again and again, on the registers that the
 * pass before has left, so that other branches are taken. Another program than that of the seed
 * above.
 */
bool generate_passes(struct generated *out, const struct generator_place *place,
                     enum generated_shape shape, uint64_t seed);

#endif
