// SPDX-License-Identifier: GPL-2.0-or-later
#include "family.h"

#define LOW_FROM  0x40
#define LOW_TO    0x60
#define HIGH_FROM 0x680
#define HIGH_TO   0x6c0

#define SELECT_CLASSES    0x1ff
#define SELECT_CALL_STACK 0x3ff

#define PEBS_4             0xfull
#define PEBS_8             0xffull
#define PEBS_FIXED         (0xfull << 32)
#define PEBS_ALL           (0xffffull << 32 | 0xffffffffull)
#define PEBS_LATENCY       (0xfull << 32)
#define PEBS_PRECISE_STORE (1ull << 63)

/* By Intel's event lists of each family, and table 18-10 of the manual for Core 2. */
#define PRECISE_CORE       (PRECISE_C0_00 | PRECISE_C5_00)
#define PRECISE_SILVERMONT (PRECISE_C0_00 | PRECISE_C4_00 | PRECISE_C5_00)
#define PRECISE_NEHALEM                                                                            \
    (PRECISE_C0_00 | PRECISE_C0_01 | PRECISE_C2_01 | PRECISE_C4_00 | PRECISE_C4_04)
#define PRECISE_SANDY_BRIDGE (PRECISE_C0_01 | PRECISE_C2_01 | PRECISE_C4_04 | PRECISE_C5_04)
#define PRECISE_SKYLAKE      (PRECISE_C0_00 | PRECISE_C0_01 | PRECISE_C4_04 | PRECISE_C5_04)

typedef uint8_t display_model; /* of family 6 */

