// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of versions 5 and 6: leaf 23H, blocks, counter reload, slots, kinds of branches. */
#include "check.h"
#include "machine.h"

#define GENERAL(n)     (0x1900u + 4 * (n))
#define FIXED_BLOCK(n) (0x1980u + 4 * (n))
#define METRICS_ON     (1ull << 48)
#define MOST           0xffffffffffffull

static struct machine machine;

/* Like a P-core of Lunar Lake, or an E-core (F21.11). */
static void start(bool e_core)
{
    machine_start_model(&machine, 0xbd, 6, e_core ? 0x76ff : 0xf6ff);
    struct ds_profile *profile = &machine.cpu.profile;

    profile->hybrid = true, profile->core_kind = e_core ? 0x20000003 : 0x40000003;
    profile->leaf_0a_general = 8, profile->leaf_0a_fixed = 3;
    profile->general_counters = e_core ? 8 : 10;
    profile->fixed_counters = e_core ? 6 : 4;
    profile->fixed_mask = e_core ? 0x77 : 0;
    profile->unit_mask_2 = profile->equal_bit = true;
    profile->leaf_23 = e_core ? 0xf : 0xb;
    profile->events = e_core ? 0x1f7f : 0x1dff;
    profile->slots_per_cycle = e_core ? 8 : 0;
    profile->metrics = e_core ? 0 : 8;
    profile->reloadable = profile->reload_causes = e_core ? 0x3000000fc : 0;
    CHECK(ds_profile_check(profile) == NULL);
}

/* The same cores in Arrow Lake-H, which says version 5 (F21.14). */
static void start_version_5(bool e_core)
{
    start(e_core);
    machine.cpu.profile.perfmon_version = 5;
    machine.cpu.profile.perf_capabilities = e_core ? 0x75ff : 0xf5ff;
    CHECK(ds_profile_check(&machine.cpu.profile) == NULL);
}

static void check_leaf(uint32_t subleaf, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t regs[4];

    ds_profile_leaf_23(&machine.cpu.profile, subleaf, regs);
    CHECK_EQUAL(regs[0], a);
    CHECK_EQUAL(regs[1], b);
    CHECK_EQUAL(regs[2], c);
    CHECK_EQUAL(regs[3], d);
}

/* What never happens here is not enumerated: the cache's events, slots that wait for memory. */
static void leaf_23_tells_what_this_core_has(void)
{
    start(false);
    check_leaf(0, 0xb, 3, 0, 0);
    check_leaf(1, 0x3ff, 0xf, 0, 0);
    check_leaf(2, 0, 0, 0, 0);
    check_leaf(3, 0x1ce7, 0, 0, 0);
    start(true);
    check_leaf(0, 0xf, 3, 8, 0);
    check_leaf(1, 0xff, 0x77, 0, 0);
    check_leaf(2, 0xfc, 3, 0xfc, 3);
    check_leaf(3, 0x1e67, 0, 0, 0);
    check_leaf(4, 0, 0, 0, 0);
    check_leaf(~0u, 0, 0, 0, 0);
}

static void profiles_that_contradict_themselves(void)
{
    start(true);
    machine.cpu.profile.fixed_mask = 0x7f;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
    start(true);
    machine.cpu.profile.reloadable |= 1ull << 35;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
    start_version_5(true);
    machine.cpu.profile.leaf_23 = 0xb; /* which does not tell of them */
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
    start(true);
    machine.cpu.profile.metrics = 4; /* without fixed counter 3 */
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
    start(false);
    machine.cpu.profile.metrics = 5;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
    start(false);
    machine.cpu.profile.leaf_23 = 2;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
}

