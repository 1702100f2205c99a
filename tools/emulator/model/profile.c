// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a profile hang together, and what does CPUID leaf 0AH say of it? */
#include "debug_store.h"

#include <string.h>

#include "arch_lbr.h"
#include "arch_lbr_info.h"
#include "arch_pebs.h"
#include "counter.h"
#include "lbr.h"
#include "pebs.h"
#include "perf_capabilities.h"

/* Sub-leaves of leaf 23H, as its sub-leaf 0 enumerates them. */
#define SUBLEAF_RELOAD 0x4
#define SUBLEAVES_PEBS 0x30

/* What a hybrid core has that leaf 0AH, the same on all kinds of core, leaves out. */
#define HYBRID_GENERAL 2
#define HYBRID_FIXED   1

static const char *check_debug_store(const struct ds_profile *profile)
{
    if (!profile->ds && (profile->dtes64 || profile->ds_cpl)) {
        return "DTES64 and DS-CPL need DS";
    }
    if (!profile->pdcm && profile->perf_capabilities) {
        return "a value for IA32_PERF_CAPABILITIES needs PDCM";
    }
    if (profile->linear_width != 0 && profile->linear_width != 48 && profile->linear_width != 57) {
        return "the linear address width is 48 or 57 bits";
    }
    return NULL;
}

/* In 64-bit mode the stack holds 64-bit addresses (F4.16); format 0 has no room for them. */
static const char *check_lbr(const struct ds_profile *profile)
{
    uint64_t format = profile->perf_capabilities & PERF_CAPABILITIES_LBR_FORMAT;

    if (profile->pdcm && profile->dtes64 && lbr_depth(profile) > 0 && format == 0) {
        return "LBR format 0 holds 32-bit addresses: not beside DTES64";
    }
    if (!profile->arch_lbr &&
        (profile->lbr_leaf_eax || profile->lbr_leaf_ebx || profile->lbr_leaf_ecx)) {
        return "leaf 1CH needs architectural LBRs";
    }
    if (profile->xsaves_lbr && !arch_lbr_exists(profile)) {
        return "XSAVES of component 15 needs architectural LBRs";
    }
    if (profile->lbr_leaf_eax & LBR_LEAF_EAX_DEPTHS & ~0xfu) {
        return "an architectural LBR stack has at most 32 entries";
    }
    return NULL;
}

/* It comes with sub-leaves 4 and 5 of leaf 23H, and without the DS area's (F22.3, F22.38). */
static const char *check_arch_pebs(const struct ds_profile *profile)
{
    bool exists = arch_pebs_exists(profile);

    if (exists != !!profile->arch_pebs_counters) {
        return "PEBS record format FH and counters of architectural PEBS go together";
    }
    if (exists != ((profile->leaf_23 & SUBLEAVES_PEBS) == SUBLEAVES_PEBS)) {
        return "architectural PEBS and sub-leaves 4 and 5 of leaf 23H go together";
    }
    if (exists && !profile->pebs_unavailable) {
        return "architectural PEBS comes without PEBS in the DS area";
    }
    if (profile->arch_pebs_config & ~ARCH_PEBS_CONFIG_KNOWN) {
        return "CFG_C of architectural PEBS has bits that are not modelled";
    }
    if ((profile->arch_pebs_counters | (exists ? profile->pdist : 0)) &
        ~counter_existing(profile)) {
        return "a counter of architectural PEBS does not exist";
    }
    return NULL;
}

static const char *check_pebs(const struct ds_profile *profile)
{
    bool baseline = perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_BASELINE);
    unsigned format = pebs_format(profile);

    if (!pebs_exists(profile)) {
        return NULL;
    }
    if (format > 0 && !perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_TRAP)) {
        return "fault-like PEBS records (IA32_PERF_CAPABILITIES bit 6 clear) are of format 0";
    }
    if (format > 6) {
        return "the PEBS record format is at most 6";
    }
    if (profile->pdist & ~counter_existing(profile)) {
        return "a counter of the PDist mask does not exist";
    }
    if (perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_TIMED) &&
        !pebs_is_adaptive(profile)) {
        return "PEBS timing (IA32_PERF_CAPABILITIES bit 17) needs record format 4 or later";
    }
    if (baseline && !pebs_is_adaptive(profile)) {
        return "PEBS baseline (IA32_PERF_CAPABILITIES bit 14) needs record format 4 or later";
    }
    return NULL;
}

/* Leaf 0AH of a hybrid may tell of fewer than this core has (F21.6). */
static int leaf_0a_general(const struct ds_profile *profile)
{
    int left_out = profile->hybrid ? HYBRID_GENERAL : 0;

    return profile->leaf_0a_general ? profile->leaf_0a_general
                                    : profile->general_counters - left_out;
}

static int leaf_0a_fixed(const struct ds_profile *profile)
{
    int left_out = profile->hybrid ? HYBRID_FIXED : 0;

    return profile->leaf_0a_fixed ? profile->leaf_0a_fixed : profile->fixed_counters - left_out;
}

static bool has(const struct ds_profile *profile, unsigned number)
{
    return counter_existing(profile) >> number & 1;
}

static bool mask_is_wrong(uint64_t mask, unsigned count)
{
    return mask && (unsigned)__builtin_popcountll(mask) != count;
}

