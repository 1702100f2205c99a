/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/pebs_arch.h"

#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/page_tables.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pebs.h"

#define SIZE_MOST ((size_t)PAGE_SIZE << (PEBS_ARCH_SIZE_CODES - 1))

/* IA32_PEBS_INDEX, in units (F22.31). */
#define INDEX_WRITE_SHIFT     4
#define INDEX_THRESHOLD_SHIFT 36
#define INDEX_MASK            0x7fffffull
#define INDEX_FULL            (1ull << 31)
#define INDEX_EN              (1ull << 32)

#define CONFIG_RESET 0xffffffffull

/*
 * The buffer lies on a multiple of its size, as those of other software do; the facts ask for a
 * page. It is at the start of the second part, so that canaries lie around it.
 */
static uint8_t memory[2 * SIZE_MOST + PAGE_SIZE]
    __attribute__((section(".ds"), aligned(SIZE_MOST)));

/* Of each processor: the registers are its own, too. */
static struct use {
    struct pebs_arch_layout laid_out;
    size_t written; /* WR in bytes when it was stopped */
} uses[PROCESSORS_MAX];

static struct use *use(void)
{
    return &uses[this_cpu()->index];
}

static uint8_t *buffer(void)
{
    return memory + SIZE_MOST;
}

static size_t buffer_size(void)
{
    return (size_t)PAGE_SIZE << use()->laid_out.size_code;
}

uint64_t pebs_arch_config_bits(void)
{
    return (uint64_t)trace_features()->perfmon.own.pebs_groups << 32 | PEBS_ARCH_ENABLE;
}

uint64_t pebs_arch_base(void)
{
    return kernel_physical(buffer());
}

static uint64_t index_value(const struct pebs_arch_layout *layout)
{
    size_t threshold = layout->threshold;

    if (threshold == PEBS_ARCH_NO_THRESHOLD)
        threshold = ((size_t)PAGE_SIZE << layout->size_code) + PEBS_ARCH_UNIT;
    return (layout->first / PEBS_ARCH_UNIT) << INDEX_WRITE_SHIFT |
           (uint64_t)(threshold / PEBS_ARCH_UNIT) << INDEX_THRESHOLD_SHIFT |
           (layout->full ? INDEX_FULL : 0) | (layout->disabled ? 0 : INDEX_EN);
}

struct exception pebs_arch_write_index(const struct pebs_arch_layout *layout)
{
    use()->laid_out = *layout;
    return wrmsr_safe(IA32_PEBS_INDEX, index_value(layout));
}

const char *pebs_arch_prepare(const struct pebs_arch_layout *layout)
{
    __builtin_memset(memory, DS_POISON, sizeof memory);
    if (exception_happened(wrmsr_safe(IA32_PEBS_INDEX, 0)))
        return "writing 0 to IA32_PEBS_INDEX raised an exception";
    if (exception_happened(wrmsr_safe(IA32_PEBS_BASE, pebs_arch_base() | layout->size_code)))
        return "writing IA32_PEBS_BASE raised an exception";
    if (exception_happened(pebs_arch_write_index(layout)))
        return "writing IA32_PEBS_INDEX raised an exception";
    return NULL;
}

struct pebs_arch_index pebs_arch_index(void)
{
    uint64_t value = 0;

    rdmsr_safe(IA32_PEBS_INDEX, &value);
    return (struct pebs_arch_index){
        .write = (value >> INDEX_WRITE_SHIFT & INDEX_MASK) * PEBS_ARCH_UNIT,
        .threshold = (value >> INDEX_THRESHOLD_SHIFT & INDEX_MASK) * PEBS_ARCH_UNIT,
        .enabled = value & INDEX_EN,
        .full = value & INDEX_FULL,
    };
}

static uint32_t config_register(struct counter counter)
{
    return pmu_block_register(counter, PMU_BLOCK_CFG_C);
}

struct exception pebs_arch_program(struct counter counter, uint64_t config, uint64_t reset)
{
    return wrmsr_safe(config_register(counter), config | (reset & CONFIG_RESET));
}

/* Calls it for each counter with PEBS until it says false. */
static bool each_counter(bool (*visit)(struct counter counter))
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(list);

    for (unsigned i = 0; i < count; i++)
        if (pebs_arch_counters() & pmu_global_bit(list[i]) && !visit(list[i]))
            return false;
    return true;
}

static bool clear_config(struct counter counter)
{
    wrmsr_safe(config_register(counter), 0);
    return true;
}

static bool has_no_config(struct counter counter)
{
    uint64_t value = 0;

    rdmsr_safe(config_register(counter), &value);
    return value == 0;
}

void pebs_arch_stop(void)
{
    use()->written = pebs_arch_index().write;
    wrmsr_safe(IA32_PEBS_INDEX, 0);
    each_counter(clear_config);
}

bool pebs_arch_is_off(void)
{
    return !pebs_arch_index().enabled && each_counter(has_no_config);
}

/* --- the records --- */

static size_t end_of_written(void)
{
    return use()->written < buffer_size() ? use()->written : buffer_size();
}

/* Goes on by the record there, up to WR. False: none is there. */
static bool step(size_t *at, struct pebs_arch_record *record)
{
    size_t end = end_of_written();

    if (*at >= end ||
        !pebs_arch_format_decode(buffer() + *at, end - *at, (unsigned)lbr_depth(), record))
        return false;
    *at += record->common.size;
    return true;
}

size_t pebs_arch_records(void)
{
    struct pebs_arch_record record;
    size_t at = use()->laid_out.first, count = 0;

    while (step(&at, &record))
        count++;
    return count;
}

bool pebs_arch_decode(size_t slot, struct pebs_arch_record *record)
{
    size_t at = use()->laid_out.first;

    for (size_t i = 0; i <= slot; i++)
        if (!step(&at, record))
            return false;
    return true;
}

size_t pebs_arch_end_of(size_t records)
{
    struct pebs_arch_record record;
    size_t at = use()->laid_out.first;

    while (records-- && step(&at, &record))
        ;
    return at;
}

/* Both from the base. */
static const char *find_write_outside(size_t first, size_t last)
{
    size_t before = SIZE_MOST + first, end = SIZE_MOST + last;

    if (!trace_is_poison(memory, before))
        return "memory before the first record of the PEBS buffer";
    if (!trace_is_poison(memory + end, sizeof memory - end))
        return "memory past the last record of the PEBS buffer";
    return NULL;
}

const char *pebs_arch_find_stray_write(size_t records)
{
    return find_write_outside(use()->laid_out.first, pebs_arch_end_of(records));
}

const char *pebs_arch_find_write_outside(void)
{
    return find_write_outside(0, buffer_size());
}
