/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/expect/identity_area.h"

#include "arch/cpu/page_alias.h"
#include "arch/cpu/page_tables.h"

static struct ds_memory memory __attribute__((section(".ds"), aligned(PAGE_SIZE)));
static struct ds_management_area as_built;

/* The second addresses, once they are mapped. */
static struct ds_memory *at_identity(void)
{
    return (struct ds_memory *)(uintptr_t)kernel_physical(&memory);
}

static bool map(void)
{
    for (size_t at = 0; at < sizeof memory; at += PAGE_SIZE)
        if (!page_alias_map((uint64_t)(uintptr_t)at_identity() + at, (uint8_t *)&memory + at))
            return false;
    return true;
}

static struct bts_geometry geometry_of(const uint8_t *buffer, size_t records, size_t size)
{
    uint64_t base = (uint64_t)(uintptr_t)buffer;

    return (struct bts_geometry){.base = base,
                                 .absolute_maximum = base + records * size,
                                 .threshold = base + (records + 1) * size};
}

static enum ds_error build(size_t bts_records, const struct pebs_layout *pebs)
{
    struct ds_memory *at = at_identity();
    struct bts_geometry bts_geometry = geometry_of(at->buffer, bts_records, BTS_RECORD_SIZE);
    enum ds_error error = ds_build_bts(&at->area, &bts_geometry, paging_rights);
    size_t size;
    struct bts_geometry pebs_geometry;

    if (error != DS_OK || !pebs)
        return error;
    size = pebs_format_size(pebs_format(), pebs->data_config);
    pebs_geometry = geometry_of(at->pebs_buffer, pebs->records, size);
    __builtin_memcpy(at->area.pebs_counter_reset, pebs->reset, sizeof pebs->reset);
    __builtin_memcpy(at->area.pebs_fixed_counter_reset, pebs->fixed_reset,
                     sizeof pebs->fixed_reset);
    return ds_build_pebs(&at->area, &pebs_geometry, size, paging_rights);
}

struct ds_management_area *identity_area_open(struct test_context *t, size_t bts_records,
                                              const struct pebs_layout *pebs)
{
    enum ds_error error;

    if (!map()) {
        test_fail(t, "the DS save area could not be mapped at its physical address");
        return NULL;
    }
    __builtin_memset(&memory, DS_POISON, sizeof memory);
    __builtin_memset(&memory.area, 0, sizeof memory.area);
    error = build(bts_records, pebs);
    as_built = memory.area;
    if (error == DS_OK)
        return &at_identity()->area;
    test_fail(t, "the DS save area was not programmed: %s", ds_error_text(error));
    return NULL;
}

void identity_area_close(void)
{
    for (size_t at = 0; at < sizeof memory; at += PAGE_SIZE)
        page_alias_unmap((uint64_t)(uintptr_t)at_identity() + at);
}

size_t identity_area_index(void)
{
    uint64_t index = *(volatile uint64_t *)&memory.area.bts_index;
    uint64_t offset = index - (uint64_t)(uintptr_t)at_identity()->buffer;

    return offset % BTS_RECORD_SIZE ? BTS_NO_THRESHOLD : offset / BTS_RECORD_SIZE;
}

const struct bts_record *identity_area_records(void)
{
    return (const struct bts_record *)memory.buffer;
}

bool identity_area_pebs_is_untouched(void)
{
    return *(volatile uint64_t *)&memory.area.pebs_index == as_built.pebs_index &&
           trace_is_poison(memory.pebs_buffer, sizeof memory.pebs_buffer);
}

static bool area_is_kept(void)
{
    struct ds_management_area expected = as_built;

    expected.bts_index = memory.area.bts_index;
    expected.pebs_index = memory.area.pebs_index;
    return __builtin_memcmp(&expected, &memory.area, sizeof expected) == 0;
}

void identity_area_expect_untouched(struct test_context *t, size_t bts_records)
{
    size_t used = bts_records * BTS_RECORD_SIZE;

    EXPECT(t,
           trace_is_poison(memory.canary_before, sizeof memory.canary_before) && area_is_kept() &&
               trace_is_poison(memory.area_rest, sizeof memory.area_rest),
           "written to although out of bounds: the buffer management area or what lies around it");
    EXPECT(t, trace_is_poison(memory.canary_between, sizeof memory.canary_between),
           "written to although out of bounds: the page before the BTS buffer base");
    EXPECT(t,
           used <= sizeof memory.buffer &&
               trace_is_poison(memory.buffer + used, sizeof memory.buffer - used),
           "written to although out of bounds: the BTS buffer past record %zu", bts_records);
    EXPECT(t,
           trace_is_poison(memory.canary_after, sizeof memory.canary_after) &&
               trace_is_poison(memory.canary_after_pebs, sizeof memory.canary_after_pebs),
           "written to although out of bounds: a page after a buffer");
}
