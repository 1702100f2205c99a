/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/page_tables.h"
#include "arch/cpu/memory/stacks.h"

extern const char KERNEL_PHYSICAL[]; /* linker.ld */
extern const char __text_start[], __text_end[], __rodata_start[], __rodata_end[];
extern const char __user_text_start[], __user_text_end[];
extern const char __user_data_start[], __user_data_end[];
extern const char __data_start[], __data_end[], __ds_start[], __ds_end[];
extern const char __bss_start[], __bss_end[], __stacks_start[], __stacks_end[];
extern const char __shared_start[], __shared_end[];
extern const char __user_load[], USER_VIRTUAL[];
extern const char user_stack_guard[]; /* below ring 3's stack: arch/cpu/traps/user_entry.S */

const struct map_region kernel_map[] = {
    {.name = ".text", .start = __text_start, .end = __text_end, .executable = true},
    {.name = ".rodata", .start = __rodata_start, .end = __rodata_end},
    {.name = ".user.text",
     .start = __user_text_start,
     .end = __user_text_end,
     .user = true,
     .executable = true},
    {.name = ".user.data",
     .start = __user_data_start,
     .end = __user_data_end,
     .user = true,
     .writable = true},
    {.name = ".data", .start = __data_start, .end = __data_end, .writable = true},
    {.name = ".ds", .start = __ds_start, .end = __ds_end, .writable = true},
    {.name = ".bss", .start = __bss_start, .end = __bss_end, .writable = true},
    {.name = "stacks", .start = __stacks_start, .end = __stacks_end, .writable = true},
    {.name = ".shared", .start = __shared_start, .end = __shared_end, .writable = true},
};

const size_t kernel_map_count = sizeof(kernel_map) / sizeof(kernel_map[0]);

static bool lies_in(uint64_t address, const char *start, const char *end)
{
    return address >= (uint64_t)(uintptr_t)start && address < (uint64_t)(uintptr_t)end;
}

const struct map_region *kernel_map_find(uint64_t address)
{
    for (size_t i = 0; i < kernel_map_count; i++)
        if (lies_in(address, kernel_map[i].start, kernel_map[i].end))
            return &kernel_map[i];
    return NULL;
}

struct physical_extent kernel_map_extent(void)
{
    return (struct physical_extent){.start = (uint64_t)(uintptr_t)KERNEL_PHYSICAL,
                                    .end = kernel_physical(__shared_end)};
}

/* From ring 3's data to the stacks, without a gap (linker.ld). */
struct physical_extent kernel_map_moved_extent(void)
{
    uint64_t user_data = (uint64_t)(__user_data_start - USER_VIRTUAL);

    return (struct physical_extent){.start = (uint64_t)(uintptr_t)__user_load + user_data,
                                    .end = (uint64_t)(uintptr_t)__stacks_end -
                                           (uint64_t)(uintptr_t)KERNEL_VIRTUAL};
}

bool kernel_map_moves(const void *address)
{
    return lies_in((uint64_t)(uintptr_t)address, __data_start, __stacks_end);
}

bool kernel_map_is_guard(uint64_t address)
{
    return stack_guard_name(address) != NULL ||
           lies_in(address, user_stack_guard, user_stack_guard + PAGE_SIZE);
}

#define LEVELS      4
#define POOL_TABLES 256u /* 2 MiB of addresses each: image, framebuffer, code at far addresses */

static uint64_t pool[POOL_TABLES][TABLE_ENTRIES] __attribute__((aligned(4096)));
static uint8_t levels[POOL_TABLES] = {LEVELS};
static unsigned pool_used = 1; /* the first is the root */

/* Bytes by which this kernel's writable memory lies above the linker's addresses; not 0 in a
 * private image (private_image.h). */
static uint64_t moved;

uint64_t kernel_physical(const void *address)
{
    uint64_t own = (uint64_t)(uintptr_t)address - (uint64_t)(uintptr_t)KERNEL_VIRTUAL;

    return own + (kernel_map_moves(address) ? moved : 0);
}

uint64_t *page_tables_root(void)
{
    return pool[0];
}

static uint64_t *table_of(uint64_t entry)
{
    return (uint64_t *)(uintptr_t)((entry & PTE_ADDRESS) - moved +
                                   (uint64_t)(uintptr_t)KERNEL_VIRTUAL);
}

static unsigned index_at(uint64_t address, unsigned level)
{
    return address >> (12 + 9 * (level - 1)) & (TABLE_ENTRIES - 1);
}

/* Upper levels grant all rights; the last decides. Ring 3 needs its bit at every level. */
static bool make_table(uint64_t *entry, unsigned level)
{
    if (pool_used == POOL_TABLES)
        return false;
    levels[pool_used] = (uint8_t)level;
    *entry = kernel_physical(pool[pool_used++]) | PTE_PRESENT | PTE_WRITABLE | PTE_ACCESSED;
    return true;
}

uint64_t *page_tables_entry(uint64_t address, bool create, bool user)
{
    uint64_t *table = pool[0];
    for (unsigned level = LEVELS; level > 1; level--) {
        uint64_t *entry = &table[index_at(address, level)];
        if (!(*entry & PTE_PRESENT) && !(create && make_table(entry, level - 1)))
            return NULL;
        if (create && user)
            *entry |= PTE_USER;
        table = table_of(*entry);
    }
    return &table[index_at(address, 1)];
}

/* The table that lies in this page, or -1. */
static int table_at(const void *page)
{
    size_t offset = (size_t)((uintptr_t)page - (uintptr_t)pool);

    return offset < pool_used * sizeof(pool[0]) ? (int)(offset / sizeof(pool[0])) : -1;
}

static bool is_moved(uint64_t entry, unsigned level)
{
    struct physical_extent extent = kernel_map_moved_extent();
    uint64_t physical = entry & PTE_ADDRESS;

    return entry & PTE_PRESENT &&
           (level > 1 || (physical >= extent.start && physical < extent.end));
}

void page_tables_move(const void *page, uint64_t *copy, uint64_t distance)
{
    int table = table_at(page);

    if ((uintptr_t)page == ((uintptr_t)&moved & ~(uintptr_t)(PAGE_SIZE - 1)))
        copy[(uintptr_t)&moved % PAGE_SIZE / sizeof(moved)] = distance;
    if (table < 0)
        return;
    for (unsigned i = 0; i < TABLE_ENTRIES; i++)
        if (is_moved(copy[i], levels[table]))
            copy[i] += distance;
}