static void blocks_are_the_same_counters(void)
{
    start(false);
    for (uint32_t i = 0; i < 10; i++) {
        machine_write(&machine, GENERAL(i), 0x800000000001 + i);
        machine_write(&machine, GENERAL(i) + 1, 0x0112003cull + i);
        if (i < 8) {
            CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + i), 0x800000000001 + i);
            CHECK_EQUAL(machine_msr(&machine, IA32_PERFEVTSEL0 + i), 0x0112003cull + i);
            machine_write(&machine, IA32_PMC0 + i, 5);
            CHECK_EQUAL(machine_msr(&machine, GENERAL(i)), 5);
        } else {
            machine_refuses_read(&machine, IA32_PMC0 + i);
            machine_refuses_read(&machine, IA32_PERFEVTSEL0 + i);
        }
    }
    machine_write(&machine, FIXED_BLOCK(2), 0x123456789a);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 2), 0x123456789a);
    machine_refuses_read(&machine, FIXED_BLOCK(2) + 1);
    machine_refuses_read(&machine, GENERAL(10));
    machine_refuses(&machine, GENERAL(0), 1ull << 48);
    start(true);
    machine_refuses_read(&machine, IA32_FIXED_CTR0 + 3);
    machine_refuses_read(&machine, FIXED_BLOCK(3));
    machine_write(&machine, FIXED_BLOCK(6), 9);
    machine_refuses_read(&machine, IA32_FIXED_CTR0 + 6);
    machine.cpu.variation.old_numbers_go_on = true;
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 6), 9);
    machine_start_model(&machine, 0x8f, 5, 0x74ff);
    machine_refuses_read(&machine, GENERAL(0));
}

/* Below version 6 there is no other way to them; of the blocks there is what reloads. */
static void version_5_goes_on_with_the_old_numbers(void)
{
    start_version_5(false);
    for (uint32_t i = 0; i < 10; i++) {
        machine_write(&machine, IA32_A_PMC0 + i, 0x800000000001 + i);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + i), 0x800000000001 + i);
        machine_write(&machine, IA32_PERFEVTSEL0 + i, 0x0112003cull + i);
        CHECK_EQUAL(machine_msr(&machine, IA32_PERFEVTSEL0 + i), 0x0112003cull + i);
        machine_refuses_read(&machine, GENERAL(i));
        machine_refuses_read(&machine, GENERAL(i) + 2);
    }
    start_version_5(true);
    machine_refuses_read(&machine, IA32_PMC0 + 8);
    machine_refuses_read(&machine, IA32_FIXED_CTR0 + 3);
    machine_write(&machine, IA32_FIXED_CTR0 + 6, 9);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 6), 9);
    machine_refuses_read(&machine, FIXED_BLOCK(6));
    machine_refuses_read(&machine, GENERAL(2) + 1);
    machine_write(&machine, GENERAL(2) + 3, 0x12345678);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(2) + 3), 0x12345678);
}

static void open_points_of_blocks(void)
{
    start(false);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(3) + 2), 0);
    machine_write(&machine, GENERAL(3) + 3, 0);
    machine_refuses(&machine, GENERAL(3) + 3, 1);
    machine.cpu.variation.block_lacking_fault = true;
    machine_refuses_read(&machine, GENERAL(3) + 2);
    machine.cpu.variation.block_write_narrow = true;
    machine_write(&machine, GENERAL(9), 0x80000000);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(9)), 0xffff80000000);
    machine_write(&machine, GENERAL(9) + 1, CYCLES);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 1u << 9);
    machine.cpu.variation.inuse_lacks_newer = true;
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 0);
}

/* Each one by itself: PMC9, and the fixed counters above the hole. */
static void the_last_counters_overflow_and_freeze(void)
{
    start(false);
    machine_write(&machine, IA32_DEBUGCTL, FREEZE_PERFMON);
    machine_write(&machine, GENERAL(9), MOST - 1);
    machine_write(&machine, GENERAL(9) + 1, COUNT_INT | INSTRUCTIONS);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1u << 9);
    machine_run(&machine, 9);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), CTR_FRZ | 1u << 9);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(9)), 0);
    for (uint32_t i = 4; i < 7; i++) {
        start(true);
        machine_write(&machine, FIXED_BLOCK(i), MOST);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, 0xbull << 4 * i);
        machine_write(&machine, IA32_PERF_GLOBAL_CTRL, FIXED(i));
        machine_run(&machine, 9);
        CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), i == 4 ? 0 : FIXED(i));
        CHECK_EQUAL(machine.pmis, i == 4 ? 0 : 1); /* nothing is mispredicted */
        machine_refuses(&machine, IA32_FIXED_CTR_CTRL, 0x1000);
    }
}

