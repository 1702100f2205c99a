/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's 4-KiB page tables, built once at boot from the linker's section bounds. No page is
 * both writable and meant to be executed, every stack has an unmapped page below it, and accessed
 * and dirty bits are set in advance (F3.30). If the processor has NX, it is set for every page that
 * is not meant to be executed.
 */
#ifndef ARCH_CPU_MEMORY_PAGING_H
#define ARCH_CPU_MEMORY_PAGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/memory/page_tables.h"

enum page_cache {
    PAGE_WRITE_BACK,
    PAGE_UNCACHED,
    PAGE_WRITE_COMBINING, /* framebuffers; uncached on a processor without PAT */
};

/* Needs features_probe(). Removes the boot's identity map. */
void paging_init(void);

/* Loads these tables on the running processor, if that did not run paging_init(). */
void paging_load(void);

/* NULL if data cannot be executed; otherwise what the processor lacks (static text). */
const char *paging_without_nx(void);

/*
 * Maps physical memory (any alignment) read-write and not executable, into the kernel's window for
 * devices and tables. Returns NULL if the window is used up or the processor has no such physical
 * addresses. There is no unmap, but memory already mapped is not mapped again.
 */
void *paging_map_physical(uint64_t physical, size_t length, enum page_cache cache);

/*
 * Maps one page of physical memory read-write until the next call, for large memory that is read or
 * filled once. Returns NULL if the processor has no such address.
 */
void *paging_glimpse(uint64_t physical);

/* executable: meant to be executed; without NX every present page can be. */
struct page_rights {
    bool present, writable, user, executable, accessed, dirty;
};

/* Rights of the page that holds the address, by the tables. */
struct page_rights paging_rights(const void *address);

/*
 * Changes the rights of one mapped page, for tests that make code pages; flushes the translation. A
 * page that would be writable and executable is the caller's mistake and raises #UD.
 */
void paging_set_rights(void *page, bool writable, bool user, bool executable);

/* Sets or clears a page's dirty bit, to see who sets it again; flushes the translation. A page that
 * the Debug Store may write to must have it set (F3.30). */
void paging_set_dirty(const void *page, bool dirty);

/*
 * Compares every table in use with what this header promises. Returns NULL, or the first thing that
 * is wrong (static text).
 */
const char *paging_check(void);

/*
 * Maps a page of the image, with its rights, at a second address for a while, for code at the ends
 * of the address space. False if memory for tables is missing, or a page is mapped at that address.
 */
bool page_alias_map(uint64_t address, const void *page);
void page_alias_unmap(uint64_t address);

#endif
