// SPDX-License-Identifier: GPL-2.0-or-later
#include "area.h"

#include "fault.h"
#include "linear.h"

#define FIELDS_OF_A_BUFFER 4
#define INDEX_FIELD        1
#define THRESHOLD_FIELD    3
#define LARGEST_FIELD      8

/* Offsets in bytes of the first reset values. The 32-bit layout has a single one, of 8 bytes too.
 */
#define RESET_32_BIT 0x20
#define RESET_64_BIT 0x40
#define RESET_FIXED  0x80
#define RESET_SIZE   8

size_t area_field_size(const struct ds_cpu *cpu)
{
    bool wide = cpu->profile.dtes64 || cpu->long_mode_active;

    if (!cpu->long_mode_active && cpu->protected_mode &&
        fault_is_on(cpu, FAULT_AREA_32_IN_PROTECTED_MODE)) {
        return 4;
    }
    return wide && !fault_is_on(cpu, FAULT_AREA_NARROW) ? 8 : 4;
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

/* Of all processors; only a fault looks at it. */
static uint64_t newest_area;

void area_set(struct ds_cpu *cpu, uint64_t address)
{
    cpu->ds_area = address;
    __atomic_store_n(&newest_area, address, __ATOMIC_RELAXED);
}

uint64_t area_address(const struct ds_cpu *cpu)
{
    return fault_is_on(cpu, FAULT_AREA_SHARED) ? __atomic_load_n(&newest_area, __ATOMIC_RELAXED)
                                               : cpu->ds_area;
}

/* An address of the area or of a buffer, as the processor uses it. */
static uint64_t used_address(const struct ds_cpu *cpu, uint64_t address)
{
    if (fault_is_on(cpu, FAULT_DS_LINEAR_32_BITS)) {
        address = (uint64_t)(int64_t)(int32_t)address;
    }
    return linear_address(cpu, address);
}

static uint64_t used_area(const struct ds_cpu *cpu)
{
    uint64_t dropped = fault_is_on(cpu, FAULT_DS_AREA_LOW_BITS_DROPPED) ? 0xfff : 0;

    return area_address(cpu) & ~dropped;
}

static uint64_t field_address(const struct ds_cpu *cpu, enum area_section section, size_t field)
{
    size_t place = (size_t)section * FIELDS_OF_A_BUFFER + field;

    if (section == AREA_PEBS && fault_is_on(cpu, FAULT_AREA_PEBS_MISPLACED)) {
        place++;
    }
    return used_address(cpu, used_area(cpu) + place * area_field_size(cpu));
}

static bool read_buffer(const struct ds_cpu *cpu, const struct ds_host *host,
                        enum area_section section, struct area_buffer *buffer)
{
    uint8_t bytes[FIELDS_OF_A_BUFFER * LARGEST_FIELD];
    size_t size = area_field_size(cpu);
    bool exchanged = fault_is_on(cpu, FAULT_AREA_FIELDS_EXCHANGED);

    if (!host->read(host->opaque, field_address(cpu, section, 0), bytes,
                    FIELDS_OF_A_BUFFER * size)) {
        return false;
    }
    buffer->base = used_address(cpu, area_get_field(bytes, size));
    buffer->index = used_address(cpu, area_get_field(bytes + size, size));
    buffer->maximum = used_address(cpu, area_get_field(bytes + (exchanged ? 3 : 2) * size, size));
    buffer->threshold = used_address(cpu, area_get_field(bytes + (exchanged ? 2 : 3) * size, size));
    return true;
}

/* Base, maximum and threshold as a fault remembers them, the index as it is. */
static void recall(const struct ds_cpu *cpu, struct area_buffer *buffer)
{
    buffer->base = cpu->fault_memory.area_base;
    buffer->maximum = cpu->fault_memory.area_maximum;
    buffer->threshold = cpu->fault_memory.area_threshold;
}

bool area_read_buffer(const struct ds_cpu *cpu, const struct ds_host *host,
                      enum area_section section, struct area_buffer *buffer)
{
    bool read = read_buffer(cpu, host, section, buffer);

    if (section == AREA_BTS && fault_is_on(cpu, FAULT_BTS_AREA_LATCHED)) {
        recall(cpu, buffer);
    }
    return read;
}

bool area_write_index(const struct ds_cpu *cpu, const struct ds_host *host,
                      enum area_section section, uint64_t index)
{
    uint8_t bytes[LARGEST_FIELD];
    size_t size = area_field_size(cpu);

    area_put_field(bytes, size, index);
    if (fault_is_on(cpu, FAULT_AREA_THRESHOLD_WRITTEN) &&
        !host->write(host->opaque, field_address(cpu, section, THRESHOLD_FIELD), bytes, size)) {
        return false;
    }
    return host->write(host->opaque, field_address(cpu, section, INDEX_FIELD), bytes, size);
}

static bool read_reset(const struct ds_cpu *cpu, const struct ds_host *host, unsigned counter,
                       bool fixed, uint64_t *value)
{
    uint64_t offset = (fixed ? RESET_FIXED : RESET_64_BIT) + counter * RESET_SIZE;
    uint8_t bytes[RESET_SIZE];

    offset += fault_is_on(cpu, FAULT_RESET_MISPLACED) ? RESET_SIZE : 0;

    if (area_field_size(cpu) == 4) {
        if (counter > 0 || fixed) {
            return false;
        }
        offset = RESET_32_BIT;
    }
    if (!host->read(host->opaque, used_address(cpu, used_area(cpu) + offset), bytes,
                    sizeof(bytes))) {
        return false;
    }
    *value = area_get_field(bytes, sizeof(bytes));
    return true;
}

bool area_read_reset(const struct ds_cpu *cpu, const struct ds_host *host, unsigned counter,
                     bool fixed, uint64_t *value)
{
    bool read = read_reset(cpu, host, counter, fixed, value);

    if (fault_is_on(cpu, FAULT_PEBS_RESET_LATCHED)) {
        *value = cpu->fault_memory.area_resets[counter + (fixed ? DS_GENERAL_COUNTERS_MAX : 0)];
    }
    return read;
}

void area_latch(struct ds_cpu *cpu, const struct ds_host *host)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;
    struct area_buffer buffer = {0};

    if (fault_is_on(cpu, FAULT_BTS_AREA_LATCHED)) {
        read_buffer(cpu, host, AREA_BTS, &buffer);
        memory->area_base = buffer.base;
        memory->area_maximum = buffer.maximum;
        memory->area_threshold = buffer.threshold;
    }
    if (!fault_is_on(cpu, FAULT_PEBS_RESET_LATCHED)) {
        return;
    }
    for (unsigned i = 0; i < DS_GENERAL_COUNTERS_MAX + DS_FIXED_COUNTERS_MAX; i++) {
        bool fixed = i >= DS_GENERAL_COUNTERS_MAX;
        unsigned counter = fixed ? i - DS_GENERAL_COUNTERS_MAX : i;
        read_reset(cpu, host, counter, fixed, &memory->area_resets[i]);
    }
}
