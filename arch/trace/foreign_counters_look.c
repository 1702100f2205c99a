/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who sets a select or a field up anew that was cleared? */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"
#include "arch/trace/foreign_counters.h"

#define LOOK_TICKS    40000000u /* of the TSC: some 10 to 20 ms */
#define LOOK_SHORTER  16u       /* on the others: who uses counters does so on each processor */
#define LOOK_LEAST    1000u     /* looks, should the processor stand still for most of that time */
#define CLEARED_TIMES 3u

static uint64_t foreign(void)
{
    return trace_features()->foreign;
}

static uint64_t read_fixed_control(void)
{
    uint64_t control = 0;

    if (pmu_version() >= 2)
        rdmsr_safe(IA32_FIXED_CTR_CTRL, &control);
    return control;
}

/* Their numbers may have gaps (F21.11). */
static bool is_general(unsigned number)
{
    return pmu_counter_enumerated((struct counter){.number = number});
}

static void clear_controls(void)
{
    uint64_t control = read_fixed_control();

    for (unsigned i = 0; i < pmu_general_count(); i++)
        if (is_general(i) && !(foreign() >> i & 1))
            wrmsr_safe(pmu_select_register(i), 0);
    if (control & ~foreign_fixed_fields())
        wrmsr_safe(IA32_FIXED_CTR_CTRL, control & foreign_fixed_fields());
}

static uint64_t set_selects(void)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < pmu_general_count(); i++) {
        uint64_t select = 0;

        if (is_general(i))
            rdmsr_safe(pmu_select_register(i), &select);
        if (select && !foreign() && !set)
            trace_features()->foreign_control = select;
        set |= (uint64_t)(select != 0) << i;
    }
    return set;
}

static uint64_t set_fields(void)
{
    uint64_t control = read_fixed_control(), set = 0;

    for (unsigned i = 0; i < FOREIGN_FIXED_LOOKED; i++)
        set |= (uint64_t)((control & foreign_fields_of(i)) != 0) << (FOREIGN_FIXED_SHIFT + i);
    return set;
}

/* Those whose control is set now. */
static uint64_t set_controls(void)
{
    uint64_t set = set_selects(), fields = set_fields();

    if (fields && !foreign() && !set)
        trace_features()->foreign_control = read_fixed_control();
    return (set | fields) & ~foreign();
}

/* One that never can is no sign of others; they may have come between, but not every time. */
static bool can_be_cleared(void)
{
    for (unsigned i = 0; i < CLEARED_TIMES; i++) {
        clear_controls();
        if (!set_controls())
            return true;
    }
    return false;
}

bool foreign_counters_look(void)
{
    uint64_t ticks = features_slot() ? LOOK_TICKS / LOOK_SHORTER : LOOK_TICKS;
    uint64_t start = insn_rdtsc(), set = 0;

    if (!can_be_cleared())
        return false;
    for (unsigned i = 0; i < LOOK_LEAST || insn_rdtsc() - start < ticks; i++)
        set |= set_controls();
    trace_features()->foreign |= set;
    return set;
}

/* Of the first of them. */
static void describe_control(char *text, size_t size)
{
    uint64_t found = trace_features()->foreign_control;
    unsigned first = (unsigned)__builtin_ctzll(foreign());

    if (first < FOREIGN_FIXED_SHIFT)
        format_append(text, size, " (IA32_PERFEVTSEL%u is cleared and becomes %lXH)", first, found);
    else
        format_append(text, size, " (IA32_FIXED_CTR_CTRL is cleared and becomes %lXH)", found);
}

char *foreign_counters_describe(char *text, size_t size)
{
    const char *between = "";

    text[0] = '\0';
    for (uint64_t left = foreign_counters(); left; left &= left - 1, between = ", ") {
        unsigned bit = (unsigned)__builtin_ctzll(left);

        format_append(text, size, "%s%s%u", between, bit < FOREIGN_FIXED_SHIFT ? "pmc" : "fixed",
                      bit % FOREIGN_FIXED_SHIFT);
    }
    if (foreign())
        describe_control(text, size);
    else
        format_append(text, size, " (microcode: TSX_FORCE_ABORT[0] cannot be set)");
    return text;
}
