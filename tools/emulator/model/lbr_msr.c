// SPDX-License-Identifier: GPL-2.0-or-later
/* RDMSR and WRMSR of the model's LBR stack: FROM, TO, INFO, TOS and SELECT (F8.1, F8.4). */
#include "lbr.h"

#include "family.h"
#include "lbr_format.h"
#include "linear.h"

#define MSR_LASTBRANCH_TOS 0x1c9
#define MSR_LBR_INFO_0     0xdc0

/* Where some family has its stack; what this one lacks of it faults. */
#define LOW_FROM  0x40
#define LOW_TO    0x60
#define LOW_ROW   8
#define HIGH_FROM 0x680
#define HIGH_TO   0x6c0

#define INFO_BITS (0xffffull | 7ull << 61)

static bool in_row(uint32_t msr, uint32_t first, unsigned count)
{
    return msr >= first && msr - first < count;
}

static bool is_mine(uint32_t msr)
{
    return msr == MSR_LBR_SELECT || msr == MSR_LASTBRANCH_TOS || in_row(msr, LOW_FROM, LOW_ROW) ||
           in_row(msr, LOW_TO, LOW_ROW) || in_row(msr, HIGH_FROM, DS_LBR_DEPTH_MAX) ||
           in_row(msr, HIGH_TO, DS_LBR_DEPTH_MAX) || in_row(msr, MSR_LBR_INFO_0, DS_LBR_DEPTH_MAX);
}

/* All bits from the top of the address up to the flags are equal (F8.5). */
static bool is_canonical(const struct ds_cpu *cpu, uint64_t value, unsigned flags)
{
    uint64_t extended = (uint64_t)((int64_t)(value << flags) >> flags);

    return linear_is_canonical(&cpu->profile, extended);
}

/* The state behind an MSR, or NULL; *accepts: whether value could be written to it. */
static uint64_t *locate(struct ds_cpu *cpu, uint32_t msr, uint64_t value, bool *accepts)
{
    const struct family *family = family_of(&cpu->profile);
    unsigned depth = lbr_depth(&cpu->profile);

    if (depth == 0) {
        return NULL;
    }
    if (msr == MSR_LBR_SELECT && family->lbr_select) {
        *accepts = !(value & ~family->lbr_select);
        return &cpu->lbr_select;
    }
    if (msr == MSR_LASTBRANCH_TOS) {
        *accepts = value < depth;
        return &cpu->lbr_top;
    }
    if (in_row(msr, family->lbr_from, depth)) {
        *accepts = is_canonical(cpu, value, lbr_format_from_flags(cpu));
        return &cpu->lbr_from[msr - family->lbr_from];
    }
    if (in_row(msr, family->lbr_to, depth)) {
        *accepts = is_canonical(cpu, value, lbr_format_to_flags(cpu));
        return &cpu->lbr_to[msr - family->lbr_to];
    }
    if (in_row(msr, MSR_LBR_INFO_0, depth) && lbr_format_has_info(cpu)) {
        *accepts = !(value & ~INFO_BITS);
        return &cpu->lbr_info[msr - MSR_LBR_INFO_0];
    }
    return NULL;
}

enum ds_msr_result lbr_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    bool accepts;

    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    const uint64_t *place = locate(cpu, msr, 0, &accepts);
    if (!place) {
        return DS_MSR_FAULT;
    }
    *value = *place;
    return DS_MSR_DONE;
}

enum ds_msr_result lbr_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    bool accepts = false;

    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    uint64_t *place = locate(cpu, msr, value, &accepts);
    if (!place || !accepts || (cpu->variation.lbr_read_only && msr != MSR_LBR_SELECT)) {
        return DS_MSR_FAULT;
    }
    *place = value;
    return DS_MSR_DONE;
}
