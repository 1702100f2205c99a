// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters that microcode, firmware or others use. */
#include "check.h"
#include "machine.h"

#define TSX_FORCE_ABORT 0x10f

static struct machine machine;

static void count_instructions(unsigned i)
{
    machine_write(&machine, IA32_PERFEVTSEL0 + i, COUNT | INSTRUCTIONS);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1ull << i);
}

static void pmc3_is_microcodes(void)
{
    uint64_t value;

    machine_start(&machine);
    CHECK_EQUAL(ds_msr_read(&machine.cpu, TSX_FORCE_ABORT, &value), DS_MSR_NOT_MINE);
    machine.cpu.profile.tsx_force_abort = true;
    CHECK_EQUAL(machine_msr(&machine, TSX_FORCE_ABORT), 0);
    count_instructions(3);
    machine_write(&machine, IA32_A_PMC0 + 3, 1000);
    machine_run(&machine, 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 3), 0);
    CHECK(ds_rdpmc(&machine.cpu, 0, 3, &value));
    CHECK_EQUAL(value, 0);
    machine_write(&machine, TSX_FORCE_ABORT, 1);
    CHECK_EQUAL(machine_msr(&machine, TSX_FORCE_ABORT), 1);
    machine_write(&machine, IA32_A_PMC0 + 3, 1000);
    machine_run(&machine, 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 3), 1005);
    machine_refuses(&machine, TSX_FORCE_ABORT, 2);
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, TSX_FORCE_ABORT), 0);
    count_instructions(2);
    machine_run(&machine, 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 2), 5);
}

/* How many of a hundred thousand instructions, five hundred at a time, find the counter changed. */
static unsigned changes(unsigned i)
{
    unsigned changed = 0;

    for (unsigned part = 0; part < 200; part++) {
        count_instructions(i);
        machine_write(&machine, IA32_A_PMC0 + i, 0);
        machine_run(&machine, 500);
        changed += machine_msr(&machine, IA32_PMC0 + i) != 500;
    }
    return changed;
}

static void a_counter_that_others_use(void)
{
    machine_start(&machine);
    machine.cpu.variation.taken_counter = DS_TAKEN_PMC0 + 1;
    CHECK_EQUAL(changes(0), 0);
    unsigned changed = changes(1);
    CHECK(changed > 0 && changed < 20);
    machine.cpu.variation.taken_counter = 0;
    CHECK_EQUAL(changes(1), 0);
    machine.cpu.variation.taken_counter = DS_TAKEN_PMC0 + 3;
    machine.cpu.profile.general_counters = 2;
    CHECK_EQUAL(changes(1), 0);
}

static void reads_find_it_set_up_anew(void)
{
    unsigned found = 0;

    machine_start(&machine);
    machine.cpu.variation.taken_counter = DS_TAKEN_PMC0 + 2;
    for (unsigned i = 0; i < 10000; i++) {
        machine_write(&machine, IA32_PERFEVTSEL0 + 2, 0);
        found += machine_msr(&machine, IA32_PERFEVTSEL0 + 2) != 0;
    }
    CHECK(found > 0 && found < 100);
}

static void system_management_sets_it_up_anew(void)
{
    machine_start(&machine);
    machine.cpu.variation.taken_counter = DS_TAKEN_PMC0;
    machine_write(&machine, IA32_PERFEVTSEL0, 0);
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    CHECK(machine_msr(&machine, IA32_PERFEVTSEL0) & 1u << 22);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 1);
    uint64_t before = machine_msr(&machine, IA32_PMC0);

    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), before + 3);
}

