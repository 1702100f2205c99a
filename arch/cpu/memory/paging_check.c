/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the tables from CR3 as the processor does, without the helpers that made them, and compares
 * every page with the map of the image.
 */
#include <stddef.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/paging.h"

#define CR0_WP           (1ull << 16)
#define WINDOW_START     0xffffffffc0000000ull
#define LEVEL_ROOT       4u
#define CANONICAL_SIGN   (1ull << 47)
#define CANONICAL_EXTEND 0xffff000000000000ull

static uint64_t pages_found;

static const char *check_rights(uint64_t entry, const struct map_region *region)
{
    if (!(entry & PTE_WRITABLE) != !region->writable)
        return region->writable ? "a data page is read only" : "a read-only page is writable";
    if (!(entry & PTE_USER) != !region->user)
        return region->user ? "a ring 3 page is closed to ring 3"
                            : "a kernel page is open to ring 3";
    if (!(entry & PTE_CODE) != !region->executable)
        return region->executable ? "a code page is not meant to be executed"
                                  : "a data page is meant to be executed";
    return NULL;
}

static const char *check_page(uint64_t address, uint64_t entry)
{
    static const struct map_region device = {.name = "window", .writable = true};
    pages_found++;
    if (!(entry & PTE_CODE) != !!(entry & PTE_NO_EXECUTE) && paging_without_nx() == NULL)
        return "a page's NX bit does not say what the page is meant for";
    if ((entry & PTE_WRITABLE) && (entry & PTE_CODE))
        return "a page is writable and executable";
    if (!(entry & PTE_ACCESSED) || !(entry & PTE_DIRTY))
        return "a page's accessed or dirty bit is clear";
    if (kernel_map_is_guard(address))
        return "a guard page is mapped";
    const struct map_region *region = kernel_map_find(address);
    if (region == NULL && address >= WINDOW_START)
        region = &device;
    return region == NULL ? "a page is mapped that belongs to nothing"
                          : check_rights(entry, region);
}

/* user: every level above allows ring 3. */
static const char *check_table(uint64_t physical, unsigned level, uint64_t base, bool user)
{
    const uint64_t *root = page_tables_root();
    const uint64_t *table =
        (const uint64_t *)((uintptr_t)root + (uintptr_t)(physical - kernel_physical(root)));
    const char *wrong = NULL;
    for (unsigned i = 0; i < TABLE_ENTRIES && wrong == NULL; i++) {
        uint64_t entry = table[i];
        uint64_t address = base | (uint64_t)i << (12 + 9 * (level - 1));
        if (level == LEVEL_ROOT && (address & CANONICAL_SIGN))
            address |= CANONICAL_EXTEND;
        if (!(entry & PTE_PRESENT))
            continue;
        if (level == 1)
            wrong = check_page(address, user ? entry : entry & ~PTE_USER);
        else if (entry & PTE_LARGE)
            wrong = "there is a large page, as only the boot's tables have";
        else
            wrong =
                check_table(entry & PTE_ADDRESS, level - 1, address, user && (entry & PTE_USER));
    }
    return wrong;
}

static uint64_t pages_in_image(void)
{
    uint64_t pages = 0;
    for (size_t i = 0; i < kernel_map_count; i++)
        for (const char *at = kernel_map[i].start; at < kernel_map[i].end; at += PAGE_SIZE)
            pages += !kernel_map_is_guard((uint64_t)(uintptr_t)at);
    return pages;
}

const char *paging_check(void)
{
    if (!(insn_read_cr0() & CR0_WP))
        return "CR0.WP is clear";
    if (paging_without_nx() == NULL && !(rdmsr(IA32_EFER) & EFER_NXE))
        return "IA32_EFER.NXE is clear";
    uint64_t root = insn_read_cr3() & PTE_ADDRESS;
    if (root != kernel_physical(page_tables_root()))
        return "CR3 does not hold the kernel's tables";
    pages_found = 0;
    const char *wrong = check_table(root, LEVEL_ROOT, 0, true);
    if (wrong == NULL && pages_found < pages_in_image())
        wrong = "a page of the image is not mapped";
    return wrong;
}
