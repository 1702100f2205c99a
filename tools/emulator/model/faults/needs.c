// SPDX-License-Identifier: GPL-2.0-or-later
/* Which processors can show a fault. */
#include "../debug_store.h"

#include <string.h>

#include "../arch_lbr.h"
#include "../arch_lbr_info.h"
#include "../counter.h"
#include "../arch_pebs.h"
#include "../debugctl.h"
#include "../family.h"
#include "../lbr.h"
#include "../pebs.h"
#include "../perf_capabilities.h"

#define CONFIG_FIXED (1u << 5) /* records that hold fixed counters (F21.10) */

static bool can_set(const struct ds_profile *profile, uint64_t bits)
{
    return (debugctl_existing_bits(profile) & bits) == bits;
}

static bool has_ds(const struct ds_profile *profile)
{
    return profile->ds;
}

static bool has_bts(const struct ds_profile *profile)
{
    return can_set(profile, DEBUGCTL_BTS);
}

static bool has_dtes64(const struct ds_profile *profile)
{
    return profile->dtes64;
}

static bool has_ds_cpl(const struct ds_profile *profile)
{
    return has_bts(profile) && profile->ds_cpl;
}

static bool lacks_ds_cpl(const struct ds_profile *profile)
{
    return !profile->ds_cpl;
}

static bool has_lbr(const struct ds_profile *profile)
{
    return lbr_depth(profile) > 0;
}

static bool has_any_lbr(const struct ds_profile *profile)
{
    return lbr_depth_most(profile) > 0;
}

static bool has_lbr_select(const struct ds_profile *profile)
{
    return has_lbr(profile) && !profile->arch_lbr && family_of(profile)->lbr_select;
}

static bool lacks_arch_lbr(const struct ds_profile *profile)
{
    return !profile->arch_lbr;
}

static bool has_lbr_depth_16(const struct ds_profile *profile)
{
    return arch_lbr_exists(profile) && arch_lbr_has_depth(profile, 16);
}

static bool has_lbr_filters(const struct ds_profile *profile)
{
    uint32_t both = LBR_LEAF_EBX_RINGS | LBR_LEAF_EBX_KINDS;

    return arch_lbr_exists(profile) && (profile->lbr_leaf_ebx & both) == both;
}

static bool has_lbr_call_stack(const struct ds_profile *profile)
{
    return arch_lbr_exists(profile) && profile->lbr_leaf_ebx & LBR_LEAF_EBX_CALL_STACK;
}

static bool has_lbr_info(const struct ds_profile *profile)
{
    uint32_t all = LBR_LEAF_ECX_MISPRED | LBR_LEAF_ECX_TIMED | LBR_LEAF_ECX_TYPE;

    return arch_lbr_exists(profile) && (profile->lbr_leaf_ecx & all) == all;
}

static bool has_lbr_linear(const struct ds_profile *profile)
{
    return arch_lbr_exists(profile) && profile->lbr_leaf_eax & LBR_LEAF_EAX_LINEAR;
}

static bool has_lbr_events(const struct ds_profile *profile)
{
    return arch_lbr_exists(profile) && profile->lbr_leaf_ecx >> LBR_LEAF_ECX_EVENTS;
}

static bool has_counters(const struct ds_profile *profile)
{
    return profile->general_counters > 0;
}

static bool has_status(const struct ds_profile *profile)
{
    return profile->perfmon_version > 1;
}

static bool has_freeze(const struct ds_profile *profile)
{
    return can_set(profile, DEBUGCTL_FREEZE_LBRS_ON_PMI);
}

static bool is_legacy(const struct ds_profile *profile)
{
    return has_freeze(profile) && profile->perfmon_version < 4;
}

static bool is_streamlined(const struct ds_profile *profile)
{
    return has_freeze(profile) && profile->perfmon_version >= 4;
}

static bool has_smm_freeze(const struct ds_profile *profile)
{
    return can_set(profile, DEBUGCTL_FREEZE_WHILE_SMM);
}

static bool has_counters_5(const struct ds_profile *profile)
{
    return profile->general_counters > 4;
}

