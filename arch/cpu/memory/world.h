/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Worlds: one more processor runs the whole kernel in a copy of all memory that the kernel writes
 * to, at the same addresses, as if it had booted and were alone. What the copy holds is what the
 * memory held when it was made, so the copy goes on from there. Code and constants are everybody's,
 * and so is what stands in .bss.shared (WORLD_SHARED), by which the worlds talk to each other.
 *
 * In a world its processor is number 0 and has no others (processors.h). What it maps and learns is
 * its own. Devices are the machine's: the processor that booted keeps them.
 */
#ifndef ARCH_CPU_MEMORY_WORLD_H
#define ARCH_CPU_MEMORY_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORLD_SHARED __attribute__((section(".bss.shared")))

/* Bytes of physical memory that one takes, whole pages. */
uint64_t world_size(void);

/*
 * Copies this world to physical memory that is free, from a page boundary on. False when the
 * processor cannot address it. Not from a world that is a copy.
 */
bool world_make(uint64_t physical);

/* What a variable of ours holds there. It must be one of memory that each world has its own of.
 * False when that world cannot be reached. */
bool world_read(uint64_t physical, const void *variable, void *out, size_t size);

/* CR3 of the world that lies there. */
uint64_t world_root(uint64_t physical);

#endif
