/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One counter at a time. Registers are accessed by the variants that survive an exception: a
 * processor that lacks what it enumerates is for the tests to report, not to die of.
 */
#include "arch/trace/pmu.h"

#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "arch/trace/foreign_counters.h"

/* Counters whose registers have the old numbers for sure (F21.14). */
#define OLD_GENERAL 8u
#define OLD_FIXED   4u

struct event_row {
    const char *name;
    uint8_t event, unit_mask;
    uint8_t fixed; /* the fixed counter for it, or FIXED_NONE */
};

#define FIXED_NONE 0xffu

static const struct event_row events[PMU_EVENT_COUNT] = {
    /* The architectural events (F6.25, F21.4), with the fixed counter that counts the same (F6.4,
     * F21.12). */
    [PMU_CORE_CYCLES] = {"core cycles", 0x3c, 0x00, 1},
    [PMU_INSTRUCTIONS] = {"instructions retired", 0xc0, 0x00, 0},
    [PMU_REFERENCE_CYCLES] = {"reference cycles", 0x3c, 0x01, 2},
    [PMU_LLC_REFERENCES] = {"LLC references", 0x2e, 0x4f, FIXED_NONE},
    [PMU_LLC_MISSES] = {"LLC misses", 0x2e, 0x41, FIXED_NONE},
    [PMU_BRANCHES] = {"branches retired", 0xc4, 0x00, FIXED_NONE},
    [PMU_BRANCH_MISPREDICTS] = {"branch mispredicts retired", 0xc5, 0x00, FIXED_NONE},
    [PMU_SLOTS] = {"top-down slots", 0xa4, 0x01, 3},
    [PMU_BACKEND_BOUND] = {"slots backend-bound", 0xa4, 0x02, FIXED_NONE},
    [PMU_BAD_SPECULATION] = {"slots of bad speculation", 0x73, 0x00, FIXED_NONE},
    [PMU_FRONTEND_BOUND] = {"slots frontend-bound", 0x9c, 0x01, FIXED_NONE},
    [PMU_RETIRING] = {"slots retiring", 0xc2, 0x02, 6},
    [PMU_LBR_INSERTS] = {"LBR inserts", 0xe4, 0x01, FIXED_NONE},
    /* PEBS wants an event that the processor can sample precisely (F3.61). */
    [PMU_BRANCHES_PRECISE] = {"precise branches retired", 0xc4, 0x04, FIXED_NONE},
};

unsigned pmu_version(void)
{
    return trace_features()->perfmon.version;
}

unsigned pmu_general_count(void)
{
    unsigned limit = perfmon_general_limit(&trace_features()->perfmon);

    return limit < PMU_GENERAL_MAX ? limit : PMU_GENERAL_MAX;
}

unsigned pmu_general_usable(void)
{
    unsigned count = 0;

    PMU_EACH_GENERAL(i)
        count++;
    return count;
}

/* The most that a core of a hybrid is known to have (F1.14, F21.11). */
#define GENERAL_OF_HYBRID 10u
#define FIXED_OF_HYBRID   7u

unsigned pmu_general_in_doubt(void)
{
    return trace_features()->counters_in_doubt ? GENERAL_OF_HYBRID : 0;
}

unsigned pmu_fixed_in_doubt(void)
{
    bool early = cpu_features()->identity.family == 6 && pmu_version() >= 2 && pmu_version() <= 4;

    if (trace_features()->counters_in_doubt)
        return FIXED_OF_HYBRID;
    return early ? 3 : 0;
}

uint64_t pmu_in_doubt_bits(void)
{
    uint64_t general = (1ull << pmu_general_in_doubt()) - 1;

    return general | ((1ull << pmu_fixed_in_doubt()) - 1) << 32;
}

unsigned pmu_fixed_count(void)
{
    unsigned limit = perfmon_fixed_limit(&trace_features()->perfmon);

    return limit < PMU_FIXED_MAX ? limit : PMU_FIXED_MAX;
}