static bool has_counters_9(const struct ds_profile *profile)
{
    return counter_existing(profile) >> 8 & COUNTER_GENERAL >> 8;
}

/* Software does not see a fixed counter that neither leaf 0AH nor leaf 23H enumerates (F21.6). */
static bool is_told_of(const struct ds_profile *profile, unsigned number)
{
    uint32_t leaf_0a[4], leaf_23[4];

    ds_profile_leaf_0a(profile, leaf_0a);
    ds_profile_leaf_23(profile, 1, leaf_23);
    return (leaf_0a[3] & 31) > number || (leaf_0a[2] | leaf_23[1]) >> number & 1;
}

static bool has_fixed_3(const struct ds_profile *profile)
{
    return counter_existing(profile) >> (COUNTER_FIXED + 3) & 1 && is_told_of(profile, 3);
}

static bool has_fixed_4(const struct ds_profile *profile)
{
    return counter_existing(profile) >> (COUNTER_FIXED + 4);
}

static bool has_fixed_hole(const struct ds_profile *profile)
{
    uint64_t fixed = counter_existing(profile) >> COUNTER_FIXED;

    return fixed & (fixed + 1);
}

static bool has_perfmon_6(const struct ds_profile *profile)
{
    return profile->perfmon_version > 5;
}

static bool has_reload(const struct ds_profile *profile)
{
    return profile->reloadable;
}

static bool has_user_read(const struct ds_profile *profile)
{
    return profile->rdpmc_user_disable;
}

static bool has_unit_mask_2(const struct ds_profile *profile)
{
    return profile->unit_mask_2;
}

static bool has_metrics(const struct ds_profile *profile)
{
    return profile->metrics && is_told_of(profile, 3); /* they are parts of its slots */
}

static bool has_full_width(const struct ds_profile *profile)
{
    return has_counters(profile) && perf_capabilities_has(profile, PERF_CAPABILITIES_FULL_WIDTH);
}

/* Any may have a neighbour; see ds_fault_leave_to_last(). */
static bool can_be_alone(const struct ds_profile *profile)
{
    return profile->present;
}

static bool has_pebs_counters(const struct ds_profile *profile)
{
    uint64_t general = counter_existing(profile) & COUNTER_GENERAL;

    return pebs_exists(profile) && family_of(profile)->pebs_enable & general & ~1ull;
}

static bool is_precise_only(const struct ds_profile *profile)
{
    return !family_of(profile)->pebs_any_event;
}

static bool has_pebs_status(const struct ds_profile *profile)
{
    return pebs_exists(profile) && (pebs_format(profile) == 1 || pebs_format(profile) == 2);
}

static bool has_eventing_ip(const struct ds_profile *profile)
{
    return pebs_exists(profile) && pebs_format(profile) >= 2;
}

static bool has_fixed(const struct ds_profile *profile)
{
    return counter_existing(profile) >> (COUNTER_FIXED + 2) & 1;
}

static bool lacks_rtm(const struct ds_profile *profile)
{
    return !profile->rtm;
}

static bool has_pebs_adaptive(const struct ds_profile *profile)
{
    return pebs_exists(profile) && pebs_is_adaptive(profile);
}

static bool has_apebs_counters_9(const struct ds_profile *profile)
{
    return arch_pebs_exists(profile) && profile->arch_pebs_counters >> 8 & 1;
}

static bool has_pebs_fixed(const struct ds_profile *profile)
{
    return pebs_exists(profile) && profile->fixed_counters > 0 &&
           (pebs_is_adaptive(profile) || family_of(profile)->pebs_fixed);
}

static bool has_pebs_slots_8(const struct ds_profile *profile)
{
    return has_pebs_fixed(profile) && pebs_format(profile) < 5;
}

static bool has_pebs_slots_32(const struct ds_profile *profile)
{
    return has_pebs_adaptive(profile) && pebs_format(profile) >= 5;
}

static bool has_pebs_format_6(const struct ds_profile *profile)
{
    return has_pebs_adaptive(profile) && pebs_format(profile) >= 6;
}

/* With either kind of PEBS. */
static bool has_pebs_groups(const struct ds_profile *profile)
{
    return has_pebs_adaptive(profile) || arch_pebs_exists(profile);
}

