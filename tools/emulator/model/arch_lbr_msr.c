// SPDX-License-Identifier: GPL-2.0-or-later
/* RDMSR and WRMSR of the architectural stack; which depths and bits there are (F20.9-F20.17). */
#include "arch_lbr.h"
#include "arch_lbr_info.h"
#include "linear.h"
#include "not_lent.h"

#define IA32_LBR_CTL       0x14ce
#define IA32_LBR_DEPTH     0x14cf
#define IA32_LBR_0_INFO    0x1200
#define IA32_LBR_0_FROM_IP 0x1500
#define IA32_LBR_0_TO_IP   0x1600

#define XSS_LBR    (1ull << 15)
#define ENTRIES    64 /* of the deepest stack that leaf 1CH could tell of */
#define DEPTH_STEP 8  /* bit n of leaf 1CH:EAX: 8 (n + 1) entries (F20.2) */

bool arch_lbr_exists(const struct ds_profile *profile)
{
    return profile->arch_lbr && profile->lbr_leaf_eax & LBR_LEAF_EAX_DEPTHS;
}

bool arch_lbr_has_depth(const struct ds_profile *profile, uint64_t depth)
{
    return depth % DEPTH_STEP == 0 && depth >= DEPTH_STEP && depth <= DS_LBR_DEPTH_MAX &&
           profile->lbr_leaf_eax >> (depth / DEPTH_STEP - 1) & 1;
}

unsigned arch_lbr_depth_most(const struct ds_profile *profile)
{
    unsigned depth = arch_lbr_exists(profile) ? DS_LBR_DEPTH_MAX : 0;

    while (depth && !arch_lbr_has_depth(profile, depth)) {
        depth -= DEPTH_STEP;
    }
    return depth;
}

/* Whether bits without their capability in leaf 1CH:EBX fault is open (F20.16). */
uint64_t arch_lbr_control_bits(const struct ds_cpu *cpu)
{
    uint32_t told = cpu->variation.lbr_ctl_all_bits ? UINT32_MAX : cpu->profile.lbr_leaf_ebx;

    return LBR_CTL_LBREN | (told & LBR_LEAF_EBX_RINGS ? LBR_CTL_OS | LBR_CTL_USR : 0) |
           (told & LBR_LEAF_EBX_KINDS ? LBR_CTL_KINDS : 0) |
           (told & LBR_LEAF_EBX_CALL_STACK ? LBR_CTL_CALL_STACK : 0);
}

bool arch_lbr_write_control(struct ds_cpu *cpu, uint64_t value)
{
    uint64_t accepted = arch_lbr_control_bits(cpu);

    if (value & ~accepted) {
        return false;
    }
    if (!(cpu->lbr_control & LBR_CTL_LBREN)) {
        arch_lbr_info_forget(cpu);
    }
    cpu->lbr_control = value;
    return true;
}

/* Also the value that it already has clears all entries (F20.17). */
bool arch_lbr_write_depth(struct ds_cpu *cpu, uint64_t value)
{
    if (!arch_lbr_has_depth(&cpu->profile, value)) {
        return false;
    }
    cpu->lbr_depth = value;
    arch_lbr_clear(cpu);
    return true;
}

static bool in_row(uint32_t msr, uint32_t first, uint64_t count)
{
    return msr >= first && msr - first < count;
}

static bool is_mine(uint32_t msr)
{
    return msr == IA32_LBR_CTL || msr == IA32_LBR_DEPTH || in_row(msr, IA32_LBR_0_INFO, ENTRIES) ||
           in_row(msr, IA32_LBR_0_FROM_IP, ENTRIES) || in_row(msr, IA32_LBR_0_TO_IP, ENTRIES);
}

/* The entry's register behind an MSR; NULL at the present depth and above (F20.11). */
static uint64_t *locate(struct ds_cpu *cpu, uint32_t msr)
{
    uint64_t depth = cpu->lbr_depth;

    if (in_row(msr, IA32_LBR_0_FROM_IP, depth)) {
        return &cpu->lbr_from[msr - IA32_LBR_0_FROM_IP];
    }
    if (in_row(msr, IA32_LBR_0_TO_IP, depth)) {
        return &cpu->lbr_to[msr - IA32_LBR_0_TO_IP];
    }
    if (in_row(msr, IA32_LBR_0_INFO, depth)) {
        return &cpu->lbr_info[msr - IA32_LBR_0_INFO];
    }
    return NULL;
}

static bool write_entry(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    uint64_t *place = locate(cpu, msr);
    bool is_info = in_row(msr, IA32_LBR_0_INFO, DS_LBR_DEPTH_MAX);

    if (!place || (!is_info && !linear_is_canonical(&cpu->profile, value))) {
        return false;
    }
    *place = value;
    return true;
}

/* Only one of its bits exists (F20.36). */
static enum ds_msr_result write_xss(struct ds_cpu *cpu, uint64_t value)
{
    if (!ds_has_xsaves(&cpu->profile)) {
        return DS_MSR_NOT_MINE;
    }
    if (!not_lent_take_out(cpu, DS_FACILITY_LBR, XSS_LBR, &value) || value & ~XSS_LBR) {
        return DS_MSR_FAULT;
    }
    cpu->xss = value;
    return DS_MSR_DONE;
}

enum ds_msr_result arch_lbr_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    if (msr == IA32_XSS && ds_has_xsaves(&cpu->profile)) {
        *value = cpu->xss;
        return DS_MSR_DONE;
    }
    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    const uint64_t *place = msr == IA32_LBR_CTL     ? &cpu->lbr_control
                            : msr == IA32_LBR_DEPTH ? &cpu->lbr_depth
                                                    : locate((struct ds_cpu *)cpu, msr);

    if (!place || !arch_lbr_exists(&cpu->profile)) {
        return DS_MSR_FAULT;
    }
    *value = *place;
    return DS_MSR_DONE;
}

enum ds_msr_result arch_lbr_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    bool accepted = false;

    if (msr == IA32_XSS) {
        return write_xss(cpu, value);
    }
    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    if (arch_lbr_exists(&cpu->profile)) {
        accepted = msr == IA32_LBR_CTL     ? arch_lbr_write_control(cpu, value)
                   : msr == IA32_LBR_DEPTH ? arch_lbr_write_depth(cpu, value)
                                           : write_entry(cpu, msr, value);
    }
    return accepted ? DS_MSR_DONE : DS_MSR_FAULT;
}
