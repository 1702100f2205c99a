// SPDX-License-Identifier: GPL-2.0-or-later
#include "counter_register.h"

#include "counter.h"

#define MSR_PERF_METRICS              0x329
#define IA32_PMC0                     0x0c1
#define IA32_PERFEVTSEL0              0x186
#define IA32_FIXED_CTR0               0x309
#define IA32_FIXED_CTR_CTRL           0x38d
#define IA32_PERF_GLOBAL_STATUS       0x38e
#define IA32_PERF_GLOBAL_CTRL         0x38f
#define IA32_PERF_GLOBAL_STATUS_RESET 0x390 /* IA32_PERF_GLOBAL_OVF_CTRL before version 4 */
#define IA32_PERF_GLOBAL_STATUS_SET   0x391
#define IA32_PERF_GLOBAL_INUSE        0x392
#define IA32_A_PMC0                   0x4c1

/* Version 6 and later: each counter has a block of its own (F21.13). */
#define IA32_PMC_GP0_CTR 0x1900
#define IA32_PMC_FX0_CTR 0x1980
#define BLOCK            4  /* registers: value, select, CFG_B, CFG_C */
#define GENERAL_BLOCKS   32 /* places for so many */
#define FIXED_BLOCKS     16

static bool in_row(uint32_t msr, uint32_t first, unsigned count)
{
    return msr >= first && msr - first < count;
}

/* A fixed counter has no select: what it counts is its number (F21.13). */
static struct place locate_in_blocks(uint32_t msr)
{
    static const enum kind general[BLOCK] = {FULL_WIDTH, SELECT, CONFIG_B, CONFIG_C};
    static const enum kind fixed[BLOCK] = {FIXED, NOTHING, CONFIG_B, CONFIG_C};

    if (in_row(msr, IA32_PMC_GP0_CTR, GENERAL_BLOCKS * BLOCK)) {
        uint32_t place = msr - IA32_PMC_GP0_CTR;
        return (struct place){general[place % BLOCK], place / BLOCK, true};
    }
    if (in_row(msr, IA32_PMC_FX0_CTR, FIXED_BLOCKS * BLOCK)) {
        uint32_t place = msr - IA32_PMC_FX0_CTR;
        return (struct place){fixed[place % BLOCK], COUNTER_FIXED + place / BLOCK, true};
    }
    return (struct place){NONE, 0, false};
}

struct place counter_register(uint32_t msr)
{
    if (in_row(msr, IA32_PMC0, DS_GENERAL_COUNTERS_MAX)) {
        return (struct place){VALUE, msr - IA32_PMC0, false};
    }
    if (in_row(msr, IA32_A_PMC0, DS_GENERAL_COUNTERS_MAX)) {
        return (struct place){FULL_WIDTH, msr - IA32_A_PMC0, false};
    }
    if (in_row(msr, IA32_PERFEVTSEL0, DS_GENERAL_COUNTERS_MAX)) {
        return (struct place){SELECT, msr - IA32_PERFEVTSEL0, false};
    }
    if (in_row(msr, IA32_FIXED_CTR0, DS_FIXED_COUNTERS_MAX)) {
        return (struct place){FIXED, COUNTER_FIXED + msr - IA32_FIXED_CTR0, false};
    }
    switch (msr) {
    case MSR_PERF_METRICS:
        return (struct place){.kind = METRICS};
    case IA32_FIXED_CTR_CTRL:
        return (struct place){.kind = FIXED_CONTROL};
    case IA32_PERF_GLOBAL_STATUS:
        return (struct place){.kind = STATUS};
    case IA32_PERF_GLOBAL_CTRL:
        return (struct place){.kind = CONTROL};
    case IA32_PERF_GLOBAL_STATUS_RESET:
        return (struct place){.kind = RESET};
    case IA32_PERF_GLOBAL_STATUS_SET:
        return (struct place){.kind = SET};
    case IA32_PERF_GLOBAL_INUSE:
        return (struct place){.kind = INUSE};
    default:
        return locate_in_blocks(msr);
    }
}
