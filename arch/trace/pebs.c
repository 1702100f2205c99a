/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/pebs.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"

/* Core 2 hangs on a larger buffer (F3.70). */
#define FORMAT_0_BUFFER_BYTES 4096u

#define PERFEVTSEL_ADAPTIVE             (1ull << 34)
#define FIXED_CTR_CTRL_ADAPTIVE(number) (1ull << (32 + 4 * (number)))

bool pebs_is_trap_like(void)
{
    return trace_features()->perf_capabilities & PERF_CAPABILITIES_PEBS_TRAP;
}

static uint64_t base_address(void)
{
    return (uint64_t)trace_state()->memory->pebs_buffer;
}

size_t pebs_record_size(void)
{
    return trace_state()->pebs_record_size;
}

size_t pebs_records_max(uint64_t config)
{
    size_t size = pebs_format_size(pebs_format(), config);
    size_t room = pebs_format() ? PEBS_BUFFER_BYTES : FORMAT_0_BUFFER_BYTES;

    return size ? room / size - 1 : 0;
}

static struct bts_geometry geometry_of(const struct pebs_layout *layout, size_t size)
{
    struct bts_geometry geometry = {.base = base_address()};
    size_t threshold = layout->threshold;

    if (threshold == PEBS_NO_THRESHOLD)
        threshold = layout->records + 1;
    geometry.absolute_maximum = geometry.base + layout->records * size;
    geometry.threshold = geometry.base + threshold * size;
    return geometry;
}

const char *pebs_refusal(const struct pebs_layout *layout)
{
    size_t size = pebs_format_size(pebs_format(), layout->data_config);
    struct bts_geometry geometry = geometry_of(layout, size);
    enum ds_error error;

    if (!size)
        return "this kernel does not know the PEBS record format";
    if (layout->data_config && pebs_format() < PEBS_FORMAT_ADAPTIVE)
        return "the record format has no groups to choose";
    if (layout->records > pebs_records_max(layout->data_config))
        return "more records asked for than the buffer memory holds";
    error = ds_check_buffer(&geometry, size, paging_rights);
    return error == DS_OK ? NULL : ds_error_text(error);
}

static void poison(void *bytes, size_t length)
{
    __builtin_memset(bytes, DS_POISON, length);
}

static void poison_surroundings(struct ds_memory *memory)
{
    poison(memory->canary_before, sizeof memory->canary_before);
    poison(memory->area_rest, sizeof memory->area_rest);
    poison(memory->canary_after, sizeof memory->canary_after);
    poison(memory->pebs_buffer, sizeof memory->pebs_buffer);
    poison(memory->canary_after_pebs, sizeof memory->canary_after_pebs);
    trace_set_decoy();
}

static unsigned slot_of(uint64_t counter_bit)
{
    unsigned number = (unsigned)__builtin_ctzll(counter_bit);

    return ds_reset_slot(pebs_format(), number >= 32, number % 32);
}

/* Before format 5 the ninth general-purpose counter has no slot: there the fixed ones' begin. */
static void fill_resets(struct ds_management_area *area, const struct pebs_layout *layout)
{
    unsigned fixed = slot_of(PEBS_FIXED(0));

    __builtin_memset(area->pebs_reset, 0, sizeof area->pebs_reset);
    for (unsigned i = 0; i < PEBS_GENERAL_RESETS && i < fixed; i++)
        area->pebs_reset[i] = layout->reset[i];
    for (unsigned i = 0; i < PEBS_FIXED_RESETS; i++)
        area->pebs_reset[fixed + i] = layout->fixed_reset[i];
}

const char *pebs_prepare(const struct pebs_layout *layout)
{
    struct trace_state *state = trace_state();
    struct ds_management_area *area = &state->memory->area;
    struct bts_geometry geometry;
    const char *refusal = pebs_refusal(layout);
    enum ds_error error;

    if (refusal)
        return refusal;
    state->pebs_record_size = pebs_format_size(pebs_format(), layout->data_config);
    geometry = geometry_of(layout, state->pebs_record_size);
    poison_surroundings(state->memory);
    error = ds_build_pebs(area, &geometry, state->pebs_record_size, paging_rights);
    if (error != DS_OK)
        return ds_error_text(error);
    fill_resets(area, layout);
    state->area_as_built = *area;
    if (exception_happened(wrmsr_safe(IA32_DS_AREA, (uint64_t)area)))
        return "writing IA32_DS_AREA raised an exception";
    if (pebs_format() >= PEBS_FORMAT_ADAPTIVE &&
        exception_happened(wrmsr_safe(MSR_PEBS_DATA_CFG, layout->data_config)))
        return "writing MSR_PEBS_DATA_CFG raised an exception";
    return NULL;
}

/* The processor writes the index behind the compiler's back. */
static uint64_t index_field(void)
{
    return *(volatile uint64_t *)&trace_state()->memory->area.pebs_index;
}

size_t pebs_index(void)
{
    uint64_t offset = index_field() - base_address();

    size_t size = pebs_record_size();

    return !size || offset % size ? PEBS_NO_THRESHOLD : offset / size;
}