static void what_firmware_leaves(void)
{
    machine_start(&machine);
    machine.cpu.profile.firmware_counters = true;
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 0xb0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), FIXED(1) | 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERFEVTSEL0), COUNT | CYCLES);
    CHECK_EQUAL(machine_msr(&machine, IA32_PEBS_ENABLE), 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), LBR);
    CHECK(!ds_wants_instructions(&machine.cpu) && !ds_wants_branches(&machine.cpu));
    machine_write(&machine, IA32_MISC_ENABLE, machine_msr(&machine, IA32_MISC_ENABLE));
    CHECK(!ds_wants_instructions(&machine.cpu));
    uint64_t cycles = machine_msr(&machine, IA32_FIXED_CTR0 + 1);

    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 0);
    CHECK(ds_wants_instructions(&machine.cpu) && ds_wants_branches(&machine.cpu));
    machine_run(&machine, 3);
    CHECK(cycles > 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 1), cycles + 3);
    ds_init(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 0xb0);
}

/* Its field comes back, those of its neighbours stay; and so it does in SMM, enabled. */
static void a_fixed_counter_that_others_use(void)
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned found = 0;
        machine_start(&machine);
        machine.cpu.variation.taken_counter = DS_TAKEN_FIXED_0 + i;
        for (unsigned j = 0; j < 10000; j++) {
            machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x888);
            uint64_t control = machine_msr(&machine, IA32_FIXED_CTR_CTRL);
            CHECK_EQUAL(control & ~(0xfull << 4 * i), 0x888 & ~(0xfull << 4 * i));
            CHECK(control >> 4 * i & 8 || (control >> 4 * i & 0xf) == 3);
            found += control != 0x888;
        }
        CHECK(found > 0 && found < 100);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, 0);
        ds_smm_enter(&machine.cpu);
        ds_smm_leave(&machine.cpu);
        CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 3ull << 4 * i);
        CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), FIXED(i));
        uint64_t before = machine_msr(&machine, IA32_FIXED_CTR0 + i);
        machine_run(&machine, 3);
        CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + i), before + 3);
    }
    machine.cpu.profile.fixed_counters = 2;
    ds_reset(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 0);
}

/* Early Core 2: leaf 0AH tells of no fixed counter, which firmware uses all the same. */
static void what_firmware_leaves_of_what_is_not_told(void)
{
    struct ds_profile *profile = &machine.cpu.profile;
    uint32_t regs[4];

    machine_start_model(&machine, 0x0f, 2, 0xc2);
    profile->general_counters = 2, profile->general_width = profile->fixed_width = 40;
    profile->leaf_0a_edx_wrong = 0x503;
    profile->firmware_counters = true;
    CHECK(ds_profile_check(profile) == NULL);
    ds_profile_leaf_0a(profile, regs);
    CHECK_EQUAL(regs[3], 0);
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 0xb0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), FIXED(1) | 1);
    uint64_t cycles = machine_msr(&machine, IA32_FIXED_CTR0 + 1);

    CHECK(cycles > 0);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0xb0);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 1), cycles + 3);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 0);
}

static void what_firmware_can_leave(void)
{
    struct ds_profile *profile = &machine.cpu.profile;

    machine_start(&machine);
    profile->model = 0xff, profile->perfmon_version = 1, profile->fixed_counters = 0;
    profile->ds = profile->dtes64 = profile->ds_cpl = false;
    profile->firmware_counters = true;
    CHECK(ds_profile_check(profile) == NULL);
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), 0);
    uint64_t cycles = machine_msr(&machine, IA32_PMC0);

    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), cycles + 3);
}

const struct test taken_tests[] = {
    {"taken: PMC3 is microcode's", pmc3_is_microcodes},
    {"taken: a counter that others use", a_counter_that_others_use},
    {"taken: a fixed counter that others use", a_fixed_counter_that_others_use},
    {"taken: reads", reads_find_it_set_up_anew},
    {"taken: system management sets it up anew", system_management_sets_it_up_anew},
    {"taken: what firmware leaves", what_firmware_leaves},
    {"taken: what firmware leaves of what is not told", what_firmware_leaves_of_what_is_not_told},
    {"taken: what firmware can leave", what_firmware_can_leave},
    {0},
};
