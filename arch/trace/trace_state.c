/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/trace_state.h"

#include "arch/cpu/memory/paging.h"

/* The page behind the last lets the memory lie some bytes further on. */
struct ds_home {
    struct ds_memory memory;
    uint8_t spare[PAGE_SIZE];
};

#define HOME_PAGES (sizeof(struct ds_home) / PAGE_SIZE)

static struct ds_home homes[PROCESSORS_MAX] __attribute__((section(".ds"), aligned(PAGE_SIZE)));
static struct trace_state states[PROCESSORS_MAX];

static void init(void)
{
    struct cpu *cpu = this_cpu();

    cpu->trace = &states[cpu->index];
    cpu->trace->memory = &homes[cpu->index].memory;
    trace_poison();
    __builtin_memset(&cpu->trace->memory->area, 0, sizeof cpu->trace->memory->area);
}

const struct trace_state *trace_state_of(unsigned processor)
{
    return &states[processor];
}

struct trace_state *trace_state(void)
{
    if (!this_cpu()->trace)
        init();
    return this_cpu()->trace;
}

static struct ds_memory *home(void)
{
    return &homes[this_cpu()->index].memory;
}

static void unmap_pages(uint64_t address, size_t pages)
{
    for (size_t i = 0; i < pages; i++)
        page_alias_unmap(address + i * PAGE_SIZE);
}

static const char *map_page(uint64_t address, size_t page)
{
    if (paging_rights((const void *)address).present)
        return "the linear addresses wanted for the DS save area are those of something else";
    if (!page_alias_map(address, (const char *)home() + page * PAGE_SIZE))
        return "no memory for page tables of the DS save area's second addresses";
    return NULL;
}

/* Maps the memory a second time, page for page or backwards around the first. NULL, or why not. */
static const char *map_pages(uint64_t address, bool backwards)
{
    const char *why = NULL;
    size_t i = 0;

    while (i < HOME_PAGES && !(why = map_page(address + i * PAGE_SIZE,
                                              backwards ? (HOME_PAGES - i) % HOME_PAGES : i)))
        i++;
    if (why)
        unmap_pages(address, i);
    return why;
}

const char *trace_move_to_physical(void)
{
    uint64_t address = kernel_physical(home());
    const char *why;

    if (trace_has_moved())
        return NULL;
    why = map_pages(address, false);
    if (!why) {
        trace_state()->memory = (struct ds_memory *)address;
        trace_state()->moved_to = address;
    }
    return why;
}

#define CARRY_LOST (1ull << 32)

static const char *refuse_offset(size_t offset)
{
    if (trace_has_moved())
        return "the DS save area has been moved already";
    if (offset % sizeof(uint64_t))
        return "the DS save area cannot lie there";
    return NULL;
}

/* The decoy needs the room of an area at the same place in another page. */
static bool decoy_has_room(size_t offset)
{
    return offset + sizeof(struct ds_management_area) <= PAGE_SIZE;
}

const char *trace_move_to(uint64_t address)
{
    struct trace_state *state = trace_state();
    uint64_t page = address & ~(uint64_t)(PAGE_SIZE - 1);
    const char *why = refuse_offset(address - page);

    if (why || (why = map_pages(page, true)))
        return why;
    why = map_pages(page - CARRY_LOST, false);
    if (why) {
        unmap_pages(page, HOME_PAGES);
        return why;
    }
    state->moved_to = page;
    state->is_below_too = true;
    state->memory = (struct ds_memory *)address;
    /* Backwards, this is the last page: behind the memory. */
    if (decoy_has_room(address - page))
        state->decoy = (struct ds_management_area *)((char *)&home()->area + (address - page));
    return NULL;
}

const char *trace_move_by(size_t offset)
{
    struct trace_state *state = trace_state();
    const char *why = refuse_offset(offset);

    if (why)
        return why;
    if (offset < sizeof *state->decoy || !decoy_has_room(offset))
        return "no room for the decoy below the DS save area";
    state->memory = (struct ds_memory *)((char *)home() + offset);
    state->decoy = &home()->area;
    return NULL;
}

void trace_move_back(void)
{
    struct trace_state *state = trace_state();

    if (!trace_has_moved())
        return;
    if (state->moved_to)
        unmap_pages(state->moved_to, HOME_PAGES);
    if (state->is_below_too)
        unmap_pages(state->moved_to - CARRY_LOST, HOME_PAGES);
    state->memory = home();
    state->moved_to = 0;
    state->is_below_too = false;
    state->decoy = NULL;
}

bool trace_has_moved(void)
{
    return trace_state()->memory != home();
}

/* Its buffers are the canary pages, where each write shows. */
static struct ds_management_area decoy_as_built(void)
{
    struct ds_memory *memory = trace_state()->memory;
    uint64_t bts = (uint64_t)memory->canary_after, pebs = (uint64_t)memory->canary_after_pebs;

    return (struct ds_management_area){
        .bts_buffer_base = bts,
        .bts_index = bts,
        .bts_absolute_maximum = bts + 32 * BTS_RECORD_SIZE,
        .bts_interrupt_threshold = bts + 33 * BTS_RECORD_SIZE,
        .pebs_buffer_base = pebs,
        .pebs_index = pebs,
        .pebs_absolute_maximum = pebs + PAGE_SIZE / 2,
        .pebs_interrupt_threshold = pebs + PAGE_SIZE,
    };
}

void trace_set_decoy(void)
{
    if (trace_state()->decoy)
        *trace_state()->decoy = decoy_as_built();
}

void trace_poison(void)
{
    __builtin_memset(trace_state()->memory, DS_POISON, sizeof *trace_state()->memory);
    trace_set_decoy();
}

/* The decoy lies in the canary page before the area, where they share the area's page. */
static bool canary_before_kept(const struct trace_state *state)
{
    const uint8_t *canary = state->memory->canary_before, *end = canary + PAGE_SIZE;
    const uint8_t *decoy = (const uint8_t *)state->decoy;

    if (decoy < canary || decoy >= end)
        return trace_is_poison(canary, PAGE_SIZE);
    return trace_is_poison(canary, (size_t)(decoy - canary)) &&
           trace_is_poison(decoy + sizeof *state->decoy,
                           (size_t)(end - decoy) - sizeof *state->decoy);
}

static bool decoy_kept(const struct trace_state *state)
{
    struct ds_management_area expected = decoy_as_built();

    return !state->decoy || __builtin_memcmp(&expected, state->decoy, sizeof expected) == 0;
}

/* Eight bytes at a time: it is asked for all of the memory after every run. */
static bool words_are_poison(const volatile uint64_t *words, size_t count)
{
    const uint64_t poison = DS_POISON * 0x0101010101010101ull;
    uint64_t differ = 0;

    for (size_t i = 0; i < count; i++)
        differ |= words[i] ^ poison;
    return !differ;
}

static bool bytes_are_poison(const volatile uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != DS_POISON)
            return false;
    return true;
}

bool trace_is_poison(const void *bytes, size_t length)
{
    const volatile uint8_t *byte = bytes;
    size_t head = -(uintptr_t)byte % sizeof(uint64_t), words;

    if (head > length)
        head = length;
    words = (length - head) / sizeof(uint64_t);
    return bytes_are_poison(byte, head) &&
           words_are_poison((const volatile uint64_t *)(byte + head), words) &&
           bytes_are_poison(byte + head + words * sizeof(uint64_t),
                            (length - head) % sizeof(uint64_t));
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

    if (!decoy_kept(trace_state()))
        return "a buffer management area where a wrong address of the DS save area leads";
    if (!canary_before_kept(trace_state()))
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
