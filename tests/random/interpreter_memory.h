/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interpreter's memory: regions, with a stack for each ring. The functions are inline, because
 * every instruction uses them and calls are slow in an emulator.
 */
#ifndef TESTS_RANDOM_INTERPRETER_MEMORY_H
#define TESTS_RANDOM_INTERPRETER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/random/interpreter.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11 };

/* Not canonical, so not the address of anything else. */
#define KERNEL_STACK 0x5555000000000000ull
#define RING_0_STACK 0x6666000000000000ull

static inline bool fail(struct interpreter *in, const char *wrong, uint64_t address)
{
    if (!in->wrong) {
        in->wrong = wrong;
        in->wrong_address = address;
    }
    in->at = NULL;
    return false;
}

static inline void *word_in(const struct memory_region *region, uint64_t address)
{
    uint64_t offset = address - region->address;

    return offset + 8 <= region->bytes && offset < region->bytes ? region->bytes_there + offset
                                                                 : NULL;
}

/* Looks first in the region of the last word: it is mostly the same. */
static inline void *word_at(struct interpreter *in, uint64_t address)
{
    void *word = word_in(&in->memory[in->recent], address);

    return word ? word : interpreter_word(in, address);
}

/* Copies, because words in code need not be aligned. */
static inline uint64_t read(struct interpreter *in, uint64_t address)
{
    const void *word = word_at(in, address);
    uint64_t value = 0;

    if (word)
        __builtin_memcpy(&value, word, 8);
    else
        fail(in, "it reads where there is nothing", address);
    return value;
}

static inline void push(struct interpreter *in, uint64_t value)
{
    void *word = word_at(in, in->registers[RSP] - 8);

    in->registers[RSP] -= 8;
    if (word && in->recent < MEMORY_KERNEL_PAGE)
        __builtin_memcpy(word, &value, 8);
    else
        fail(in, "it pushes where there is no stack", in->registers[RSP]);
}

static inline uint64_t pop(struct interpreter *in)
{
    uint64_t value = read(in, in->registers[RSP]);

    in->registers[RSP] += 8;
    return value;
}

#endif
