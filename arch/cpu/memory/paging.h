/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 4-KiB page tables of the kernel, written once at boot from the linker's section bounds: no page
 * is both writable and meant to be executed, every stack has an unmapped page below it, accessed
 * and dirty bits are set in advance (F3.30). NX keeps everything else from being executed, where
 * there is NX.
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

/* Needs features_probe(). The boot's identity map is gone afterwards. */
void paging_init(void);

/* The same tables for one more processor, the running one. */
void paging_load(void);

/* NULL when data cannot be executed; or why it can: what the processor lacks (static text). */
const char *paging_without_nx(void);

/*
 * Maps physical memory (any alignment) read-write, not executable, into the kernel's window for
 * devices and tables. NULL when the window is used up, or when the processor has no such physical
 * addresses. There is no unmap, but memory that is mapped already is not mapped again.
 */
void *paging_map_physical(uint64_t physical, size_t length, enum page_cache cache);

/*
 * One page of physical memory, read-write, until the next call: what is looked at or filled once
 * and may be large. NULL when the processor has no such address.
 */
void *paging_glimpse(uint64_t physical);

/* executable: meant to be; without NX every page that is present can be. */
struct page_rights {
    bool present, writable, user, executable, accessed, dirty;
};

/* What the tables say of the page that holds the address. */
struct page_rights paging_rights(const void *address);

/*
 * Change one mapped page. Used by tests that make code pages; flushes the translation. Both
 * writable and executable is a mistake of the caller and raises #UD.
 */
void paging_set_rights(void *page, bool writable, bool user, bool executable);

/* Sets a page's dirty bit, or clears it, to see who sets it again; flushes the translation. A page
 * that the Debug Store may write to must keep it (F3.30). */
void paging_set_dirty(const void *page, bool dirty);

/*
 * Walks every table in use and compares it with what this header promises. NULL, or the first
 * thing that is wrong (static text).
 */
const char *paging_check(void);

/*
 * A page of the image at a second address, for a while, with its own rights: code at the ends of
 * the address space. False when there is no memory for the tables, or a page at that address.
 */
bool page_alias_map(uint64_t address, const void *page);
void page_alias_unmap(uint64_t address);

#endif
