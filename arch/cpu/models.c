/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/models.h"

#include "arch/cpu/features.h"
#include "arch/cpu/msr.h"

#define FAMILY_P6 0x06u

#define CORE_2          0x0f, 0x16, 0x17, 0x1d
#define BONNELL         0x1c, 0x26, 0x27, 0x35, 0x36             /* to Saltwell */
#define SILVERMONT      0x37, 0x4a, 0x4d, 0x5a, 0x5d, 0x4c, 0x75 /* and Airmont */
#define GOLDMONT        0x5c, 0x5f, 0x7a                         /* and Goldmont Plus */
#define TREMONT         0x86, 0x8a, 0x96, 0x9c
#define GRACEMONT       0xbe, 0xaf, 0xb6, 0xdd /* to Sierra Forest, Grand Ridge, Clearwater Forest */
#define HYBRIDS         0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xd7, 0xaa, 0xac, NEWER_HYBRIDS
#define NEWER_HYBRIDS   0xb5, 0xc5, 0xc6, 0xbd, 0xcc, 0xe5, 0xd5 /* from Arrow Lake on */
#define NEHALEM         0x1a, 0x1e, 0x1f, 0x2e
#define WESTMERE        0x25, 0x2c, 0x2f
#define SANDY_BRIDGE    0x2a, 0x2d
#define IVY_BRIDGE      0x3a, 0x3e
#define HASWELL         0x3c, 0x45, 0x46, 0x3f
#define BROADWELL       0x3d, 0x47, 0x4f, 0x56
#define SKYLAKE         0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6 /* to Comet Lake, Cascade Lake */
#define ICE_LAKE        0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7 /* to Tiger, Rocket Lake */
#define SAPPHIRE_RAPIDS 0x8f, 0xcf, 0xad, 0xae /* to Emerald Rapids, Granite Rapids */
#define GOLDEN_COVE     0x97, 0x9a, 0xb7, 0xba, 0xbf, 0x8f, 0xcf /* and Raptor Cove */

bool model_is_one_of(const uint8_t *models, size_t count)
{
    const struct cpu_identity *identity = &cpu_features()->identity;

    for (size_t i = 0; i < count; i++)
        if (identity_is_intel(identity) && identity->family == FAMILY_P6 &&
            identity->model == models[i])
            return true;
    return false;
}

bool model_minds_frequency(void)
{
    static const uint8_t models[] = {NEHALEM, WESTMERE, SANDY_BRIDGE, 0x3a};

    return model_is_one_of(models, sizeof models);
}

bool model_samples_latencies(void)
{
    static const uint8_t models[] = {NEHALEM, WESTMERE,  SANDY_BRIDGE, IVY_BRIDGE,
                                     HASWELL, BROADWELL, SKYLAKE};

    return model_is_one_of(models, sizeof models);
}

bool model_is_nehalem_or_westmere(void)
{
    static const uint8_t models[] = {NEHALEM, WESTMERE};

    return model_is_one_of(models, sizeof models);
}

bool model_has_uncore_at_status_set(void)
{
    static const uint8_t models[] = {NEHALEM,    WESTMERE, SANDY_BRIDGE,
                                     IVY_BRIDGE, HASWELL,  BROADWELL};

    return model_is_one_of(models, sizeof models);
}

bool model_has_undocumented(uint32_t number)
{
    static const uint8_t models[] = {CORE_2, BONNELL};

    return number == MSR_UNDOCUMENTED_C7 && model_is_one_of(models, sizeof models);
}

static bool is_atom_core(void)
{
    return cpu_features()->identity.core >> CORE_TYPE == CORE_ATOM;
}

bool model_overcounts_far(void)
{
    static const uint8_t atoms[] = {SILVERMONT, GOLDMONT, TREMONT, GRACEMONT}, both[] = {HYBRIDS};

    return model_is_one_of(atoms, sizeof atoms) ||
           (model_is_one_of(both, sizeof both) && is_atom_core());
}

bool model_has_rtm(void)
{
    static const uint8_t models[] = {HASWELL, BROADWELL, SKYLAKE, ICE_LAKE, SAPPHIRE_RAPIDS};
    static const uint8_t clients[] = {HYBRIDS};

    return model_is_one_of(models, sizeof models) ||
           (model_is_one_of(clients, sizeof clients) && !is_atom_core());
}

bool model_shares_counters(void)
{
    static const uint8_t models[] = {SANDY_BRIDGE, IVY_BRIDGE, HASWELL, BROADWELL, SKYLAKE};

    return model_is_one_of(models, sizeof models);
}

bool model_samples_no_instructions_on_pmc0(void)
{
    static const uint8_t models[] = {GOLDEN_COVE};

    return model_is_one_of(models, sizeof models) && !is_atom_core();
}
