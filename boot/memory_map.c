/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/boot_info.h"

#define USABLE 1u /* the type of a range (F11.33) */
#define PAGE   4096u

static uint64_t end_of(const struct boot_memory_range *range)
{
    return range->base + range->length; /* the parser has clipped it to 64 bits */
}

static bool is_claimed(const struct boot_info *info, uint64_t base, uint64_t end)
{
    for (size_t i = 0; i < info->memory_count; i++) {
        const struct boot_memory_range *range = &info->memory[i];

        if (range->type != USABLE && range->length > 0 && range->base < end && end_of(range) > base)
            return true;
    }
    return false;
}

/* The end of the usable range that holds at; at itself if there is none. */
static uint64_t usable_until(const struct boot_info *info, uint64_t at)
{
    uint64_t until = at;

    for (size_t i = 0; i < info->memory_count; i++) {
        const struct boot_memory_range *range = &info->memory[i];

        if (range->type == USABLE && range->base <= at && end_of(range) > until)
            until = end_of(range);
    }
    return until;
}

bool memory_map_is_free(const struct boot_info *info, uint64_t base, uint64_t size)
{
    uint64_t at = base, end = base + size;

    if (size == 0 || end < base || is_claimed(info, base, end))
        return false;
    while (at < end) {
        uint64_t until = usable_until(info, at);

        if (until == at)
            return false;
        at = until;
    }
    return true;
}

/* The lower of two addresses; 0 means none. */
static uint64_t lower(uint64_t found, uint64_t other)
{
    return found == 0 || other < found ? other : found;
}

/* Free memory begins where a range begins or ends, or at the lowest allowed address. */
uint64_t memory_map_find(const struct boot_info *info, uint64_t low, uint64_t high, uint64_t size)
{
    uint64_t found = 0;

    for (size_t i = 0; i < 1 + 2 * info->memory_count; i++) {
        const struct boot_memory_range *range = &info->memory[i / 2];
        uint64_t edge = i == 2 * info->memory_count ? low : i % 2 ? end_of(range) : range->base;
        uint64_t at = ((edge < low ? low : edge) + PAGE - 1) & ~(uint64_t)(PAGE - 1);

        if (at >= low && at < high && size <= high - at && memory_map_is_free(info, at, size))
            found = lower(found, at);
    }
    return found;
}

uint64_t memory_map_usable(const struct boot_info *info)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < info->memory_count; i++)
        bytes += info->memory[i].type == USABLE ? info->memory[i].length : 0;
    return bytes;
}
