/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which memory type firmware gave to memory above 1 MiB, by the variable-range MTRRs: enabled by
 * bit 11 of IA32_MTRR_DEF_TYPE, whose bits 7:0 are the type of what is in no range; a range is a
 * base with the type in bits 7:0, and a mask with a valid bit 11. Where they overlap uncacheable
 * wins, and write-through over write-back. They are read, never written: firmware has its own use
 * of memory.
 */
#ifndef ARCH_CPU_MEMORY_MTRR_H
#define ARCH_CPU_MEMORY_MTRR_H

#include <stdbool.h>
#include <stdint.h>

#define MTRR_RANGES_MAX 32u

enum memory_type {
    MEMORY_UNCACHEABLE = 0,
    MEMORY_WRITE_COMBINING = 1,
    MEMORY_WRITE_THROUGH = 4,
    MEMORY_WRITE_PROTECTED = 5,
    MEMORY_WRITE_BACK = 6,
    MEMORY_TYPE_UNDEFINED = 0xff, /* ranges of other types overlap, or a number that is no type */
};

struct mtrrs {
    uint64_t default_type; /* the register */
    unsigned count;
    struct {
        uint64_t base, mask; /* the registers */
    } ranges[MTRR_RANGES_MAX];
};

/* Pure: the type of a byte at 1 MiB or above. */
enum memory_type mtrr_type(const struct mtrrs *mtrrs, uint64_t address);

/* The running processor's. False where it has none, or they cannot be read. */
bool mtrr_read(struct mtrrs *out);

#endif
