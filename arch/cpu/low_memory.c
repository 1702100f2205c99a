/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/low_memory.h"
#include "arch/cpu/paging.h"
#include "boot/boot_info.h"

/* Below lie the interrupt vectors and data of a BIOS, which is asleep but may still own SMM code
 * that looks at them; above 640 KiB there is no memory (F10.34). */
#define LOWEST        0x8000u
#define HIGHEST       0xa0000u
#define MEMORY_USABLE 1u

/* The first page boundary in the range from which size bytes fit, or 0. */
static uint64_t fit(const struct boot_memory_range *range, size_t size)
{
    uint64_t start = range->base < LOWEST ? LOWEST : range->base;
    uint64_t end = range->base + range->length;
    start = (start + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
    if (end > HIGHEST)
        end = HIGHEST;
    return start < end && end - start >= size ? start : 0;
}

static uint32_t found_start, found_end; /* of what was found last */

bool low_memory_find(size_t size, struct low_memory *out)
{
    for (size_t i = 0; i < boot_info.memory_count; i++) {
        uint64_t start =
            boot_info.memory[i].type == MEMORY_USABLE ? fit(&boot_info.memory[i], size) : 0;
        if (start == 0)
            continue;
        found_start = out->physical = (uint32_t)start;
        found_end = found_start + (uint32_t)size;
        out->mapped = paging_map_physical(start, size, PAGE_WRITE_BACK);
        return out->mapped != NULL;
    }
    return false;
}

bool low_memory_is_free(uint32_t physical, size_t size)
{
    if (physical < LOWEST || (physical < found_end && physical + size > found_start))
        return false;
    for (size_t i = 0; i < boot_info.memory_count; i++) {
        const struct boot_memory_range *range = &boot_info.memory[i];

        if (range->type == MEMORY_USABLE && range->base <= physical &&
            range->base + range->length >= physical + size)
            return true;
    }
    return false;
}