bool pebs_threshold_reached(void)
{
    const volatile struct ds_management_area *area = &trace_state()->memory->area;

    return area->pebs_buffer_base && area->pebs_index >= area->pebs_interrupt_threshold;
}

void pebs_rewind(void)
{
    *(volatile uint64_t *)&trace_state()->memory->area.pebs_index = base_address();
}

const void *pebs_record_bytes(size_t slot)
{
    return trace_state()->memory->pebs_buffer + slot * pebs_record_size();
}

struct pebs_kind pebs_kind(void)
{
    uint64_t capabilities = trace_features()->perf_capabilities;

    return (struct pebs_kind){.format = pebs_format(),
                              .registers = capabilities & PERF_CAPABILITIES_PEBS_REGISTERS,
                              .timed = capabilities & PERF_CAPABILITIES_PEBS_TIMED};
}

/* The groups and, with format 6, the counters (F22.6). */
uint64_t pebs_data_config_bits(void)
{
    const uint64_t groups = PEBS_DATA_MEMORY | PEBS_DATA_GPRS | PEBS_DATA_XMM | PEBS_DATA_LBRS;
    const uint64_t counters =
        PEBS_DATA_COUNTERS | PEBS_DATA_METRICS | PEBS_DATA_GENERAL(0xffff) | PEBS_DATA_FIXED(0xff);

    if (pebs_format() < PEBS_FORMAT_ADAPTIVE)
        return 0;
    return groups | 0xff000000 | (pebs_format() >= PEBS_FORMAT_COUNTERS ? counters : 0);
}

void pebs_decode(size_t slot, struct pebs_record *record)
{
    const struct pebs_kind kind = pebs_kind();

    pebs_format_decode(&kind, pebs_record_bytes(slot), record);
}

bool pebs_record_is_poison(size_t slot)
{
    return trace_is_poison(pebs_record_bytes(slot), pebs_record_size());
}

uint64_t pebs_enable(uint64_t mask)
{
    uint64_t before = rdmsr(IA32_PEBS_ENABLE);

    wrmsr(IA32_PEBS_ENABLE, mask);
    return before;
}

uint64_t pebs_disable(void)
{
    return pebs_enable(0);
}

void pebs_set_reset(uint64_t counter_bit, uint64_t value)
{
    struct trace_state *state = trace_state();
    struct ds_management_area *area = &state->memory->area;

    area->pebs_reset[slot_of(counter_bit)] = value;
    state->area_as_built = *area;
}

size_t pebs_reset_offset(uint64_t counter_bit)
{
    return offsetof(struct ds_management_area, pebs_reset[slot_of(counter_bit)]);
}

void pebs_set_limits(const struct pebs_layout *layout)
{
    struct trace_state *state = trace_state();
    struct ds_management_area *area = &state->memory->area;
    struct bts_geometry geometry = geometry_of(layout, state->pebs_record_size);

    area->pebs_absolute_maximum = geometry.absolute_maximum;
    area->pebs_interrupt_threshold = geometry.threshold;
    state->area_as_built = *area;
}

void pebs_set_fields(const struct pebs_fields *fields)
{
    struct trace_state *state = trace_state();
    struct ds_management_area *area = &state->memory->area;

    area->pebs_index = base_address() + fields->index;
    area->pebs_absolute_maximum = base_address() + fields->absolute_maximum;
    area->pebs_interrupt_threshold = base_address() + fields->threshold;
    state->area_as_built = *area;
}

uint64_t pebs_index_bytes(void)
{
    return index_field() - base_address();
}

bool pebs_bytes_are_poison(size_t first, size_t end)
{
    return trace_is_poison(trace_state()->memory->pebs_buffer + first, end - first);
}

void pebs_bring_down(size_t first, size_t length)
{
    uint8_t *base = trace_state()->memory->pebs_buffer;

    __builtin_memmove(base, base + first, length);
}

void pebs_make_adaptive(uint64_t mask)
{
    uint64_t fixed = 0;

    if (pebs_format() < PEBS_FORMAT_ADAPTIVE)
        return;
    for (unsigned i = 0; i < PEBS_GENERAL_RESETS; i++)
        if (mask & PEBS_GENERAL(i))
            wrmsr(pmu_select_register(i), rdmsr(pmu_select_register(i)) | PERFEVTSEL_ADAPTIVE);
    for (unsigned i = 0; i < PEBS_FIXED_RESETS; i++)
        if (mask & PEBS_FIXED(i))
            fixed |= FIXED_CTR_CTRL_ADAPTIVE(i);
    if (fixed)
        wrmsr(IA32_FIXED_CTR_CTRL, rdmsr(IA32_FIXED_CTR_CTRL) | fixed);
}

const char *pebs_find_stray_write(size_t records)
{
    const struct ds_memory *memory = trace_state()->memory;
    size_t used = records * pebs_record_size();

    if (!trace_is_poison(memory->pebs_buffer + used, sizeof memory->pebs_buffer - used))
        return "memory past the last record of the PEBS buffer";
    return trace_find_stray_write();
}
