// SPDX-License-Identifier: GPL-2.0-or-later
/* Contradictory profiles are refused; CPUID leaf 0AH says what the profile says. */
#include "debug_store.h"

#include "check.h"
#include "machine.h"

static const struct ds_profile healthy = {
    .present = true,
    .ds = true,
    .pdcm = true,
    .perf_capabilities = 0x33c5,
    .perfmon_version = 4,
    .general_counters = 8,
    .general_width = 48,
    .event_count = 7,
    .fixed_counters = 3,
    .fixed_width = 48,
};

static void accepts_what_hangs_together(void)
{
    struct ds_profile nothing = {0};

    CHECK(ds_profile_check(&healthy) == NULL);
    CHECK(ds_profile_check(&nothing) == NULL);
    nothing.present = true;
    CHECK(ds_profile_check(&nothing) == NULL);
}

static void refuses_contradictions(void)
{
    struct ds_profile profile = healthy;

    profile.ds = false, profile.ds_cpl = true;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.pdcm = false;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.general_counters = DS_GENERAL_COUNTERS_MAX + 1;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.general_width = 64;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.fixed_counters = DS_FIXED_COUNTERS_MAX + 1;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.perfmon_version = 1;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.perfmon_version = 0;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.perfmon_version = 7;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.fixed_width = 20;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.register_c7 = true;
    CHECK(ds_profile_check(&profile) != NULL);
    profile.general_counters = 6;
    CHECK(ds_profile_check(&profile) == NULL);
    profile = healthy, profile.event_count = 33;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.linear_width = 64;
    CHECK(ds_profile_check(&profile) != NULL);
}

static void refuses_pebs_that_is_not_modelled(void)
{
    static const uint64_t bad[] = {0x3385, 0x37c5, 0x73c5,
                                   0x233c5};        /* fault-like; format; baseline; timed */
    static const uint64_t good[] = {0x74c5, 0x34c5, /* a hypervisor hides the baseline (F21.31) */
                                    0x3085};        /* fault-like, of format 0 (F22.4) */
    struct ds_profile profile = healthy;

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        profile.perf_capabilities = bad[i];
        profile.pebs_unavailable = false;
        CHECK(ds_profile_check(&profile) != NULL);
        profile.pebs_unavailable = true;
        CHECK(ds_profile_check(&profile) == NULL);
    }
    profile.pebs_unavailable = false;
    for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        profile.perf_capabilities = good[i];
        CHECK(ds_profile_check(&profile) == NULL);
    }
}

/* In 64-bit mode the stack holds 64-bit addresses (F4.16), for which format 0 has no room. */
static void refuses_a_stack_of_32_bits_beside_64_bit_layouts(void)
{
    struct ds_profile profile = healthy;

    profile.dtes64 = true, profile.family = 6, profile.model = 0x17;
    for (unsigned format = 0; format < 8; format++) {
        profile.perf_capabilities = 0x10c0 | format;
        CHECK_EQUAL(ds_profile_check(&profile) == NULL, format != 0);
    }
    profile.perf_capabilities = 0x10c0, profile.dtes64 = false;
    CHECK(ds_profile_check(&profile) == NULL);
    profile.dtes64 = true, profile.model = 0xff; /* no stack */
    CHECK(ds_profile_check(&profile) == NULL);
}

static void leaf_0a_version_4(void)
{
    uint32_t regs[4];

    ds_profile_leaf_0a(&healthy, regs);
    CHECK_EQUAL(regs[0], 0x07300804);
    CHECK_EQUAL(regs[1], 0x18); /* no cache (F1.9) */
    CHECK_EQUAL(regs[2], 0);
    CHECK_EQUAL(regs[3], 0x603);
}

static void leaf_0a_version_5(void)
{
    struct ds_profile profile = healthy;
    uint32_t regs[4];

    profile.perfmon_version = 5, profile.fixed_counters = 4, profile.events_missing = 0x40;
    ds_profile_leaf_0a(&profile, regs);
    CHECK_EQUAL(regs[0], 0x07300805);
    CHECK_EQUAL(regs[1], 0x58);
    CHECK_EQUAL(regs[2], 0xf);
    CHECK_EQUAL(regs[3], 0x8604);
}

static void leaf_0a_that_is_wrong(void)
{
    struct ds_profile profile = healthy;
    uint32_t regs[4];

    profile.perfmon_version = 3, profile.fixed_width = 40, profile.leaf_0a_edx_wrong = 0x2002;
    ds_profile_leaf_0a(&profile, regs);
    CHECK_EQUAL(regs[3], 0x2501); /* one fixed counter, and a bit that means nothing */
    profile.leaf_0a_edx_wrong = 0x503;
    ds_profile_leaf_0a(&profile, regs);
    CHECK_EQUAL(regs[3], 0);
}

static void leaf_0a_without_any_thread(void)
{
    struct ds_profile profile = healthy;
    uint32_t regs[4];

    profile.any_thread_gone = true;
    ds_profile_leaf_0a(&profile, regs);
    CHECK_EQUAL(regs[3], 0x8603);
}

/* The leaf tells less; the core has all the same what it has. */
static void leaf_0a_of_a_hybrid_core(void)
{
    static struct machine machine;
    uint64_t all = 0xfull << 32 | 0xff;
    uint32_t regs[4];

    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    struct ds_profile *profile = &machine.cpu.profile;

    profile->fixed_counters = 4, profile->event_count = 8, profile->hybrid = true;
    CHECK(ds_profile_check(profile) == NULL);
    ds_profile_leaf_0a(profile, regs);
    CHECK_EQUAL(regs[0], 0x08300605);
    CHECK_EQUAL(regs[2], 7);
    CHECK_EQUAL(regs[3], 0x8603);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, all);
    machine_write(&machine, IA32_PEBS_ENABLE, all);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0xbbbb);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, all);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), all);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, all);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 0);
    machine_write(&machine, IA32_PEBS_ENABLE, 0);
    machine_write(&machine, IA32_A_PMC0 + 7, 0x800000000000);
    machine_write(&machine, IA32_PERFEVTSEL0 + 7, COUNT | INSTRUCTIONS);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 7), 0x800000000003);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 3), 12);
    profile->general_counters = 2;
    CHECK(ds_profile_check(profile) != NULL);
    profile->general_counters = 8, profile->fixed_counters = 1;
    CHECK(ds_profile_check(profile) != NULL);
}

static void leaf_0a_of_nothing(void)
{
    struct ds_profile profile = healthy;
    uint32_t regs[4] = {1, 1, 1, 1};

    profile.present = false;
    ds_profile_leaf_0a(&profile, regs);
    CHECK_EQUAL(regs[0] | regs[1] | regs[2] | regs[3], 0);
}

const struct test profile_tests[] = {
    {"profile: accepts what hangs together", accepts_what_hangs_together},
    {"profile: refuses contradictions", refuses_contradictions},
    {"profile: refuses PEBS that is not modelled", refuses_pebs_that_is_not_modelled},
    {"profile: refuses a stack of 32 bits beside 64-bit layouts",
     refuses_a_stack_of_32_bits_beside_64_bit_layouts},
    {"profile: leaf 0AH of version 4", leaf_0a_version_4},
    {"profile: leaf 0AH of version 5", leaf_0a_version_5},
    {"profile: leaf 0AH that is wrong", leaf_0a_that_is_wrong},
    {"profile: leaf 0AH without AnyThread", leaf_0a_without_any_thread},
    {"profile: leaf 0AH of a hybrid core", leaf_0a_of_a_hybrid_core},
    {"profile: leaf 0AH of nothing", leaf_0a_of_nothing},
    {0},
};