/* Features of versions 5 and 6. */
static const char *check_newer_counters(const struct ds_profile *profile)
{
    uint64_t named = profile->reloadable | profile->reload_causes;

    if (mask_is_wrong(profile->general_mask, profile->general_counters) ||
        mask_is_wrong(profile->fixed_mask, profile->fixed_counters)) {
        return "the bitmap of counters has as many bits as there are counters";
    }
    if (profile->leaf_23 && !(profile->leaf_23 & 1)) {
        return "leaf 23H has sub-leaf 0";
    }
    if (named & ~counter_existing(profile) || (named && !(profile->leaf_23 & SUBLEAF_RELOAD))) {
        return "counters that are reloaded exist, and sub-leaf 2 of leaf 23H tells of them";
    }
    if (profile->metrics &&
        ((profile->metrics != 4 && profile->metrics != 8) || !has(profile, COUNTER_FIXED + 3))) {
        return "there are 4 or 8 metrics, beside fixed counter 3";
    }
    return NULL;
}

static const char *check_counters(const struct ds_profile *profile)
{
    if (profile->perfmon_version == 0) {
        if (profile->general_counters || profile->fixed_counters) {
            return "counters need a performance-monitoring version";
        }
        return NULL;
    }
    if (profile->perfmon_version > 6) {
        return "the performance-monitoring version is at most 6";
    }
    if (profile->general_counters == 0 || profile->general_counters > DS_GENERAL_COUNTERS_MAX) {
        return "there are 1 to 10 general-purpose counters";
    }
    if (profile->general_width < 32 || profile->general_width > 63) {
        return "a general-purpose counter has 32 to 63 bits";
    }
    if (profile->uncore_391 && profile->perfmon_version > 3) {
        return "MSR 391H is IA32_PERF_GLOBAL_STATUS_SET from version 4 on";
    }
    if (profile->register_c7 && profile->general_counters > 6) {
        return "MSR C7H is IA32_PMC6 where there are seven counters";
    }
    if (profile->event_count > 32) {
        return "leaf 0AH enumerates at most 32 events";
    }
    if (profile->hybrid && (leaf_0a_general(profile) <= 0 || leaf_0a_fixed(profile) <= 0)) {
        return "a hybrid core has counters beside those that leaf 0AH leaves out";
    }
    if (profile->fixed_counters > DS_FIXED_COUNTERS_MAX) {
        return "there are at most 7 fixed counters";
    }
    if (profile->fixed_counters && profile->perfmon_version < 2) {
        return "fixed counters need performance-monitoring version 2";
    }
    if (profile->fixed_counters && (profile->fixed_width < 32 || profile->fixed_width > 63)) {
        return "a fixed counter has 32 to 63 bits";
    }
    return NULL;
}

const char *ds_profile_check(const struct ds_profile *profile)
{
    if (!profile->present) {
        return NULL;
    }
    const char *wrong = check_debug_store(profile);

    wrong = wrong ? wrong : check_counters(profile);
    wrong = wrong ? wrong : check_lbr(profile);
    wrong = wrong ? wrong : check_newer_counters(profile);
    wrong = wrong ? wrong : check_arch_pebs(profile);
    return wrong ? wrong : check_pebs(profile);
}

void ds_profile_leaf_0a(const struct ds_profile *profile, uint32_t regs[4])
{
    memset(regs, 0, 4 * sizeof(regs[0]));
    if (!profile->present || profile->perfmon_version == 0) {
        return;
    }
    uint32_t general = (uint32_t)leaf_0a_general(profile);
    uint32_t fixed = (uint32_t)leaf_0a_fixed(profile);

    regs[0] = profile->perfmon_version | general << 8 | (uint32_t)profile->general_width << 16 |
              (uint32_t)profile->event_count << 24;
    regs[1] = (profile->events_missing | counter_missing_events(profile)) &
              ((1ull << profile->event_count) - 1);
    if (profile->perfmon_version > 1) {
        regs[3] = fixed | (uint32_t)profile->fixed_width << 5;
    }
    if (profile->perfmon_version > 4) {
        regs[2] = (1u << fixed) - 1; /* bitmap of fixed counters (F1.11) */
    }
    if (!counter_any_thread(profile) && profile->perfmon_version > 3) {
        regs[3] |= 1u << 15; /* AnyThread is gone (F1.10) */
    }
    regs[3] ^= profile->leaf_0a_edx_wrong;
}

void ds_profile_leaf_1c(const struct ds_profile *profile, uint32_t regs[4])
{
    memset(regs, 0, 4 * sizeof(regs[0]));
    if (profile->present && profile->arch_lbr) {
        regs[0] = profile->lbr_leaf_eax;
        regs[1] = profile->lbr_leaf_ebx;
        regs[2] = profile->lbr_leaf_ecx;
    }
}

static void leaf_23_main(const struct ds_profile *profile, uint32_t regs[4])
{
    regs[0] = profile->leaf_23;
    regs[1] = profile->unit_mask_2 | profile->equal_bit << 1 | profile->rdpmc_user_disable << 2;
    regs[2] = profile->slots_per_cycle;
}

static void split(uint64_t counters, uint32_t *general, uint32_t *fixed)
{
    *general = (uint32_t)counters;
    *fixed = counters >> COUNTER_FIXED;
}

void ds_profile_leaf_23(const struct ds_profile *profile, uint32_t subleaf, uint32_t regs[4])
{
    memset(regs, 0, 4 * sizeof(regs[0]));
    if (!profile->present || subleaf > 31 || !(profile->leaf_23 >> subleaf & 1)) {
        return;
    }
    switch (subleaf) {
    case 0:
        leaf_23_main(profile, regs);
        break;
    case 1:
        split(counter_existing(profile), &regs[0], &regs[1]);
        break;
    case 2:
        split(profile->reloadable, &regs[0], &regs[1]);
        split(profile->reload_causes, &regs[2], &regs[3]);
        break;
    case 4:
        regs[1] = profile->arch_pebs_config;
        break;
    case 5:
        split(profile->arch_pebs_counters, &regs[0], &regs[2]);
        split(profile->arch_pebs_counters & profile->pdist, &regs[1], &regs[3]);
        break;
    default:
        regs[0] = ~counter_missing_events(profile);
    }
}
