/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/lib/printf.h"

#include <stddef.h>

/*
 * The table that tools/symbols writes: rising addresses, as low 32 bits that the kernel's memory
 * model sign-extends, each with the offset of its name in one pool of strings.
 */
extern const uint32_t symbol_count;
extern const uint32_t symbol_addresses[];
extern const uint32_t symbol_names[];
extern const char symbol_strings[];

#define IMAGE_SPAN (1u << 20) /* no symbol is farther than that from the next one of the image */

const char *symbol_find(uint64_t address, uint64_t *offset)
{
    uint32_t low = 0;
    uint32_t high = symbol_count;

    if ((uint64_t)(int64_t)(int32_t)address != address)
        return NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (symbol_addresses[middle] <= (uint32_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || (uint32_t)address - symbol_addresses[low - 1] >= IMAGE_SPAN)
        return NULL;
    *offset = (uint32_t)address - symbol_addresses[low - 1];
    return symbol_strings + symbol_names[low - 1];
}