bool pmu_counter_enumerated(struct counter counter)
{
    if (!counter.fixed)
        return counter.number < PMU_GENERAL_MAX &&
               perfmon_general_exists(&trace_features()->perfmon, counter.number);
    return counter.number < PMU_FIXED_MAX &&
           perfmon_fixed_exists(&trace_features()->perfmon, counter.number);
}

bool pmu_counter_exists(struct counter counter)
{
    return pmu_counter_enumerated(counter) && !(foreign_counters() & pmu_global_bit(counter));
}

/* Each is asked for often, by the interrupt routine too: a few instructions, and no loop. */
uint64_t pmu_enumerated(void)
{
    const struct perfmon_identity *perfmon = &trace_features()->perfmon;
    uint64_t fixed = perfmon_fixed_bitmap(perfmon) & ((1u << PMU_FIXED_MAX) - 1);

    return perfmon_general_bitmap(perfmon) | fixed << PMU_GENERAL_MAX | foreign_counters();
}

uint64_t pmu_all_counters(void)
{
    return pmu_enumerated() & ~foreign_counters();
}

unsigned pmu_counters(struct counter *list)
{
    unsigned count = 0;

    for (uint64_t bits = pmu_all_counters(); bits; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);
        bool fixed = i >= PMU_GENERAL_MAX;

        list[count++] = (struct counter){fixed, fixed ? i - PMU_GENERAL_MAX : i};
    }
    return count;
}

unsigned pmu_general_from(unsigned number)
{
    uint64_t from = number < PMU_GENERAL_MAX ? pmu_all_counters() >> number << number : 0;

    return (unsigned)__builtin_ctzll(from | 1ull << PMU_GENERAL_MAX);
}

void pmu_counter_name(struct counter counter, char *buffer, size_t size)
{
    format_string(buffer, size, "%s%u", counter.fixed ? "fixed" : "pmc", counter.number);
}

static bool is_in_block_alone(struct counter counter)
{
    return counter.number >= (counter.fixed ? OLD_FIXED : OLD_GENERAL) && pmu_has_blocks();
}

uint32_t pmu_counter_register(struct counter counter)
{
    if (is_in_block_alone(counter))
        return pmu_block_register(counter, PMU_BLOCK_CTR);
    return (counter.fixed ? IA32_FIXED_CTR0 : IA32_PMC0) + counter.number;
}

uint32_t pmu_select_register(unsigned number)
{
    struct counter counter = {.number = number};

    return is_in_block_alone(counter) ? pmu_block_register(counter, PMU_BLOCK_CFG_A)
                                      : IA32_PERFEVTSEL0 + number;
}

unsigned pmu_width(struct counter counter)
{
    return counter.fixed ? trace_features()->perfmon.fixed_counter_bits
                         : trace_features()->perfmon.counter_bits;
}

uint64_t pmu_counter_mask(struct counter counter)
{
    unsigned width = pmu_width(counter);

    return width < 64 ? (1ull << width) - 1 : ~0ull;
}

uint64_t pmu_global_bit(struct counter counter)
{
    return 1ull << (counter.fixed ? 32 + counter.number : counter.number);
}

bool pmu_event_available(enum pmu_event event)
{
    if (event >= PMU_ARCHITECTURAL_EVENTS)
        return event < PMU_EVENT_COUNT;
    return perfmon_event_available(&trace_features()->perfmon, event);
}

bool pmu_event_is_branches(enum pmu_event event)
{
    return event == PMU_BRANCHES || event == PMU_BRANCHES_PRECISE;
}

const char *pmu_event_name(enum pmu_event event)
{
    return event < PMU_EVENT_COUNT ? events[event].name : "no event";
}

enum pmu_event pmu_fixed_event(unsigned number)
{
    enum pmu_event event = PMU_CORE_CYCLES;

