/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory below 1 MiB: all that a processor in real-address mode can execute from. */
#ifndef ARCH_CPU_MEMORY_LOW_MEMORY_H
#define ARCH_CPU_MEMORY_LOW_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct low_memory {
    uint32_t physical; /* on a page boundary */
    uint8_t *mapped;
};

/* size: whole pages. False when the loader's memory map has no such piece free. */
bool low_memory_find(size_t size, struct low_memory *out);

/* The loader's memory map has these bytes free, and nothing has been found there for somebody. */
bool low_memory_is_free(uint32_t physical, size_t size);

#endif
