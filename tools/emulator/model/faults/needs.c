// SPDX-License-Identifier: GPL-2.0-or-later
/* Which processors can show a fault. */
#include "../debug_store.h"

#include <string.h>

#include "../arch_lbr.h"
#include "../arch_lbr_info.h"
#include "../arch_pebs.h"
#include "../counter.h"
#include "../debugctl.h"
#include "../family.h"
#include "../lbr.h"
#include "../pebs.h"
#include "../perf_capabilities.h"

#define CONFIG_FIXED (1u << 5) /* records that hold fixed counters (F21.10) */

#define LBR_INFO (LBR_LEAF_ECX_MISPRED | LBR_LEAF_ECX_TIMED | LBR_LEAF_ECX_TYPE)

/* Software does not see a fixed counter that neither leaf 0AH nor leaf 23H enumerates (F21.6). */
static bool is_told_of(const struct ds_profile *p, unsigned number)
{
    uint32_t leaf_0a[4], leaf_23[4];

    ds_profile_leaf_0a(p, leaf_0a);
    ds_profile_leaf_23(p, 1, leaf_23);
    return (leaf_0a[3] & 31) > number || (leaf_0a[2] | leaf_23[1]) >> number & 1;
}

static bool has_all(uint32_t bits, uint32_t wanted)
{
    return (bits & wanted) == wanted;
}

/* The words of ds_fault_info.needs, and whether they hold for a processor. */
static bool word_holds(const char *word, size_t length, const struct ds_profile *p)
{
    const struct family *family = family_of(p);
    uint64_t debugctl = debugctl_existing_bits(p), counters = counter_existing(p);
    uint64_t general = counters & COUNTER_GENERAL, fixed = counters >> COUNTER_FIXED;
    bool bts = debugctl & DEBUGCTL_BTS, freeze = debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI;
    bool arch_lbr = arch_lbr_exists(p), arch_pebs = arch_pebs_exists(p), pebs = pebs_exists(p);
    bool adaptive = pebs && pebs_is_adaptive(p), timed = pebs_is_timed(p);
    bool pebs_fixed = pebs && p->fixed_counters > 0 && (adaptive || family->pebs_fixed);
    unsigned format = pebs_format(p);
    const struct {
        const char *word;
        bool holds;
    } words[] = {
        {"alone", true}, /* only the last of the machine's processors has the fault */
        {"ds", p->ds},
        {"dtes64", p->dtes64}, /* 64-bit layouts in every mode */
        {"bts", bts},
        {"ds-cpl", bts && p->ds_cpl},
        {"no-ds-cpl", !p->ds_cpl},
        {"freeze", freeze}, /* IA32_DEBUGCTL bits 11 and 12: PDCM and version 2 or later */
        {"legacy", freeze && p->perfmon_version < 4},
        {"streamlined", freeze && p->perfmon_version >= 4},
        {"smm-freeze", debugctl & DEBUGCTL_FREEZE_WHILE_SMM},
        {"no-rtm", !p->rtm},
        /* Last branches: of the model, architectural, either. */
        {"lbr", lbr_depth(p) > 0},
        {"arch-lbr", arch_lbr},
        {"any-lbr", lbr_depth_most(p) > 0},
        {"no-arch-lbr", !p->arch_lbr},
        {"lbr-select", lbr_depth(p) > 0 && !p->arch_lbr && family->lbr_select},
        {"lbr-with-tr", lbr_with_tr(p)}, /* the stack is defined while TR is set */
        {"lbr-depth-16", arch_lbr && arch_lbr_has_depth(p, 16)},
        {"lbr-filters",
         arch_lbr && has_all(p->lbr_leaf_ebx, LBR_LEAF_EBX_RINGS | LBR_LEAF_EBX_KINDS)},
        {"lbr-call-stack", arch_lbr && p->lbr_leaf_ebx & LBR_LEAF_EBX_CALL_STACK},
        {"lbr-info", arch_lbr && has_all(p->lbr_leaf_ecx, LBR_INFO)},
        {"lbr-events", arch_lbr && p->lbr_leaf_ecx >> LBR_LEAF_ECX_EVENTS},
        {"lbr-linear", arch_lbr && p->lbr_leaf_eax & LBR_LEAF_EAX_LINEAR},
        {"xsaves-lbr", ds_has_xsaves(p)}, /* component 15 */
        /* Counters. */
        {"counters", p->general_counters > 0},
        {"status", p->perfmon_version > 1}, /* IA32_PERF_GLOBAL_STATUS */
        {"perfmon-6", p->perfmon_version > 5},
        {"counters-5", p->general_counters > 4},
        {"counters-9", general >> 8},
        {"fixed", fixed >> 2 & 1}, /* IA32_FIXED_CTR2 */
        {"fixed-3", fixed >> 3 & 1 && is_told_of(p, 3)},
        {"fixed-4", fixed >> 4},
        {"fixed-hole", fixed & (fixed + 1)}, /* one is missing between two */
        {"reload", p->reloadable},
        {"unit-mask-2", p->unit_mask_2},
        {"metrics", p->metrics && is_told_of(p, 3)}, /* parts of its slots */
        {"full-width",
         p->general_counters && perf_capabilities_has(p, PERF_CAPABILITIES_FULL_WIDTH)},
        {"user-read", p->rdpmc_user_disable}, /* can be kept from RDPMC in ring 3 */
        /* PEBS. */
        {"pebs", pebs},
        {"pebs-counters", pebs && family->pebs_enable & general & ~1ull}, /* more than PMC0 */
        {"precise-only", !family->pebs_any_event},
        {"pebs-status", pebs && (format == 1 || format == 2)},
        {"eventing-ip", pebs && format >= 2},
        {"pebs-fixed", pebs_fixed},
        {"pebs-slots-8", pebs_fixed && format < 5}, /* reset values of so many general ones */
        {"pebs-slots-32", adaptive && format >= 5},
        {"pebs-adaptive", adaptive}, /* groups that software selects */
        {"pebs-extended", adaptive && p->general_counters > 4},
        {"pebs-untimed", adaptive && !timed},
        {"pebs-format-6", adaptive && format >= 6}, /* values of counters in records */
        /* Either kind of PEBS. */
        {"pebs-groups", adaptive || arch_pebs},
        {"pebs-snapshot",
         (arch_pebs && p->arch_pebs_config & CONFIG_FIXED) || (adaptive && format >= 6)},
        {"pebs-tsc", arch_pebs || (pebs && format >= 3)},
        {"pebs-timed", timed && (adaptive || arch_pebs)}, /* a retire latency */
        {"arch-pebs", arch_pebs},
        {"apebs-counters-9", arch_pebs && p->arch_pebs_counters >> 8 & 1},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0) {
            return words[i].holds;
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