    while (event < PMU_EVENT_COUNT && events[event].fixed != number)
        event++;
    return event;
}

uint64_t pmu_event_select(enum pmu_event event, unsigned flags)
{
    uint64_t select = PERFEVTSEL_EN | events[event].event | (uint64_t)events[event].unit_mask << 8;

    if (flags & COUNTER_OS)
        select |= PERFEVTSEL_OS;
    if (flags & COUNTER_USR)
        select |= PERFEVTSEL_USR;
    if (flags & COUNTER_PMI)
        select |= PERFEVTSEL_INT;
    return select;
}

uint64_t pmu_fixed_field_mask(unsigned number)
{
    return FIXED_CTR_CTRL_FIELD_OF(number);
}

uint64_t pmu_fixed_field(unsigned number, unsigned flags)
{
    uint64_t field = 0;

    if (flags & COUNTER_OS)
        field |= FIXED_CTR_CTRL_OS;
    if (flags & COUNTER_USR)
        field |= FIXED_CTR_CTRL_USR;
    if (flags & COUNTER_PMI)
        field |= FIXED_CTR_CTRL_PMI;
    return field << 4 * number;
}

static void write_fixed_field(unsigned number, uint64_t field)
{
    uint64_t control = 0;

    rdmsr_safe(IA32_FIXED_CTR_CTRL, &control);
    wrmsr_safe(IA32_FIXED_CTR_CTRL, (control & ~pmu_fixed_field_mask(number)) | field);
}

void pmu_program(struct counter counter, enum pmu_event event, unsigned flags)
{
    if (counter.fixed)
        write_fixed_field(counter.number, pmu_fixed_field(counter.number, flags));
    else if (event < PMU_EVENT_COUNT)
        wrmsr_safe(pmu_select_register(counter.number), pmu_event_select(event, flags));
}

void pmu_program_off(struct counter counter)
{
    if (counter.fixed)
        write_fixed_field(counter.number, 0);
    else
        wrmsr_safe(pmu_select_register(counter.number), 0);
}

void pmu_write(struct counter counter, uint64_t value)
{
    uint32_t number = pmu_counter_register(counter);

    if (!counter.fixed && number == IA32_PMC0 + counter.number &&
        feature_present(FEATURE_FULL_WIDTH_WRITES))
        number = IA32_A_PMC0 + counter.number;
    wrmsr_safe(number, value & pmu_counter_mask(counter)); /* bits above are refused: F6.22 */
}

void pmu_write_period(struct counter counter, uint64_t period)
{
    pmu_write(counter, -period);
}

uint64_t pmu_read(struct counter counter)
{
    uint64_t value = 0;

    rdmsr_safe(pmu_counter_register(counter), &value);
    return value;
}

#define VERSION_OF_BLOCKS 6u
#define BLOCK_REGISTERS   4u

bool pmu_has_blocks(void)
{
    return pmu_version() >= VERSION_OF_BLOCKS;
}

uint32_t pmu_block_register(struct counter counter, enum pmu_block_part part)
{
    uint32_t first = counter.fixed ? IA32_PMC_FX0_CTR : IA32_PMC_GP0_CTR;

    return first + BLOCK_REGISTERS * counter.number + part;
}

static uint64_t global_bits(struct perfmon_pair counters)
{
    return (counters.general | (uint64_t)counters.fixed << 32) & pmu_all_counters();
}

uint64_t pmu_reloadable(void)
{
    return global_bits(trace_features()->perfmon.own.reloaded);
}

uint64_t pmu_reloading(void)
{
    return global_bits(trace_features()->perfmon.own.reloads);
}

void pmu_reload(struct counter counter, uint64_t by, uint64_t value)
{
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_C), value & UINT32_MAX);
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_B), by);
}

void pmu_reload_off(struct counter counter)
{
    if (!(pmu_reloadable() & pmu_global_bit(counter)))
        return;
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_B), 0);
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_C), 0);
}
