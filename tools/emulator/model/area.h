// SPDX-License-Identifier: GPL-2.0-or-later
/* The DS buffer management area in memory, in its 32-bit and 64-bit layouts (F3.2, F1.5). */
#ifndef AREA_H
#define AREA_H

#include "debug_store.h"

/* One buffer's four fields: linear addresses. */
struct area_buffer {
    uint64_t base;
    uint64_t index;
    uint64_t maximum;
    uint64_t threshold;
};

/* The two buffers, in the order of their fields in the area. */
enum area_section { AREA_BTS, AREA_PEBS };

/* Bytes of a field: 8 in the 64-bit layout, 4 in the 32-bit one. */
size_t area_field_size(const struct ds_cpu *cpu);

/* Both return whether the memory could be reached. The index is the only field that the processor
 * writes (F3.5). */
bool area_read_buffer(const struct ds_cpu *cpu, const struct ds_host *host,
                      enum area_section section, struct area_buffer *buffer);
bool area_write_index(const struct ds_cpu *cpu, const struct ds_host *host,
                      enum area_section section, uint64_t index);

/* Reset value of a PEBS counter, general-purpose or fixed; false if the layout has none for it
 * (F3.2). */
bool area_read_reset(const struct ds_cpu *cpu, const struct ds_host *host, unsigned counter,
                     bool fixed, uint64_t *value);

/* A little-endian field of `size` bytes (4 or 8). */
uint64_t area_get_field(const uint8_t *from, size_t size);
void area_put_field(uint8_t *to, size_t size, uint64_t value);

#endif
