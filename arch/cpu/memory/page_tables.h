/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The four levels of page tables and their entries. paging.c decides which page gets which
 * rights. */
#ifndef ARCH_CPU_MEMORY_PAGE_TABLES_H
#define ARCH_CPU_MEMORY_PAGE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Access rights of each part of the image, with the linker's bounds. */

#define PAGE_SIZE 4096u

/* Kernel addresses are physical ones plus this; the value is linker.ld's. */
extern const char KERNEL_VIRTUAL[];

struct map_region {
    const char *name;
    const char *start, *end; /* page-aligned addresses */
    bool writable, user, executable;
};

extern const struct map_region kernel_map[];
extern const size_t kernel_map_count;

/* The region that holds the address, or NULL: not mapped, or in the device window. */
const struct map_region *kernel_map_find(uint64_t address);

/* Where the image lies in physical memory: its first byte, and the byte after its last. */
struct physical_extent {
    uint64_t start, end;
};
struct physical_extent kernel_map_extent(void);

/* The writable part, of which each private image (private_image.h) has its own copy. */
struct physical_extent kernel_map_moved_extent(void);

/* Does this kernel address lie in that part? */
bool kernel_map_moves(const void *address);

/* Does the address lie in the guard page below a stack, ring 3's included? */
bool kernel_map_is_guard(uint64_t address);

#define PTE_PRESENT       0x001ull /* of an entry of any level: F14.11 */
#define PTE_WRITABLE      0x002ull
#define PTE_USER          0x004ull
#define PTE_WRITE_THROUGH 0x008ull
#define PTE_CACHE_DISABLE 0x010ull
#define PTE_ACCESSED      0x020ull
#define PTE_DIRTY         0x040ull
#define PTE_LARGE         0x080ull /* in a table above the last */
#define PTE_PAT           0x080ull /* in the last */
#define PTE_GLOBAL        0x100ull
#define PTE_CODE          0x200ull /* ours, the processor ignores it: meant to be executed */
#define PTE_NO_EXECUTE    (1ull << 63)
#define PTE_ADDRESS       0x000ffffffffff000ull

#define TABLE_ENTRIES 512u

/* Physical address: the address less KERNEL_VIRTUAL, except in a private image (private_image.h).
 */
uint64_t kernel_physical(const void *address);

/* The top-level table, empty at first. kernel_physical() gives its physical address. */
uint64_t *page_tables_root(void);

/*
 * The entry for the page at the address. create: makes missing tables on the way, and opens tables
 * to ring 3 if `user` is set. NULL if there is no entry or the pool of tables is used up.
 */
uint64_t *page_tables_entry(uint64_t address, bool create, bool user);

/* copy: a copy of `page`, a page of the kernel's writable memory. If it is a page table, adds
 * `distance` bytes to its entries for that memory, so that they lead to the copies of the pages. */
void page_tables_move(const void *page, uint64_t *copy, uint64_t distance);

#endif
