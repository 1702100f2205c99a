// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch_lbr_info.h"

#include "arch_lbr.h"
#include "counter.h"

#define MISPRED         (1ull << 63)
#define IN_TSX          (1ull << 62)
#define TSX_ABORT       (1ull << 61)
#define CYC_CNT_VALID   (1ull << 60)
#define CYC_CNT_MOST    0xffffull
#define BR_TYPE_SHIFT   56
#define EVENTS_SHIFT    32
#define EVENTS          (0xffull << EVENTS_SHIFT)
#define EVENTS_MOST     3
#define LOGGED_COUNTERS 4

/* What means nothing: of INFO on any processor (F20.21), of IA32_LER_INFO (F20.34). */
#define UNDEFINED     0x00ffff00ffff0000ull
#define LER_UNDEFINED 0x10ffffffffffffffull

#define MIXER 0x9e3779b97f4a7c15ull /* odd, and half of its bits are set */

/* BR_TYPE (F20.22). For kinds without one it is any value from 8 up. */
static const uint8_t types[] = {
    [DS_BRANCH_CONDITIONAL] = 0,   [DS_BRANCH_JMP_INDIRECT] = 1,  [DS_BRANCH_JMP_RELATIVE] = 2,
    [DS_BRANCH_CALL_INDIRECT] = 3, [DS_BRANCH_CALL_RELATIVE] = 4, [DS_BRANCH_RET] = 5,
};

static const uint8_t other_types[] = {8, 15}; /* by variation */

static uint64_t branch_type(const struct ds_cpu *cpu, enum ds_branch_kind kind)
{
    return kind < DS_BRANCH_FAR ? types[kind] : other_types[cpu->variation.lbr_other_type];
}

static uint64_t time_now(const struct ds_host *host)
{
    return host->tsc ? host->tsc(host->opaque) : 0;
}

/* The first entry has no predecessor and need not have the bit (F20.23). */
static uint64_t cycles(const struct ds_cpu *cpu, const struct ds_host *host)
{
    uint64_t count = cpu->lbr_timed ? time_now(host) - cpu->lbr_tsc : 0;
    bool valid = cpu->lbr_timed || cpu->variation.first_cycles_valid;

    count = count < CYC_CNT_MOST ? count : CYC_CNT_MOST;
    return valid ? CYC_CNT_VALID | count : 0;
}

static uint64_t events(const struct ds_cpu *cpu)
{
    uint64_t counts = 0;

    for (unsigned i = 0; i < LOGGED_COUNTERS; i++) {
        counts |= (uint64_t)cpu->lbr_events[i] << (EVENTS_SHIFT + 2 * i);
    }
    return counts;
}

static bool logs_events(const struct ds_cpu *cpu)
{
    uint64_t selected = 0;

    for (unsigned i = 0; i < LOGGED_COUNTERS; i++) {
        selected |= cpu->general_select[i];
    }
    return selected & PERFEVTSEL_LOG;
}

/* Flags of TSX mean nothing without it (F20.25), counts of events where none is logged (F20.21). */
static uint64_t undefined(const struct ds_cpu *cpu)
{
    return UNDEFINED | (cpu->profile.rtm ? 0 : IN_TSX | TSX_ABORT) |
           (logs_events(cpu) ? 0 : EVENTS);
}

/* The undefined bits; values that change depend only on time and position. */
static uint64_t filling(const struct ds_cpu *cpu, const struct ds_host *host,
                        const struct ds_branch *branch)
{
    switch (cpu->variation.lbr_undefined) {
    case DS_UNDEFINED_ONES:
        return ~0ull;
    case DS_UNDEFINED_CHANGES:
        return (time_now(host) + branch->from) * MIXER;
    default:
        return 0;
    }
}

uint64_t arch_lbr_info(const struct ds_cpu *cpu, const struct ds_host *host,
                       const struct ds_branch *branch, bool mispredicted)
{
    uint32_t told = cpu->profile.lbr_leaf_ecx;
    uint64_t type = told & LBR_LEAF_ECX_TYPE ? branch_type(cpu, branch->kind) : 0;
    uint64_t timed = told & LBR_LEAF_ECX_TIMED ? cycles(cpu, host) : 0;
    uint64_t flag = told & LBR_LEAF_ECX_MISPRED && mispredicted ? MISPRED : 0;

    return flag | type << BR_TYPE_SHIFT | timed | events(cpu) |
           (undefined(cpu) & filling(cpu, host, branch));
}

uint64_t arch_lbr_ler_info(const struct ds_cpu *cpu, const struct ds_host *host,
                           const struct ds_branch *branch, uint64_t info)
{
    if (cpu->variation.lbr_undefined == DS_UNDEFINED_ZERO) {
        return info;
    }
    return (info & ~LER_UNDEFINED) | (filling(cpu, host, branch) & LER_UNDEFINED);
}

void arch_lbr_info_recorded(struct ds_cpu *cpu, const struct ds_host *host)
{
    cpu->lbr_tsc = time_now(host);
    cpu->lbr_timed = true;
    for (unsigned i = 0; i < LOGGED_COUNTERS; i++) {
        cpu->lbr_events[i] = 0;
    }
}

void arch_lbr_info_forget(struct ds_cpu *cpu)
{
    cpu->lbr_timed = false;
    for (unsigned i = 0; i < LOGGED_COUNTERS; i++) {
        cpu->lbr_events[i] = 0;
    }
}

bool arch_lbr_logs_events(const struct ds_profile *profile, unsigned counter)
{
    return arch_lbr_exists(profile) && counter < LOGGED_COUNTERS &&
           profile->lbr_leaf_ecx >> (LBR_LEAF_ECX_EVENTS + counter) & 1;
}

void arch_lbr_info_events(struct ds_cpu *cpu, uint64_t counters)
{
    for (unsigned i = 0; i < LOGGED_COUNTERS; i++) {
        bool logs = counters >> i & 1 && cpu->general_select[i] & PERFEVTSEL_LOG;

        if (logs && cpu->lbr_events[i] < EVENTS_MOST) {
            cpu->lbr_events[i]++;
        }
    }
}
