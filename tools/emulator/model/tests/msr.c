// SPDX-License-Identifier: GPL-2.0-or-later
/* Which MSRs there are, and what each refuses. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static enum ds_msr_result write(uint32_t msr, uint64_t value)
{
    return ds_msr_write(&machine.cpu, &machine.host, msr, value);
}

/* Checks that exactly the bits of mask can be set in IA32_DEBUGCTL, each alone. */
static void check_debugctl_bits(uint64_t mask)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t value = 1ull << bit;
        CHECK_EQUAL(write(IA32_DEBUGCTL, 0), DS_MSR_DONE);
        CHECK_EQUAL(write(IA32_DEBUGCTL, value), mask & value ? DS_MSR_DONE : DS_MSR_FAULT);
        CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), mask & value);
    }
}

static void debugctl_of_a_full_processor(void)
{
    machine_start(&machine);
    check_debugctl_bits(0x5fc3);
}

static void debugctl_follows_the_profile(void)
{
    machine_start(&machine);
    machine.cpu.profile.ds_cpl = false;
    check_debugctl_bits(0x59c3);
    machine_start(&machine);
    machine.cpu.profile.bts_unavailable = true;
    check_debugctl_bits(0x5e43);
    machine_start(&machine);
    machine.cpu.profile.ds = machine.cpu.profile.ds_cpl = false;
    check_debugctl_bits(0x5843);
    machine_start(&machine);
    machine.cpu.profile.pdcm = false;
    check_debugctl_bits(0x07c3);
    machine_start(&machine);
    machine.cpu.profile.perfmon_version = 1;
    check_debugctl_bits(0x47c3);
    machine_start(&machine);
    machine.cpu.profile.perf_capabilities = 0x23c5;
    check_debugctl_bits(0x1fc3);
}

static void debugctl_optional_bits(void)
{
    machine_start(&machine);
    machine.cpu.profile.rtm = true;
    check_debugctl_bits(0xdfc3);
    machine_start(&machine);
    machine.cpu.profile.uncore_pmi = true;
    check_debugctl_bits(0x7fc3);
    machine_start(&machine);
    machine.cpu.profile.bus_lock_detect = true;
    check_debugctl_bits(0x5fc7);
}

static void debugctl_of_rtm_that_is_gone(void)
{
    machine_start(&machine);
    machine.cpu.variation.debugctl_without_rtm = DS_LACKING_STICKS;
    check_debugctl_bits(0xdfc3);
    machine.cpu.variation.debugctl_without_rtm = DS_LACKING_IGNORED;
    CHECK_EQUAL(write(IA32_DEBUGCTL, 0x8001), DS_MSR_DONE);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), 1);
    CHECK_EQUAL(write(IA32_DEBUGCTL, 1u << 5), DS_MSR_FAULT);
    machine_start_model(&machine, 0x2a, 3, 0x31c3); /* never had it */
    machine.cpu.variation.debugctl_without_rtm = DS_LACKING_STICKS;
    check_debugctl_bits(0x5fc3);
}

static void a_fault_changes_nothing(void)
{
    machine_start(&machine);
    machine_debugctl(&machine, TR | BTS);
    CHECK_EQUAL(write(IA32_DEBUGCTL, LBR | 1u << 5), DS_MSR_FAULT);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), TR | BTS);
}

static void ds_area_must_be_canonical(void)
{
    static const uint64_t good[] = {0, 0x7fffffffffff, 0xffff800000000000, ~0ull};
    static const uint64_t bad[] = {0x800000000000, 0xffff7fffffffffff, 1ull << 63};

    machine_start(&machine);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQUAL(write(IA32_DS_AREA, good[i]), DS_MSR_DONE);
        CHECK_EQUAL(machine_msr(&machine, IA32_DS_AREA), good[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        CHECK_EQUAL(write(IA32_DS_AREA, bad[i]), DS_MSR_FAULT);
        CHECK_EQUAL(machine_msr(&machine, IA32_DS_AREA), ~0ull);
    }
    machine.cpu.profile.linear_width = 57;
    CHECK_EQUAL(write(IA32_DS_AREA, 0x800000000000), DS_MSR_DONE);
    CHECK_EQUAL(write(IA32_DS_AREA, 1ull << 56), DS_MSR_FAULT);
}

static void ds_area_needs_ds(void)
{
    uint64_t value;

    machine_start(&machine);
    machine.cpu.profile.ds = false;
    CHECK_EQUAL(write(IA32_DS_AREA, 0), DS_MSR_FAULT);
    CHECK_EQUAL(ds_msr_read(&machine.cpu, IA32_DS_AREA, &value), DS_MSR_FAULT);
}

static void misc_enable_tells_what_there_is(void)
{
    machine_start(&machine);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 0x81);
    machine.cpu.profile.bts_unavailable = true;
    machine.cpu.profile.perfmon_version = 0;
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 0x801);
    machine.cpu.profile.pebs_unavailable = true;
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 0x1801);
}

