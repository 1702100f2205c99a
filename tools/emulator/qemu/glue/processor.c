// SPDX-License-Identifier: GPL-2.0-or-later
/* Life of a processor: what it has, how it starts, RESET and INIT. */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "system/tcg.h"
#include "state.h"

/* The emulator has no name for it (F25.11). */
#define CPUID_7_0_EDX_TSX_FORCE_ABORT (1u << 13)
#define CPUID_7_0_EDX_HYBRID          (1u << 15)
#define LEAF_FEATURES                 0x07u
#define LEAF_PERFMON                  0x0au
#define LEAF_CORE_KIND                0x1au
#define LEAF_ARCH_LBR                 0x1cu
#define LEAF_COUNTERS                 0x23u

#define CPUID_7_1_EAX_COUNTERS (1u << 8) /* leaf 23H is there (F21.7) */

bool debug_store_present(X86CPU *cpu)
{
    return cpu->debug_store->model.profile.present;
}

bool debug_store_has_counters(CPUX86State *env)
{
    const struct ds_profile *profile = &debug_store_of(env)->model.profile;

    return profile->present && profile->perfmon_version > 0;
}

void debug_store_instance_init(X86CPU *cpu)
{
    DebugStore *store = g_new0(DebugStore, 1);

    store->cpu = cpu;
    store->model.profile.pebs_unavailable = true;
    store->fault_cpu = DEBUG_STORE_ALL;
    debug_store_set_host(store);
    cpu->debug_store = store;
    debug_store_add_properties(cpu);
}

/* Takes the features that the model provides off the list of those that TCG lacks (F12.11). */
uint64_t debug_store_unavailable(X86CPU *cpu, FeatureWord word, uint64_t unavailable)
{
    if (!tcg_enabled() || !cpu->enable_pmu) {
        return unavailable;
    }
    switch (word) {
    case FEAT_1_EDX:
        return unavailable & ~(uint64_t)CPUID_DTS;
    case FEAT_1_ECX:
        return unavailable &
               ~(uint64_t)(CPUID_EXT_DTES64 | CPUID_EXT_DSCPL | CPUID_EXT_PDCM | CPUID_EXT_EST);
    default:
        return unavailable;
    }
}

static uint8_t display_family(uint32_t signature)
{
    uint8_t family = extract32(signature, 8, 4);

    return family == 0xf ? family + extract32(signature, 20, 8) : family;
}

static uint8_t display_model(uint32_t signature)
{
    uint8_t family = extract32(signature, 8, 4);
    uint8_t model = extract32(signature, 4, 4);

    return family == 6 || family == 0xf ? model + (extract32(signature, 16, 4) << 4) : model;
}

/* Before the emulator gives a processor its usual one. */
static uint32_t microcode_revision(const X86CPU *cpu)
{
    return cpu->ucode_rev ? cpu->ucode_rev >> 32 : 1;
}

static void profile_from_features(struct ds_profile *profile, const CPUX86State *env)
{
    profile->ds = env->features[FEAT_1_EDX] & CPUID_DTS;
    profile->dtes64 = env->features[FEAT_1_ECX] & CPUID_EXT_DTES64;
    profile->ds_cpl = env->features[FEAT_1_ECX] & CPUID_EXT_DSCPL;
    profile->pdcm = env->features[FEAT_1_ECX] & CPUID_EXT_PDCM;
    profile->rtm = env->features[FEAT_7_0_EBX] & CPUID_7_0_EBX_RTM;
    profile->linear_width = env->features[FEAT_7_0_ECX] & CPUID_7_0_ECX_LA57 ? 57 : 48;
    profile->family = display_family(env->cpuid_version);
    profile->model = display_model(env->cpuid_version);
    profile->stepping = extract32(env->cpuid_version, 0, 4);
    profile->misc_enable = MSR_IA32_MISC_ENABLE_DEFAULT;
    if (env->features[FEAT_1_ECX] & CPUID_EXT_MONITOR) {
        profile->misc_enable |= MSR_IA32_MISC_ENABLE_MWAIT;
    }
}

/* What the emulator does not enumerate by itself. */
static void features_from_profile(CPUX86State *env, const struct ds_profile *profile)
{
    if (profile->tsx_force_abort) {
        env->features[FEAT_7_0_EDX] |= CPUID_7_0_EDX_TSX_FORCE_ABORT;
    }
    if (profile->hybrid) {
        env->features[FEAT_7_0_EDX] |= CPUID_7_0_EDX_HYBRID;
    }
    if (profile->bus_lock_detect) {
        env->features[FEAT_7_0_ECX] |= CPUID_7_0_ECX_BUS_LOCK_DETECT;
    }
    if (profile->arch_lbr) {
        env->features[FEAT_7_0_EDX] |= CPUID_7_0_EDX_ARCH_LBR;
        env->cpuid_level = MAX(env->cpuid_level, LEAF_ARCH_LBR);
    }
}

