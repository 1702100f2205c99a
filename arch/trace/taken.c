/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/taken.h"

#include "arch/cpu/force_abort.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"

#define LOOK_TICKS    40000000u /* of the TSC: some 10 to 20 ms */
#define LOOK_LEAST    1000u     /* looks, should the processor stand still for most of that time */
#define CLEARED_TIMES 3u

#define PMC3 (1ull << 3)

static uint64_t taken, found_select; /* what the select of the first of them became */

uint64_t taken_counters(void)
{
    return taken | (force_abort_refused() ? PMC3 : 0);
}

static void clear_selects(void)
{
    for (unsigned i = 0; i < pmu_general_count(); i++)
        if (!(taken >> i & 1))
            wrmsr_safe(IA32_PERFEVTSEL0 + i, 0);
}

/* Those of the selects that are set now. */
static uint64_t set_selects(void)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < pmu_general_count(); i++) {
        uint64_t select = 0;

        rdmsr_safe(IA32_PERFEVTSEL0 + i, &select);
        if (select && !taken && !set)
            found_select = select;
        set |= (uint64_t)(select != 0) << i;
    }
    return set & ~taken;
}

/* One that never can is no sign of others; they may have come between, but not every time. */
static bool can_be_cleared(void)
{
    for (unsigned i = 0; i < CLEARED_TIMES; i++) {
        clear_selects();
        if (!set_selects())
            return true;
    }
    return false;
}

bool taken_look(void)
{
    uint64_t start = insn_rdtsc(), set = 0;

    if (!can_be_cleared())
        return false;
    for (unsigned i = 0; i < LOOK_LEAST || insn_rdtsc() - start < LOOK_TICKS; i++)
        set |= set_selects();
    taken |= set;
    return set;
}

char *taken_describe(char *text, size_t size)
{
    const char *between = "";

    text[0] = '\0';
    for (uint64_t left = taken_counters(); left; left &= left - 1, between = ", ")
        format_append(text, size, "%spmc%u", between, (unsigned)__builtin_ctzll(left));
    if (taken)
        format_append(text, size, " (IA32_PERFEVTSEL%u is cleared and becomes %lXH)",
                      (unsigned)__builtin_ctzll(taken), found_select);
    else
        format_append(text, size, " (microcode: TSX_FORCE_ABORT[0] cannot be set)");
    return text;
}
