/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory below 1 MiB, for code in real-address mode. */
#ifndef ARCH_CPU_MEMORY_LOW_MEMORY_H
#define ARCH_CPU_MEMORY_LOW_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct low_memory {
    uint32_t physical; /* on a page boundary */
    uint8_t *mapped;
};

/*
 * size: whole pages, in bytes. Returns false if the loader's memory map has no free piece of it.
 * Every call may return the same memory, so use only one piece at a time.
 */
bool low_memory_find(size_t size, struct low_memory *out);

/* Are these bytes free in the loader's memory map, and outside the piece that low_memory_find()
 * returned last? */
bool low_memory_is_free(uint32_t physical, size_t size);

#endif
