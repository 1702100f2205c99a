// SPDX-License-Identifier: GPL-2.0-or-later
#include "processors.h"

#include "check.h"
#include "machine.h"

/* The P-core and the E-core of Lunar Lake, and the latter in Arrow Lake-H (F21.11): the P-core has
 * ten counters. */
static void complete(struct ds_profile *profile)
{
    bool is_p_core = profile->general_counters == 10;
    uint64_t reloaded = is_p_core ? 0 : 0x3000000fc;

    profile->hybrid = profile->unit_mask_2 = profile->equal_bit = true;
    if (profile->perfmon_version > 5) {
        profile->event_count = 13, profile->events_missing = 0x280;
    }
    profile->leaf_0a_general = 8, profile->leaf_0a_fixed = 3;
    profile->core_kind = is_p_core ? 0x40000003 : 0x20000003;
    profile->fixed_counters = is_p_core ? 4 : 6;
    profile->fixed_mask = is_p_core ? 0 : 0x77;
    profile->leaf_23 = is_p_core ? 0xb : 0xf;
    profile->events = is_p_core ? 0x1dff : 0x1f7f;
    profile->slots_per_cycle = is_p_core ? 0 : 8;
    profile->metrics = is_p_core ? 8 : 0;
    profile->reloadable = profile->reload_causes = reloaded;
    profile->rdpmc_user_disable = is_p_core;
    if (profile->pebs_unavailable) { /* the P-core of Panther Lake */
        profile->leaf_23 |= 0x30;
        profile->arch_pebs_config = 0x60060378;
        profile->arch_pebs_counters = 0xf000003ff;
    }
}

struct ds_profile processor(unsigned i)
{
    static const struct {
        uint8_t model, version, general;
        uint32_t perf_capabilities;
        bool pebs_unavailable, no_ds_cpl, no_ds;
        uint32_t lbr_leaf_eax, lbr_leaf_ebx, lbr_leaf_ecx;
    } rows[PROCESSORS] = {
        {0x17, 2, 2, 0x10c2, false, false, false, 0, 0, 0},
        {0x1a, 3, 4, 0x11c3, false, false, false, 0, 0, 0},
        {0x3c, 3, 8, 0x32c4, false, false, false, 0, 0, 0},
        {0x5e, 4, 4, 0x33c5, false, false, false, 0, 0, 0},
        {0x5f, 4, 4, 0x33c6, true, true, false, 0, 0, 0},
        {0x6a, 5, 8, 0x74c5, false, false, false, 0, 0, 0},
        {0xff, 1, 2, 0x0000, true, true, true, 0, 0, 0},
        {0x6a, 5, 8, 0x75c5, false, false, false, 0, 0, 0},
        {0x6a, 5, 8, 0x276c5, false, false, false, 0, 0, 0},
        {0x8f, 5, 8, 0x74ff, false, false, false, 0x4000000b, 7, 0x7},
        {0xaf, 5, 8, 0x74ff, false, false, false, 0xc000000b, 3, 0xf0007},
        {0xbd, 6, 10, 0xf6ff, false, false, false, 0x4000000b, 7, 0xf0007},
        {0xbd, 6, 8, 0x76ff, false, false, false, 0xc000000b, 7, 0xf0007},
        {0xc5, 5, 8, 0x75ff, false, false, false, 0xc000000b, 7, 0x7},
        {0x1c, 3, 2, 0x00c1, false, false, false, 0, 0, 0},
        {0xcc, 6, 10, 0x3fff, true, false, false, 0x4000000b, 7, 0xf0007},
    };
    static struct machine machine;

    machine_start(&machine);
    struct ds_profile profile = machine.cpu.profile;
    profile.model = rows[i].model;
    profile.perfmon_version = rows[i].version;
    profile.general_counters = rows[i].general;
    profile.fixed_counters = rows[i].version > 4 ? 4 : rows[i].version > 1 ? 3 : 0;
    profile.perf_capabilities = rows[i].perf_capabilities;
    profile.pebs_unavailable = rows[i].pebs_unavailable;
    profile.ds_cpl = !rows[i].no_ds_cpl;
    profile.ds = !rows[i].no_ds;
    profile.dtes64 = profile.ds;
    profile.arch_lbr = rows[i].lbr_leaf_eax;
    profile.xsaves_lbr = rows[i].lbr_leaf_eax;
    profile.lbr_leaf_eax = rows[i].lbr_leaf_eax;
    profile.lbr_leaf_ebx = rows[i].lbr_leaf_ebx;
    profile.lbr_leaf_ecx = rows[i].lbr_leaf_ecx;
    if (rows[i].version == 6 || rows[i].model == 0xc5) {
        complete(&profile);
    }
    CHECK(ds_profile_check(&profile) == NULL);
    return profile;
}
