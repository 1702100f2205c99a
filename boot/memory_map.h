/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries the loader's memory map. Maps may be unsorted, with empty, adjacent or overlapping
 * ranges; memory in several ranges is free only if all of them say so. Pure: runs on the host too.
 */
#ifndef BOOT_MEMORY_MAP_H
#define BOOT_MEMORY_MAP_H

#include "boot/boot_info.h"

/* Is every byte in a range of usable memory, and none in a range of another type? */
bool memory_map_is_free(const struct boot_info *info, uint64_t base, uint64_t size);

/*
 * The lowest page boundary at or above low (not 0) with size free bytes, all below high; 0 if there
 * is none.
 */
uint64_t memory_map_find(const struct boot_info *info, uint64_t low, uint64_t high, uint64_t size);

/* Sum of the lengths of usable ranges, in bytes; overlaps count twice. */
uint64_t memory_map_usable(const struct boot_info *info);

#endif