static void misc_enable_read_only_bits(void)
{
    machine_start(&machine);
    CHECK_EQUAL(write(IA32_MISC_ENABLE, 0x81 | 1u << 11), DS_MSR_FAULT);
    CHECK_EQUAL(write(IA32_MISC_ENABLE, 0x81 | 1u << 12), DS_MSR_FAULT);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 0x81);
    CHECK_EQUAL(write(IA32_MISC_ENABLE, 1u << 18), DS_MSR_DONE);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 1u << 18 | 0x80);
}

static void misc_enable_changes_that_have_no_effect(void)
{
    uint64_t usual;

    machine_start(&machine);
    usual = machine_msr(&machine, IA32_MISC_ENABLE);
    machine.cpu.profile.unavailable_writes = 1;
    CHECK_EQUAL(write(IA32_MISC_ENABLE, usual ^ 0x800), DS_MSR_FAULT);
    CHECK_EQUAL(write(IA32_MISC_ENABLE, usual ^ 0x1000), DS_MSR_DONE);
    machine.cpu.profile.unavailable_writes = 2;
    CHECK_EQUAL(write(IA32_MISC_ENABLE, usual ^ 0x1800), DS_MSR_DONE);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), usual);
}

static void uncore_register(void)
{
    machine_start_model(&machine, 0x2a, 3, 0x31c3);
    machine_refuses(&machine, IA32_PERF_GLOBAL_STATUS_SET, 1);
    machine.cpu.profile.uncore_391 = true;
    CHECK(ds_profile_check(&machine.cpu.profile) == NULL);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS_SET), 0);
    CHECK_EQUAL(machine.uncore_written, 0);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS_SET), 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 0);
    CHECK_EQUAL(machine.uncore_written, 5);
    machine.cpu.profile.perfmon_version = 4;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
}

static void perf_capabilities_are_read_only(void)
{
    uint64_t value;

    machine_start(&machine);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_CAPABILITIES), 0x33c5);
    CHECK_EQUAL(write(IA32_PERF_CAPABILITIES, 0x33c5), DS_MSR_FAULT);
    machine.cpu.profile.pdcm = false;
    CHECK_EQUAL(ds_msr_read(&machine.cpu, IA32_PERF_CAPABILITIES, &value), DS_MSR_FAULT);
}

static void register_c7(void)
{
    uint64_t value;

    machine_start_model(&machine, 0x17, 2, 0x10c2);
    machine.cpu.profile.general_counters = 2;
    CHECK_EQUAL(ds_msr_read(&machine.cpu, 0xc7, &value), DS_MSR_FAULT);
    machine.cpu.profile.register_c7 = true;
    CHECK_EQUAL(machine_msr(&machine, 0xc7), 0x2300000052000000ull);
    machine_write(&machine, 0xc7, 5);
    CHECK_EQUAL(machine_msr(&machine, 0xc7), 0x2300000052000000ull);
    machine_refuses_read(&machine, 0xc6);
    machine_refuses(&machine, 0xc8, 0);
}

static void strangers_are_left_alone(void)
{
    static const uint32_t mine[] = {IA32_MISC_ENABLE, IA32_DEBUGCTL, IA32_PERF_CAPABILITIES,
                                    IA32_DS_AREA};
    uint64_t value;

    machine_start(&machine);
    CHECK_EQUAL(write(0x10, 0), DS_MSR_NOT_MINE);
    CHECK_EQUAL(ds_msr_read(&machine.cpu, 0xc0000080, &value), DS_MSR_NOT_MINE);
    machine.cpu.profile.present = false;
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQUAL(write(mine[i], 0), DS_MSR_NOT_MINE);
        CHECK_EQUAL(ds_msr_read(&machine.cpu, mine[i], &value), DS_MSR_NOT_MINE);
    }
}

const struct test msr_tests[] = {
    {"msr: IA32_DEBUGCTL of a full processor", debugctl_of_a_full_processor},
    {"msr: IA32_DEBUGCTL follows the profile", debugctl_follows_the_profile},
    {"msr: IA32_DEBUGCTL optional bits", debugctl_optional_bits},
    {"msr: IA32_DEBUGCTL of RTM that is gone", debugctl_of_rtm_that_is_gone},
    {"msr: a fault changes nothing", a_fault_changes_nothing},
    {"msr: IA32_DS_AREA must be canonical", ds_area_must_be_canonical},
    {"msr: IA32_DS_AREA needs DS", ds_area_needs_ds},
    {"msr: IA32_MISC_ENABLE tells what there is", misc_enable_tells_what_there_is},
    {"msr: IA32_MISC_ENABLE read-only bits", misc_enable_read_only_bits},
    {"msr: IA32_MISC_ENABLE changes that have no effect", misc_enable_changes_that_have_no_effect},
    {"msr: MSR_UNCORE_PERF_GLOBAL_CTRL", uncore_register},
    {"msr: C7H of Core 2", register_c7},
    {"msr: IA32_PERF_CAPABILITIES is read-only", perf_capabilities_are_read_only},
    {"msr: strangers are left alone", strangers_are_left_alone},
    {0},
};
