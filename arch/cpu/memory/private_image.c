/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/private_image.h"

#include "arch/cpu/memory/paging.h"

uint64_t private_image_size(void)
{
    struct physical_extent extent = kernel_map_moved_extent();

    return extent.end - extent.start;
}

static uint64_t distance_to(uint64_t physical)
{
    return physical - kernel_map_moved_extent().start;
}

uint64_t private_image_root(uint64_t physical)
{
    return kernel_physical(page_tables_root()) + distance_to(physical);
}

static bool copy_page(uint64_t address, uint64_t distance)
{
    const uint64_t *entry = page_tables_entry(address, false, false);
    uint64_t *copy;

    if (entry == NULL || !(*entry & PTE_PRESENT))
        return true; /* a guard page */
    copy = paging_glimpse((*entry & PTE_ADDRESS) + distance);
    if (copy == NULL)
        return false;
    __builtin_memcpy(copy, (const void *)(uintptr_t)address, PAGE_SIZE);
    page_tables_move((const void *)(uintptr_t)address, copy, distance);
    return true;
}

static bool copy_region(const struct map_region *region, uint64_t distance)
{
    for (const char *at = region->start; at < region->end; at += PAGE_SIZE)
        if (!copy_page((uint64_t)(uintptr_t)at, distance))
            return false;
    return true;
}

/* Is the region private, because the kernel or ring 3 writes to it and it is not shared? */
static bool is_its_own(const struct map_region *region)
{
    return region->writable && (region->user || kernel_map_moves(region->start));
}

bool private_image_make(uint64_t physical)
{
    for (size_t i = 0; i < kernel_map_count; i++)
        if (is_its_own(&kernel_map[i]) && !copy_region(&kernel_map[i], distance_to(physical)))
            return false;
    return true;
}

static size_t up_to_page_end(uint64_t address, size_t size)
{
    size_t room = PAGE_SIZE - address % PAGE_SIZE;

    return size < room ? size : room;
}

bool private_image_read(uint64_t physical, const void *variable, void *out, size_t size)
{
    uint64_t at = kernel_physical(variable) + distance_to(physical);
    char *to = out;

    for (size_t part; size > 0; size -= part, at += part, to += part) {
        const char *page = paging_glimpse(at & ~(uint64_t)(PAGE_SIZE - 1));

        if (page == NULL)
            return false;
        part = up_to_page_end(at, size);
        __builtin_memcpy(to, page + at % PAGE_SIZE, part);
    }
    return true;
}
