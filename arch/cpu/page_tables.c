/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/page_tables.h"
#include <stddef.h>

#define LEVELS      4
#define POOL_TABLES 256u /* 2 MiB of addresses each: image, framebuffer, code at far addresses */

static uint64_t pool[POOL_TABLES][TABLE_ENTRIES] __attribute__((aligned(4096)));
static unsigned pool_used = 1; /* the first is the root */

uint64_t kernel_physical(const void *address)
{
    return (uint64_t)(uintptr_t)address - (uint64_t)(uintptr_t)KERNEL_VIRTUAL;
}

uint64_t *page_tables_root(void)
{
    return pool[0];
}

static uint64_t *table_of(uint64_t entry)
{
    return (uint64_t *)(uintptr_t)((entry & PTE_ADDRESS) + (uint64_t)(uintptr_t)KERNEL_VIRTUAL);
}

static unsigned index_at(uint64_t address, unsigned level)
{
    return address >> (12 + 9 * (level - 1)) & (TABLE_ENTRIES - 1);
}

/* Rights on the way are open; the last level decides. Ring 3 needs its bit at every level. */
static bool make_table(uint64_t *entry)
{
    if (pool_used == POOL_TABLES)
        return false;
    *entry = kernel_physical(pool[pool_used++]) | PTE_PRESENT | PTE_WRITABLE | PTE_ACCESSED;
    return true;
}

uint64_t *page_tables_entry(uint64_t address, bool create, bool user)
{
    uint64_t *table = pool[0];
    for (unsigned level = LEVELS; level > 1; level--) {
        uint64_t *entry = &table[index_at(address, level)];
        if (!(*entry & PTE_PRESENT) && !(create && make_table(entry)))
            return NULL;
        if (create && user)
            *entry |= PTE_USER;
        table = table_of(*entry);
    }
    return &table[index_at(address, 1)];
}
