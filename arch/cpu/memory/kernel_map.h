/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access rights of each part of the image, with the linker's bounds. */
#ifndef ARCH_CPU_MEMORY_KERNEL_MAP_H
#define ARCH_CPU_MEMORY_KERNEL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The writable part, of which each private image (private_image.h) has its own; and whether a
 * kernel address lies in it. */
struct physical_extent kernel_map_moved_extent(void);
bool kernel_map_moves(const void *address);

/* Does the address lie in the guard page below a stack, ring 3's included? */
bool kernel_map_is_guard(uint64_t address);

#endif
