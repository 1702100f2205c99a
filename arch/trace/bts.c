/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/bts.h"

#include "arch/cpu/ground/msr.h"

/* Poisoned and looked at only where a layout asks for it: most runs need none of it. */
static struct {
    uint8_t canary_before[PAGE_SIZE];
    uint8_t buffer[BTS_LARGE_BYTES];
    uint8_t canary_after[PAGE_SIZE];
} large __attribute__((section(".ds"), aligned(PAGE_SIZE)));

static uint8_t *memory_of(bool is_large)
{
    return is_large ? large.buffer : trace_state()->memory->buffer;
}

static size_t memory_size(bool is_large)
{
    return is_large ? sizeof large.buffer : BTS_BUFFER_BYTES;
}

static uint64_t base_address(void)
{
    return (uint64_t)memory_of(trace_state()->bts_is_large) + trace_state()->bts_base_offset;
}

static struct bts_geometry geometry_of(const struct bts_layout *layout)
{
    struct bts_geometry geometry = {.base =
                                        (uint64_t)memory_of(layout->large) + layout->base_offset};
    size_t threshold = layout->threshold;

    if (threshold == BTS_NO_THRESHOLD)
        threshold = layout->records + 1;
    geometry.absolute_maximum =
        geometry.base + layout->records * BTS_RECORD_SIZE + layout->maximum_plus_one;
    geometry.threshold = geometry.base + threshold * BTS_RECORD_SIZE;
    return geometry;
}

const char *bts_refusal(const struct bts_layout *layout)
{
    struct bts_geometry geometry = geometry_of(layout);
    size_t room = memory_size(layout->large);
    enum ds_error error;

    if (layout->base_offset > room || layout->records > room / BTS_RECORD_SIZE ||
        layout->base_offset + (layout->records + 1) * BTS_RECORD_SIZE > room)
        return "more records asked for than the buffer memory holds";
    error = ds_check_bts(&geometry, paging_rights);
    return error == DS_OK ? NULL : ds_error_text(error);
}

const char *bts_prepare_fields(const struct bts_layout *layout)
{
    struct ds_memory *memory = trace_state()->memory;
    struct bts_geometry geometry = geometry_of(layout);
    const char *refusal = bts_refusal(layout);
    enum ds_error error;

    if (refusal)
        return refusal;
    trace_poison();
    if (layout->large)
        __builtin_memset(&large, DS_POISON, sizeof large);
    __builtin_memset(&memory->area, 0, sizeof memory->area);
    error = ds_build_bts(&memory->area, &geometry, paging_rights);
    if (error != DS_OK)
        return ds_error_text(error);
    trace_state()->area_as_built = memory->area;
    trace_state()->bts_base_offset = layout->base_offset;
    trace_state()->bts_is_large = layout->large;
    return NULL;
}

const char *bts_prepare(const struct bts_layout *layout)
{
    const char *refusal = bts_prepare_fields(layout);

    if (refusal)
        return refusal;
    if (exception_happened(wrmsr_safe(IA32_DS_AREA, (uint64_t)&trace_state()->memory->area)))
        return "writing IA32_DS_AREA raised an exception";
    return NULL;
}

void bts_switch(const struct bts_layout *layout)
{
    const struct bts_geometry geometry = geometry_of(layout);
    volatile struct ds_management_area *area = &trace_state()->memory->area;

    area->bts_buffer_base = area->bts_index = geometry.base;
    area->bts_absolute_maximum = geometry.absolute_maximum;
    area->bts_interrupt_threshold = geometry.threshold;
    trace_state()->area_as_built = trace_state()->memory->area;
    trace_state()->bts_base_offset = layout->base_offset;
    trace_state()->bts_is_large = layout->large;
}

const struct bts_record *bts_records(void)
{
    return (const struct bts_record *)base_address();
}

/* The processor writes the index behind the compiler's back. */
static uint64_t index_field(void)
{
    return *(volatile uint64_t *)&trace_state()->memory->area.bts_index;
}

void bts_set_fields(const struct bts_fields *fields)
{
    struct ds_management_area *area = &trace_state()->memory->area;

    area->bts_index = base_address() + fields->index;
    area->bts_absolute_maximum = base_address() + fields->absolute_maximum;
    area->bts_interrupt_threshold = base_address() + fields->threshold;
    trace_state()->area_as_built = *area;
}

uint64_t bts_index_bytes(void)
{
    return index_field() - base_address();
}

bool bts_bytes_are_poison(size_t first, size_t end)
{
    return trace_is_poison((const uint8_t *)bts_records() + first, end - first);
}

size_t bts_index(void)
{
    uint64_t offset = index_field() - base_address();

    return offset % BTS_RECORD_SIZE ? BTS_NO_THRESHOLD : offset / BTS_RECORD_SIZE;
}

void bts_set_index(size_t index)
{
    *(volatile uint64_t *)&trace_state()->memory->area.bts_index =
        base_address() + index * BTS_RECORD_SIZE;
}

void bts_rewind(void)
{
    bts_set_index(0);
}

bool bts_record_is_poison(size_t number)
{
    return trace_is_poison(bts_records() + number, BTS_RECORD_SIZE);
}

static const char *find_stray_write_of_large(void)
{
    if (!trace_is_poison(large.canary_before, sizeof large.canary_before))
        return "the page before the BTS buffer base";
    if (!trace_is_poison(large.canary_after, sizeof large.canary_after))
        return "the page after the BTS buffer";
    if (!trace_is_poison(trace_state()->memory->buffer, BTS_BUFFER_BYTES))
        return "buffer memory that is not in use";
    return NULL;
}

const char *bts_find_stray_write(size_t records)
{
    bool is_large = trace_state()->bts_is_large;
    const uint8_t *memory = memory_of(is_large);
    size_t unused = trace_state()->bts_base_offset, used = unused + records * BTS_RECORD_SIZE;
    const char *stray = is_large ? find_stray_write_of_large() : NULL;

    if (stray)
        return stray;
    if (!trace_is_poison(memory, unused))
        return "the buffer memory before the BTS buffer base";
    if (!trace_is_poison(memory + used, memory_size(is_large) - used))
        return "memory past the last record of the BTS buffer";
    return trace_find_stray_write();
}