/* Leaves whose output the model has something to say of. */
static void raise_levels(CPUX86State *env, const struct ds_profile *profile)
{
    if (profile->core_kind) {
        env->cpuid_level = MAX(env->cpuid_level, LEAF_CORE_KIND);
    }
    if (profile->leaf_23) {
        env->cpuid_level = MAX(env->cpuid_level, LEAF_COUNTERS);
    }
    if (profile->leaf_23 || profile->leaf_7_1_eax) {
        env->cpuid_level_func7 = MAX(env->cpuid_level_func7, 1);
    }
}

bool debug_store_realize(X86CPU *cpu, Error **errp)
{
    DebugStore *store = cpu->debug_store;
    struct ds_profile *profile = &store->model.profile;
    const char *fault;

    if (!tcg_enabled() || !cpu->enable_pmu) {
        if (store->configured) {
            error_setg(errp, "the x-ds-... properties need accel=tcg and pmu=on");
            return false;
        }
        return true;
    }
    profile->present = true;
    debug_store_choose_core(store);
    profile_from_features(profile, &cpu->env);
    profile->microcode = microcode_revision(cpu);
    fault = board_settle(store);
    if (fault) {
        error_setg(errp, "%s", fault);
        return false;
    }
    features_from_profile(&cpu->env, profile);
    raise_levels(&cpu->env, profile);
    fault = debug_store_choose_fault(store);
    if (fault) {
        error_setg(errp, "%s", fault);
        return false;
    }
    fault = debug_store_settle_hypervisor(store);
    if (fault) {
        error_setg(errp, "%s", fault);
        return false;
    }
    fault = ds_profile_check(profile);
    if (fault) {
        error_setg(errp, "this processor does not hang together: %s", fault);
        return false;
    }
    fault = ds_errata_settle(&store->model);
    if (fault) {
        error_setg(
            errp,
            "x-ds-errata: processor %02x_%02X cannot show %s ('x-ds-errata=own': what it can)",
            profile->family, profile->model, fault);
        return false;
    }
    return true;
}

static bool profile_leaf(const struct ds_profile *profile, uint32_t leaf, uint32_t subleaf,
                         uint32_t regs[4])
{
    switch (leaf) {
    case LEAF_PERFMON:
        ds_profile_leaf_0a(profile, regs);
        return true;
    case LEAF_CORE_KIND:
        regs[0] = profile->core_kind;
        return true;
    case LEAF_ARCH_LBR:
        ds_profile_leaf_1c(profile, regs);
        return true;
    case LEAF_COUNTERS:
        ds_profile_leaf_23(profile, subleaf, regs);
        return true;
    default:
        return false;
    }
}

/* Bits that are enumerated although the emulator lacks their feature. */
static uint32_t told_alone(const struct ds_profile *profile)
{
    return profile->leaf_7_1_eax | (profile->leaf_23 ? CPUID_7_1_EAX_COUNTERS : 0);
}

void debug_store_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
                       uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    const struct ds_profile *profile = &debug_store_of(env)->model.profile;
    uint32_t regs[4] = {0};

    if (env->cpuid_level < leaf || !profile->present) {
        return;
    }
    if (leaf == LEAF_FEATURES && subleaf == 1) {
        *eax |= told_alone(profile);
    }
    if (!profile_leaf(profile, leaf, subleaf, regs)) {
        return;
    }
    *eax = regs[0];
    *ebx = regs[1];
    *ecx = regs[2];
    *edx = regs[3];
}

void debug_store_init_begins(X86CPU *cpu)
{
    cpu->debug_store->init_in_progress = true;
}

/* Both RESET and INIT come here, in the middle of the emulator's own reset. */
void debug_store_reset(CPUX86State *env)
{
    DebugStore *store = debug_store_of(env);
    bool init = store->init_in_progress;

    store->init_in_progress = false;
    store->hangs = false;
    store->running.known = false;
    if (!store->model.profile.present) {
        return;
    }
    if (init) {
        ds_init(&store->model);
    } else {
        ds_reset(&store->model);
    }
    debug_store_after_event(store);
    board_reset(store, init);
}
