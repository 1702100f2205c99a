/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a generated program do? The interpreter reads its bytes, instruction by instruction by
 * the manual, and keeps registers, flags and stacks of its own. It executes nothing of the program,
 * traces nothing, and does not ask the generator. It knows only the instructions that the generator
 * uses. Pure: runs on any host.
 *
 * An address is decoded when it is first reached. The flags are those that a Jcc tests: CF, PF, ZF,
 * SF and OF.
 */
#ifndef TESTS_RANDOM_INTERPRETER_H
#define TESTS_RANDOM_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

#define INTERPRETER_PAGE_BYTES  4096u
#define INTERPRETER_STACK_BYTES 4096u
#define INTERPRETER_OPERATIONS  4096u /* of both pages; operations[0] is not used */
#define INTERPRETER_REGISTERS   17u   /* by their encoding; the last is always 0 */
#define INTERPRETER_ZERO        16u

/* Two pages of code, ring 0's and ring 3's, and where everything is. */
struct interpreter_place {
    const uint8_t *kernel_page, *user_page; /* INTERPRETER_PAGE_BYTES each */
    uint64_t kernel_address, user_address;  /* where they run */
    uint64_t user_stack_top;
    uint64_t syscall_landing, user_int_landing, kernel_int_landing; /* 0: not executed */
    uint64_t call, end;    /* the CALL of the program, and where it returns to */
    const void *argument;  /* what RDI points to at the entry; NULL: nothing */
    size_t argument_bytes; /* a multiple of 8 */
};

/* One instruction. */
struct operation {
    uint64_t address;
    uint64_t next_address;  /* the instruction after it */
    uint64_t constant;      /* an immediate, a displacement, or a direct branch's target */
    uint64_t *source;       /* its source operand: a register, or constant */
    uint16_t next, target;  /* indexes of operations; 0: not looked up yet */
    uint8_t what, to, base; /* DO_… (interpreter_parts.h); numbers of registers */
};

struct flags {
    uint64_t zero;  /* ZF is set if this is 0 */
    uint64_t sign;  /* SF is bit 63 */
    uint8_t parity; /* PF is set if this has an even number of bits set */
    bool carry, overflow;
};

struct memory_region {
    uint64_t address;
    size_t bytes;
    uint8_t *bytes_there; /* written only in stacks */
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
    struct operation *at; /* the next operation; NULL: the end, or something is wrong */
    const char *wrong;    /* NULL, or what is wrong at wrong_address, a mistake of ours */
    uint64_t wrong_address;
    struct memory_region memory[MEMORY_REGIONS];
    unsigned recent; /* the region that was used last */
    uint64_t stacks[3][INTERPRETER_STACK_BYTES / 8];
    size_t operation_count;
    struct operation operations[INTERPRETER_OPERATIONS];
    uint16_t numbers[2][INTERPRETER_PAGE_BYTES]; /* index of the operation, by page and offset */
};

/* Prepares for code that was just written. */
void interpreter_open(struct interpreter *in, const struct interpreter_place *place);

/* Begins at the CALL of the program, and fills in *row with it. False: see in->wrong. */
bool interpreter_start(struct interpreter *in, uint64_t entry, struct transfer *row);

/*
 * Goes on to the next transfer that happens, and fills in *row. Returns false if none is left after
 * the RET to place.end, or if something is wrong.
 */
bool interpreter_next(struct interpreter *in, struct transfer *row);

/* The 8 bytes at an address; NULL if they are in no region. */
void *interpreter_word(struct interpreter *in, uint64_t address);

#endif