static bool has_pebs_snapshot(const struct ds_profile *profile)
{
    bool by_counter = arch_pebs_exists(profile) && profile->arch_pebs_config & CONFIG_FIXED;

    return by_counter || has_pebs_format_6(profile);
}

static bool has_pebs_tsc(const struct ds_profile *profile)
{
    return arch_pebs_exists(profile) || (pebs_exists(profile) && pebs_format(profile) >= 3);
}

static bool has_pebs_timed(const struct ds_profile *profile)
{
    return pebs_is_timed(profile) && (has_pebs_adaptive(profile) || arch_pebs_exists(profile));
}

static bool has_pebs_untimed(const struct ds_profile *profile)
{
    return has_pebs_adaptive(profile) && !pebs_is_timed(profile);
}

static bool has_pebs_extended(const struct ds_profile *profile)
{
    return has_pebs_adaptive(profile) && has_counters_5(profile);
}

static const struct {
    const char *word;
    bool (*holds)(const struct ds_profile *profile);
} words[] = {
    {"ds", has_ds},
    {"bts", has_bts},
    {"dtes64", has_dtes64},
    {"ds-cpl", has_ds_cpl},
    {"no-ds-cpl", lacks_ds_cpl},
    {"pebs", pebs_exists},
    {"lbr", has_lbr},
    {"any-lbr", has_any_lbr},
    {"arch-lbr", arch_lbr_exists},
    {"no-arch-lbr", lacks_arch_lbr},
    {"xsaves-lbr", ds_has_xsaves},
    {"lbr-depth-16", has_lbr_depth_16},
    {"lbr-select", has_lbr_select},
    {"lbr-filters", has_lbr_filters},
    {"lbr-call-stack", has_lbr_call_stack},
    {"lbr-info", has_lbr_info},
    {"lbr-events", has_lbr_events},
    {"lbr-linear", has_lbr_linear},
    {"counters", has_counters},
    {"status", has_status},
    {"freeze", has_freeze},
    {"legacy", is_legacy},
    {"streamlined", is_streamlined},
    {"smm-freeze", has_smm_freeze},
    {"counters-5", has_counters_5},
    {"counters-9", has_counters_9},
    {"fixed-3", has_fixed_3},
    {"fixed-4", has_fixed_4},
    {"fixed-hole", has_fixed_hole},
    {"perfmon-6", has_perfmon_6},
    {"reload", has_reload},
    {"user-read", has_user_read},
    {"unit-mask-2", has_unit_mask_2},
    {"metrics", has_metrics},
    {"full-width", has_full_width},
    {"alone", can_be_alone},
    {"pebs-counters", has_pebs_counters},
    {"lbr-with-tr", lbr_with_tr},
    {"precise-only", is_precise_only},
    {"pebs-status", has_pebs_status},
    {"eventing-ip", has_eventing_ip},
    {"fixed", has_fixed},
    {"no-rtm", lacks_rtm},
    {"pebs-adaptive", has_pebs_adaptive},
    {"arch-pebs", arch_pebs_exists},
    {"apebs-counters-9", has_apebs_counters_9},
    {"pebs-fixed", has_pebs_fixed},
    {"pebs-slots-8", has_pebs_slots_8},
    {"pebs-slots-32", has_pebs_slots_32},
    {"pebs-format-6", has_pebs_format_6},
    {"pebs-groups", has_pebs_groups},
    {"pebs-snapshot", has_pebs_snapshot},
    {"pebs-tsc", has_pebs_tsc},
    {"pebs-timed", has_pebs_timed},
    {"pebs-untimed", has_pebs_untimed},
    {"pebs-extended", has_pebs_extended},
};

static bool word_holds(const char *word, size_t length, const struct ds_profile *profile)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0) {
            return words[i].holds(profile);
        }
    }
    return false;
}

bool ds_fault_applies(const struct ds_fault_info *info, const struct ds_profile *profile)
{
    const char *word = info->needs;

    while (*word) {
        size_t length = strcspn(word, " ");

        if (!word_holds(word, length, profile)) {
            return false;
        }
        word += length + strspn(word + length, " ");
    }
    return profile->present;
}
