/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the loader's memory map says of a piece of memory. Maps come unsorted, with ranges that
 * overlap, are empty or lie beside each other: what two ranges claim is free only if both say so.
 * Pure: runs on the host too.
 */
#ifndef BOOT_MEMORY_MAP_H
#define BOOT_MEMORY_MAP_H

#include "boot/boot_info.h"

/* Is every byte of it in a range of usable memory, and none in a range of another type? */
bool memory_map_is_free(const struct boot_info *info, uint64_t base, uint64_t size);

/*
 * The lowest page boundary from low on with size bytes free from there, all below high; 0 where
 * there is none. low is above 0.
 */
uint64_t memory_map_find(const struct boot_info *info, uint64_t low, uint64_t high, uint64_t size);

/* Bytes in ranges of usable memory, each range for itself. */
uint64_t memory_map_usable(const struct boot_info *info);

#endif
