// SPDX-License-Identifier: GPL-2.0-or-later
#include "area.h"

#include "linear.h"
#include "pebs.h"

#define FIELDS_OF_A_BUFFER 4
#define INDEX_FIELD        1
#define LARGEST_FIELD      8

/* Offsets in bytes of the first reset values. The 32-bit layout has a single one, of 8 bytes too.
 * The fixed counters' stand behind 8 of the others, or behind 32 (F3.2, F22.1). */
#define RESET_32_BIT      0x20
#define RESET_64_BIT      0x40
#define RESET_FIXED       0x80
#define RESET_FIXED_LATER 0x140
#define FORMAT_LATER      5
#define RESET_SIZE        8

size_t area_field_size(const struct ds_cpu *cpu)
{
    return cpu->profile.dtes64 || cpu->long_mode_active ? 8 : 4;
}

uint64_t area_get_field(const uint8_t *from, size_t size)
{
    uint64_t value = 0;

    for (size_t i = size; i-- > 0;) {
        value = value << 8 | from[i];
    }
    return value;
}

void area_put_field(uint8_t *to, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint64_t field_address(const struct ds_cpu *cpu, enum area_section section, size_t field)
{
    size_t place = (size_t)section * FIELDS_OF_A_BUFFER + field;

    return linear_address(cpu, cpu->ds_area + place * area_field_size(cpu));
}

bool area_read_buffer(const struct ds_cpu *cpu, const struct ds_host *host,
                      enum area_section section, struct area_buffer *buffer)
{
    uint8_t bytes[FIELDS_OF_A_BUFFER * LARGEST_FIELD];
    size_t size = area_field_size(cpu);

    if (!host->read(host->opaque, field_address(cpu, section, 0), bytes,
                    FIELDS_OF_A_BUFFER * size)) {
        return false;
    }
    buffer->base = linear_address(cpu, area_get_field(bytes, size));
    buffer->index = linear_address(cpu, area_get_field(bytes + size, size));
    buffer->maximum = linear_address(cpu, area_get_field(bytes + 2 * size, size));
    buffer->threshold = linear_address(cpu, area_get_field(bytes + 3 * size, size));
    return true;
}

bool area_write_index(const struct ds_cpu *cpu, const struct ds_host *host,
                      enum area_section section, uint64_t index)
{
    uint8_t bytes[LARGEST_FIELD];
    size_t size = area_field_size(cpu);

    area_put_field(bytes, size, index);
    return host->write(host->opaque, field_address(cpu, section, INDEX_FIELD), bytes, size);
}

static uint64_t first_reset(const struct ds_cpu *cpu, bool fixed)
{
    if (!fixed) {
        return RESET_64_BIT;
    }
    return pebs_format(&cpu->profile) < FORMAT_LATER ? RESET_FIXED : RESET_FIXED_LATER;
}

bool area_read_reset(const struct ds_cpu *cpu, const struct ds_host *host, unsigned counter,
                     bool fixed, uint64_t *value)
{
    uint64_t offset = first_reset(cpu, fixed) + counter * RESET_SIZE;
    uint8_t bytes[RESET_SIZE];

    if (area_field_size(cpu) == 4) {
        if (counter > 0 || fixed) {
            return false;
        }
        offset = RESET_32_BIT;
    }
    if (!host->read(host->opaque, linear_address(cpu, cpu->ds_area + offset), bytes,
                    sizeof(bytes))) {
        return false;
    }
    *value = area_get_field(bytes, sizeof(bytes));
    return true;
}