static void one_overflow_reloads(void)
{
    for (uint32_t i = 2; i < 5; i++) {
        machine_write(&machine, IA32_PERFEVTSEL0 + i, COUNT | INSTRUCTIONS);
    }
    machine_write(&machine, IA32_A_PMC0 + 2, MOST - 2);
    machine_write(&machine, GENERAL(3) + 2, 1u << 2);
    machine_write(&machine, GENERAL(3) + 3, 0xfffffff0);
    machine_write(&machine, GENERAL(4) + 2, 1u << 3);
    machine_refuses(&machine, GENERAL(3) + 2, 1);
    machine_refuses(&machine, GENERAL(0) + 2, 4);
    machine_refuses(&machine, GENERAL(3) + 3, 1ull << 32);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x1c);
    machine_run(&machine, 2);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 3), 2);
    machine_run(&machine, 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 2), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 3), 0xfffffffffff0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 4), 3);
    machine_run(&machine, 16);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 3), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 4), 0);
}

static void one_overflow_reloads_others(void)
{
    start(true);
    one_overflow_reloads();
    start_version_5(true);
    one_overflow_reloads();
}

static void metrics_are_fractions_of_the_slots(void)
{
    uint64_t value;

    start(false);
    machine_write(&machine, MSR_PERF_METRICS, 0);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x3000);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, FIXED(3));
    machine_run(&machine, 5);
    CHECK_EQUAL(machine_msr(&machine, MSR_PERF_METRICS), 0);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, FIXED(3) | METRICS_ON);
    machine_run(&machine, 9);
    machine_run_branch(&machine, 1, true); /* mispredicted: 3 of 40 slots */
    uint64_t retiring = 0xff / 4, bad = 3 * 0xff / 40, frontend = 0xff - retiring - bad;
    uint64_t all = retiring | bad << 8 | frontend << 16 | bad << 40 | frontend << 48;
    CHECK_EQUAL(machine_msr(&machine, MSR_PERF_METRICS), all);
    CHECK(ds_rdpmc(&machine.cpu, 0, 1u << 29, &value));
    CHECK_EQUAL(value, all);
    machine.cpu.profile.metrics = 4;
    CHECK_EQUAL(machine_msr(&machine, MSR_PERF_METRICS), all & 0xffffffff);
    machine_write(&machine, MSR_PERF_METRICS, 0);
    CHECK_EQUAL(machine_msr(&machine, MSR_PERF_METRICS), 0);
    start(true);
    machine_refuses_read(&machine, MSR_PERF_METRICS);
    machine_refuses(&machine, IA32_PERF_GLOBAL_CTRL, METRICS_ON);
    CHECK(!ds_rdpmc(&machine.cpu, 0, 1u << 29, &value));
}

static void what_the_newer_bits_of_a_select_do(void)
{
    uint64_t value = 0;

    start(true);
    machine.cpu.profile.rdpmc_user_disable = true;
    machine_write(&machine, GENERAL(0) + 1, COUNT | 0x019c | 7ull << 24 | 1ull << 36);
    machine_write(&machine, GENERAL(1) + 1, COUNT | 0x019c | 6ull << 24 | 1ull << 36);
    machine_write(&machine, GENERAL(2) + 1, COUNT | 0x019c | 6ull << 24);
    machine_write(&machine, GENERAL(3) + 1, COUNT | INSTRUCTIONS | 1ull << 40);
    machine_write(&machine, GENERAL(4) + 1, COUNT | INSTRUCTIONS | 1ull << 37);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x1f);
    machine_run(&machine, 5); /* seven of eight slots wait for the front end each time */
    CHECK_EQUAL(machine_msr(&machine, GENERAL(0)), 5);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(1)), 0);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(2)), 5);
    CHECK_EQUAL(machine_msr(&machine, GENERAL(3)), 0);
    CHECK(ds_rdpmc(&machine.cpu, 0, 4, &value));
    CHECK_EQUAL(value, 5);
    CHECK(ds_rdpmc(&machine.cpu, 3, 4, &value));
    CHECK_EQUAL(value, 0);
    machine.cpu.variation.user_read_fault = true;
    CHECK(!ds_rdpmc(&machine.cpu, 3, 4, &value));
}

