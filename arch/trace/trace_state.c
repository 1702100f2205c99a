/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/trace_state.h"

#include "arch/cpu/page_alias.h"
#include "arch/cpu/page_tables.h"

static struct ds_memory ds_memory[PROCESSORS_MAX]
    __attribute__((section(".ds"), aligned(PAGE_SIZE)));
static struct trace_state states[PROCESSORS_MAX];

void trace_init(void)
{
    struct cpu *cpu = this_cpu();

    cpu->trace = &states[cpu->index];
    cpu->trace->memory = &ds_memory[cpu->index];
    __builtin_memset(cpu->trace->memory, DS_POISON, sizeof *cpu->trace->memory);
    __builtin_memset(&cpu->trace->memory->area, 0, sizeof cpu->trace->memory->area);
}

const struct trace_state *trace_state_of(unsigned processor)
{
    return &states[processor];
}

struct trace_state *trace_state(void)
{
    if (!this_cpu()->trace)
        trace_init();
    return this_cpu()->trace;
}

/* The same memory by its physical address. */
static struct ds_memory *physical_of(const struct ds_memory *memory)
{
    return (struct ds_memory *)kernel_physical(memory);
}

static struct ds_memory *home(void)
{
    return &ds_memory[this_cpu()->index];
}

static void unmap_physical(size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PAGE_SIZE)
        page_alias_unmap((uint64_t)physical_of(home()) + at);
}

/* Maps one page of it a second time. NULL, or why not. */
static const char *map_physical(size_t at)
{
    char *address = (char *)physical_of(home()) + at;

    if (paging_rights(address).present)
        return "the DS save area's physical addresses are linear addresses of something else";
    if (!page_alias_map((uint64_t)address, (const char *)home() + at))
        return "no memory for page tables of the DS save area's physical addresses";
    return NULL;
}

const char *trace_move_to_physical(void)
{
    const char *why = NULL;
    size_t at = 0;

    if (trace_has_moved())
        return NULL;
    while (at < sizeof *home() && !(why = map_physical(at)))
        at += PAGE_SIZE;
    if (why)
        unmap_physical(at);
    else
        trace_state()->memory = physical_of(home());
    return why;
}

void trace_move_back(void)
{
    if (!trace_has_moved())
        return;
    trace_state()->memory = home();
    unmap_physical(sizeof *home());
}

bool trace_has_moved(void)
{
    return trace_state()->memory != home();
}

bool trace_is_poison(const void *bytes, size_t length)
{
    const volatile uint8_t *byte = bytes;

    for (size_t i = 0; i < length; i++)
        if (byte[i] != DS_POISON)
            return false;
    return true;
}

static bool area_fields_kept(const struct trace_state *state)
{
    const struct ds_management_area *area = &state->memory->area;
    struct ds_management_area expected = state->area_as_built;

    expected.bts_index = area->bts_index; /* the processor's to write */
    expected.pebs_index = area->pebs_index;
    return __builtin_memcmp(&expected, area, sizeof expected) == 0;
}

const char *trace_find_stray_write(void)
{
    const struct ds_memory *memory = trace_state()->memory;

    if (!trace_is_poison(memory->canary_before, sizeof memory->canary_before))
        return "the page before the buffer management area";
    if (!area_fields_kept(trace_state()))
        return "a field of the buffer management area other than the index fields";
    if (!trace_is_poison(memory->area_rest, sizeof memory->area_rest))
        return "the bytes after the buffer management area";
    if (!trace_is_poison(memory->canary_between, sizeof memory->canary_between))
        return "the page before the BTS buffer base";
    if (!trace_is_poison(memory->canary_after, sizeof memory->canary_after))
        return "the page between the BTS and the PEBS buffer";
    if (!trace_is_poison(memory->canary_after_pebs, sizeof memory->canary_after_pebs))
        return "the page after the PEBS buffer";
    return NULL;
}
