/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory type that firmware gave to memory above 1 MiB in the variable-range MTRRs. Bit 11 of
 * IA32_MTRR_DEF_TYPE enables them; its bits 7:0 are the type outside every range. A range is a base
 * with the type in bits 7:0, and a mask with a valid bit 11. Where ranges overlap, uncacheable
 * wins, and write-through wins over write-back. The kernel never writes MTRRs, because firmware
 * depends on them.
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
    MEMORY_TYPE_UNDEFINED = 0xff, /* no rule above for the types of overlapping ranges, or a number
                                     that is no type */
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

/* Reads the running processor's MTRRs. Returns false if they cannot be read, or are too many. */
bool mtrr_read(struct mtrrs *out);

#endif