static void take(enum ds_branch_kind kind, unsigned number)
{
    uint64_t from = machine_from(number), to = machine_to(number);
    struct ds_branch branch = {.from = from, .to = to, .kind = kind};
    struct ds_instruction instruction = {.ip = from, .next = to, .branch = true};

    ds_branch(&machine.cpu, &machine.host, &branch);
    ds_instruction(&machine.cpu, &machine.host, &instruction);
}

/* One taken branch of each kind, and one conditional that is not, by the umasks of event C4H. */
static void check_kinds(unsigned model, unsigned version, const unsigned (*rows)[2])
{
    for (; (*rows)[0]; rows++) {
        machine_start_model(&machine, model, version, 0x74ff);
        machine_write(&machine, IA32_PERFEVTSEL0, COUNT | 0xc4u | (*rows)[0] << 8);
        machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
        for (unsigned kind = DS_BRANCH_CONDITIONAL; kind <= DS_BRANCH_FAR; kind++) {
            take((enum ds_branch_kind)kind, kind + 1);
        }
        machine_run_branch(&machine, 20, false);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), (*rows)[1]);
    }
}

static void branches_by_kind(void)
{
    static const unsigned ice_lake[][2] = {{0x01, 1}, {0x11, 2}, {0x10, 1}, {0x02, 2}, {0x08, 1},
                                           {0x20, 6}, {0x40, 1}, {0x80, 2}, {0x04, 0}, {0, 0}};
    static const unsigned haswell[][2] = {{0x01, 2}, {0x02, 2}, {0x08, 1}, {0x10, 1},
                                          {0x20, 6}, {0x40, 1}, {0x04, 8}, {0, 0}};
    static const unsigned atom[][2] = {{0x7e, 2}, {0xfe, 1}, {0xf9, 2}, {0xf7, 1},
                                       {0xbf, 1}, {0x20, 0}, {0, 0}};

    check_kinds(0x8f, 5, ice_lake);
    check_kinds(0x3c, 3, haswell);
    check_kinds(0xaf, 5, atom);
}

static void inserts_into_the_stack(void)
{
    start(false);
    struct ds_profile *profile = &machine.cpu.profile;

    profile->arch_lbr = true;
    profile->lbr_leaf_eax = 0x4000000b, profile->lbr_leaf_ebx = 7, profile->lbr_leaf_ecx = 7;
    ds_reset(&machine.cpu);
    machine_write(&machine, 0x14ce, 0x7f0007);
    machine_run_branch(&machine, 1, true); /* nothing counts yet */
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | 0x01e4);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    machine_run_branch(&machine, 2, true);
    machine_run_branch(&machine, 3, false);
    machine_run_branch(&machine, 4, true);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 2);
}

const struct test newer_tests[] = {
    {"newer: leaf 23H tells what this core has", leaf_23_tells_what_this_core_has},
    {"newer: profiles that contradict themselves", profiles_that_contradict_themselves},
    {"newer: blocks are the same counters", blocks_are_the_same_counters},
    {"newer: version 5 goes on with the old numbers", version_5_goes_on_with_the_old_numbers},
    {"newer: open points of blocks", open_points_of_blocks},
    {"newer: the last counters overflow and freeze", the_last_counters_overflow_and_freeze},
    {"newer: one overflow reloads others", one_overflow_reloads_others},
    {"newer: metrics are fractions of the slots", metrics_are_fractions_of_the_slots},
    {"newer: what the newer bits of a select do", what_the_newer_bits_of_a_select_do},
    {"newer: branches by kind", branches_by_kind},
    {"newer: inserts into the stack", inserts_into_the_stack},
    {0},
};
