/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a generated program do? Read from its bytes, instruction by instruction as the manual
 * has them, on registers, flags and stacks of its own: no instruction of the program is executed,
 * nothing is traced, and nothing of the generator is asked. Knows the instructions that the
 * generator uses and no others. Pure: runs anywhere.
 *
 * An address is decoded the first time that it is reached. The flags are those that a Jcc looks at:
 * CF, PF, ZF, SF and OF; no AF, which nothing here reads.
 */
#ifndef TESTS_RANDOM_INTERPRETER_H
#define TESTS_RANDOM_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

#define INTERPRETER_PAGE_BYTES  4096u
#define INTERPRETER_STACK_BYTES 4096u
#define INTERPRETER_OPERATIONS  4096u /* instructions of both pages; number 0 is none */
#define INTERPRETER_REGISTERS   17u   /* by their numbers; the last one is always 0 */
#define INTERPRETER_ZERO        16u

/* Two pages of code, ring 0's and ring 3's, and where everything is. */
struct interpreter_place {
    const uint8_t *kernel_page, *user_page; /* INTERPRETER_PAGE_BYTES each */
    uint64_t kernel_address, user_address;  /* where they run */
    uint64_t user_stack_top;
    uint64_t syscall_landing, user_int_landing, kernel_int_landing; /* 0: not executed */
    uint64_t call, end;    /* the instruction that calls the program, and where it returns to */
    const void *argument;  /* RDI at the entry leads there; NULL: to nothing */
    size_t argument_bytes; /* a multiple of 8 */
};

/* One instruction. */
struct operation {
    uint64_t address;
    uint64_t next_address; /* the instruction after it */
    uint64_t constant;     /* an immediate, a displacement, or a direct branch's target */
    uint64_t *source;      /* what it reads: a register, or constant */
    uint16_t next, target; /* numbers of those operations; 0: not looked up yet */
    uint8_t what, to, base;
};

struct flags {
    uint64_t zero;  /* ZF: this is 0 */
    uint64_t sign;  /* SF: bit 63 */
    uint8_t parity; /* PF: the number of bits set in it is even */
    bool carry, overflow;
};

struct memory_region {
    uint64_t address;
    size_t bytes;
    uint8_t *bytes_there; /* not written to, but for the stacks' */
};

enum {
    MEMORY_KERNEL_STACK,
    MEMORY_USER_STACK,
    MEMORY_RING_0_STACK,
    MEMORY_KERNEL_PAGE,
    MEMORY_USER_PAGE,
    MEMORY_ARGUMENT,
    MEMORY_REGIONS
};

struct interpreter {
    struct interpreter_place place;
    uint64_t registers[INTERPRETER_REGISTERS];
    struct flags flags;
    uint8_t ring;
    struct operation *at; /* next to execute; NULL: it has ended, or something is wrong */
    const char *wrong;    /* NULL, or what was, at wrong_address: a mistake of this program's */
    uint64_t wrong_address;
    struct memory_region memory[MEMORY_REGIONS];
    unsigned recent; /* the region that was used last */
    uint64_t stacks[3][INTERPRETER_STACK_BYTES / 8];
    size_t operation_count;
    struct operation operations[INTERPRETER_OPERATIONS];
    uint16_t numbers[2][INTERPRETER_PAGE_BYTES]; /* of operations, by ring's page and offset */
};

/* The code has been written anew. */
void interpreter_open(struct interpreter *in, const struct interpreter_place *place);

/* To the call of the program; the row is that. False: see wrong. */
bool interpreter_start(struct interpreter *in, uint64_t entry, struct transfer *row);

/*
 * Goes on to the next transfer that happens. False when none is left (the last one was the RET to
 * place.end), or when something was wrong.
 */
bool interpreter_next(struct interpreter *in, struct transfer *row);

/* The word at an address, or NULL where there is none. */
void *interpreter_word(struct interpreter *in, uint64_t address);

#endif