static const struct {
    display_model models[24]; /* the longest list and its ending 0 */
    struct family family;
} families[] = {
    {/* Core 2 */
     {0x0f, 0x16, 0x17, 0x1d},
     {.lbr_depth = 4,
      .lbr_or_tr = true,
      .precise = PRECISE_CORE,
      .lbr_from = LOW_FROM,
      .lbr_to = LOW_TO,
      .pebs_enable = 1}},
    {/* Atom, 45 and 32 nm */
     {0x1c, 0x26, 0x27, 0x35, 0x36},
     {.lbr_depth = 8,
      .freeze_or_tr = true,
      .precise = PRECISE_CORE,
      .lbr_from = LOW_FROM,
      .lbr_to = LOW_TO,
      .pebs_enable = 1}},
    {/* Silvermont, Airmont */
     {0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d},
     {.lbr_depth = 8,
      .offcore_response = true,
      .precise = PRECISE_SILVERMONT,
      .lbr_from = LOW_FROM,
      .lbr_to = LOW_TO,
      .lbr_select = SELECT_CLASSES,
      .pebs_enable = 1}},
    {/* Nehalem */
     {0x1a, 0x1e, 0x1f, 0x2e},
     {.lbr_depth = 16,
      .offcore_response = true,
      .load_latency = true,
      .precise = PRECISE_NEHALEM,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CLASSES,
      .pebs_enable = PEBS_4 | PEBS_LATENCY}},
    {/* Westmere */
     {0x25, 0x2c, 0x2f},
     {.lbr_depth = 16,
      .offcore_response = true,
      .load_latency = true,
      .precise = PRECISE_NEHALEM | PRECISE_C5_04,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CLASSES,
      .pebs_enable = PEBS_4 | PEBS_LATENCY}},
    {/* Sandy Bridge, Ivy Bridge */
     {0x2a, 0x2d, 0x3a, 0x3e},
     {.lbr_depth = 16,
      .offcore_response = true,
      .load_latency = true,
      .c0_01_on_pmc1 = true,
      .precise = PRECISE_SANDY_BRIDGE,
      .branches = BRANCHES_SANDY_BRIDGE,
      .eight_counters = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CLASSES,
      .pebs_enable = PEBS_4 | PEBS_LATENCY | PEBS_PRECISE_STORE}},
    {/* Haswell, Broadwell */
     {0x3c, 0x45, 0x46, 0x3f, 0x3d, 0x47, 0x4f, 0x56},
     {.lbr_depth = 16,
      .offcore_response = true,
      .load_latency = true,
      .c0_01_on_pmc1 = true,
      .precise = PRECISE_SANDY_BRIDGE,
      .branches = BRANCHES_SANDY_BRIDGE,
      .eight_counters = true,
      .rtm_known = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CALL_STACK,
      .pebs_enable = PEBS_4 | PEBS_LATENCY}},
    {/* Skylake and its relatives */
     {0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6},
     {.lbr_depth = 32,
      .offcore_response = true,
      .load_latency = true,
      .frontend = true,
      .c0_01_on_pmc1 = true,
      .precise = PRECISE_SKYLAKE,
      .branches = BRANCHES_SANDY_BRIDGE,
      .eight_counters = true,
      .rtm_known = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CALL_STACK,
      .pebs_enable = PEBS_4 | PEBS_LATENCY}},
    {/* Goldmont */
     {0x5c, 0x5f},
     {.lbr_depth = 32,
      .lbr_freeze_unsure = true,
      .branches = BRANCHES_ATOM,
      .offcore_response = true,
      .pebs_any_event = true,
      .pebs_checks_index = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CALL_STACK,
      .pebs_enable = PEBS_4}},
    {/* Goldmont Plus */
     {0x7a},
     {.lbr_depth = 32,
      .lbr_freeze_unsure = true,
      .branches = BRANCHES_ATOM,
      .offcore_response = true,
      .pebs_any_event = true,
      .pebs_fixed = true,
      .pebs_checks_index = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CALL_STACK,
      .pebs_enable = PEBS_4 | PEBS_FIXED}},
    {/* Tremont */
     {0x86, 0x96, 0x9c},
     {.lbr_depth = 32,
      .branches = BRANCHES_ATOM,
      .offcore_response = true,
      .pebs_any_event = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CALL_STACK,
      .pebs_enable = PEBS_4 | PEBS_FIXED}},
    {/* Ice Lake and later with a legacy stack */
     {0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7},
     {.lbr_depth = 32,
      .branches = BRANCHES_ICE_LAKE,
      .offcore_response = true,
      .pebs_any_event = true,
      .load_latency = true,
      .frontend = true,
      .rtm_known = true,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CALL_STACK,
      .pebs_enable = PEBS_8 | PEBS_FIXED}},
    {/* Golden Cove and its successors: no stack of the model's */
     {0x8f, 0xcf, 0xad, 0xae, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xd7, 0xaa, 0xac, 0xbd, 0xc5, 0xc6,
      0xb5, 0xcc, 0xe5, 0xd5},
     {.branches = BRANCHES_ICE_LAKE,
      .offcore_response = true,
      .pebs_any_event = true,
      .load_latency = true,
      .frontend = true,
      .rtm_known = true,
      .pebs_enable = PEBS_ALL}},
    {/* Gracemont and its successors, alone; beside Golden Cove: see family_of() */
     {0xbe, 0xaf, 0xb6},
     {.branches = BRANCHES_ATOM,
      .offcore_response = true,
      .pebs_any_event = true,
      .load_latency = true,
      .pebs_enable = PEBS_ALL}},
    {/* Knights Landing, Knights Mill */
     {0x57, 0x85},
     {.lbr_depth = 8,
      .lbr_linear_mispred = true,
      .offcore_response = true,
      .precise = PRECISE_SILVERMONT,
      .lbr_from = HIGH_FROM,
      .lbr_to = HIGH_TO,
      .lbr_select = SELECT_CLASSES,
      .pebs_enable = 1}},
};

static const struct family unknown = {.precise = PRECISE_NEHALEM, .pebs_enable = PEBS_4};

#define ALDER_LAKE_N 0xbe /* one of the models that have E-cores alone */

#define CORE_KIND_ATOM 0x20 /* CPUID.1AH:EAX[31:24] (F24.1) */

/* All cores of a hybrid have the same model; the core kind distinguishes them (F24.9). */
static uint8_t model_of(const struct ds_profile *profile)
{
    bool is_e_core = profile->hybrid && profile->core_kind >> 24 == CORE_KIND_ATOM;

    return is_e_core ? ALDER_LAKE_N : profile->model;
}

static const struct family *find(const struct ds_profile *profile)
{
    uint8_t wanted = model_of(profile);

    for (size_t i = 0; profile->family == 6 && i < sizeof(families) / sizeof(families[0]); i++) {
        for (const display_model *model = families[i].models; *model; model++) {
            if (*model == wanted) {
                return &families[i].family;
            }
        }
    }
    return &unknown;
}

/* Asked several times for each branch and each instruction: what was found once is kept. */
const struct family *family_of(const struct ds_profile *profile)
{
    static const struct family *found[2][UINT8_MAX + 1];
    const struct family **kept = &found[profile->family == 6][model_of(profile)];
    const struct family *family = __atomic_load_n(kept, __ATOMIC_RELAXED);

    if (!family) {
        family = find(profile);
        __atomic_store_n(kept, family, __ATOMIC_RELAXED);
    }
    return family;
}
