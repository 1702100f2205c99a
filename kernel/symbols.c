/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/symbols.h"

#include "kernel/printf.h"

/*
 * The table that tools/symbols writes: addresses in rising order, as the low 32 bits that the
 * kernel's memory model sign-extends, and for each the place of its name in one pool of strings.
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

char *symbol_format(uint64_t address, char *text, size_t size)
{
    uint64_t offset;
    const char *name = symbol_find(address, &offset);

    if (name == NULL)
        format_string(text, size, "0x%016lx", address);
    else if (offset == 0)
        format_string(text, size, "%s", name);
    else
        format_string(text, size, "%s+0x%lx", name, offset);
    return text;
}
