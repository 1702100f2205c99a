// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural PEBS: its registers, where records go, what is in them, when it interrupts. */
#include "check.h"
#include "machine.h"

#define BASE       0x3f4
#define INDEX      0x3f5
#define COUNTER(n) (0x1900u + 4 * (n))
#define SELECT(n)  (0x1901u + 4 * (n))
#define CONFIG(n)  (0x1903u + 4 * (n))
#define FIXED_C(n) (0x1983u + 4 * (n))

#define EN        (1ull << 32)
#define FULL      (1ull << 31)
#define UNITS(n)  ((uint64_t)(n) << 4)  /* of WR */
#define UPTO(n)   ((uint64_t)(n) << 36) /* of THRESH */
#define THRESHOLD (1ull << 54)          /* of IA32_PERF_GLOBAL_STATUS */

#define PEBS       (1ull << 63)
#define ALLOW      (1ull << 35)
#define GENERAL    (1ull << 36)
#define FIXEDS     (1ull << 37)
#define METRICS    (1ull << 38)
#define LBR_8      (1ull << 40)
#define XMM        (1ull << 49)
#define YMM_HIGH   (1ull << 50)
#define REGISTERS  (1ull << 61)
#define AUX        (1ull << 62)
#define BASIC      (1ull << 63)
#define BASIC_SIZE 64u

#define IP       0x401230
#define NEXT     0x401235
#define MINUS(n) ((uint32_t)(0u - (n)))

static struct machine machine;

static void start(void)
{
    machine_start(&machine);
    struct ds_profile *profile = &machine.cpu.profile;

    profile->perfmon_version = 6;
    profile->general_counters = 10;
    profile->fixed_counters = 4;
    profile->metrics = 4;
    profile->perf_capabilities = 0x3fc5;
    profile->pebs_unavailable = true;
    profile->leaf_23 = 0x3b, profile->events = 0x1dff;
    profile->arch_pebs_config = 0x60060378;
    profile->arch_pebs_counters = 0xf000003ff;
    CHECK(ds_profile_check(profile) == NULL);
    ds_reset(&machine.cpu);
    ds_set_long_mode(&machine.cpu, true);
    machine_write(&machine, BASE, PHYSICAL_BASE);
    machine_write(&machine, INDEX, EN | UPTO(0x100));
}

/* The counter overflows after one instruction, and the next makes a record. */
static void sample(unsigned number, uint64_t config)
{
    machine_write(&machine, SELECT(number), COUNT | INSTRUCTIONS);
    machine_write(&machine, COUNTER(number), (1ull << 48) - 1);
    machine_write(&machine, CONFIG(number), PEBS | config);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0xf000003ff);
}

static void run(unsigned instructions)
{
    struct ds_instruction instruction = {.ip = IP, .next = NEXT, .code_64 = true};

    for (unsigned i = 0; i < instructions; i++) {
        machine.tsc += 10;
        ds_instruction(&machine.cpu, &machine.host, &instruction);
    }
}

static uint64_t at(unsigned offset)
{
    uint64_t value = 0;

    for (unsigned i = 8; i-- > 0;) {
        value = value << 8 | machine.physical[offset + i];
    }
    return value;
}

static uint64_t index_now(void)
{
    return machine_msr(&machine, INDEX);
}

static uint64_t status(void)
{
    return machine_msr(&machine, IA32_PERF_GLOBAL_STATUS);
}

static void check_bits(uint32_t msr, uint64_t mask)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t value = 1ull << bit;
        CHECK_EQUAL(ds_msr_write(&machine.cpu, &machine.host, msr, value),
                    mask & value ? DS_MSR_DONE : DS_MSR_FAULT);
    }
}

static void registers(void)
{
    start();
    check_bits(BASE, 0xffffffffff00f);
    check_bits(INDEX, 0x07fffff187fffff0);
    check_bits(CONFIG(0), 0xe0060378ffffffff);
    check_bits(FIXED_C(3), 0xe0060378ffffffff);
    machine.cpu.variation.block_lacking_fault = true;
    machine_write(&machine, CONFIG(0), PEBS);
    machine_refuses_read(&machine, CONFIG(0) - 1);
    check_bits(IA32_PERF_GLOBAL_STATUS_RESET, 0xcc41000f000003ff);
    machine_write(&machine, BASE, PHYSICAL_BASE | 4);
    CHECK_EQUAL(machine_msr(&machine, BASE), PHYSICAL_BASE | 4);
    machine_refuses_read(&machine, IA32_PEBS_ENABLE);
    machine_refuses_read(&machine, MSR_PEBS_DATA_CFG);
    machine.cpu.variation.old_pebs_registers = 1;
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS);
    machine_write(&machine, CONFIG(0), 0);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    machine_write(&machine, COUNTER(0), (1ull << 48) - 1);
    run(3);
    CHECK_EQUAL(status(), 1);
    machine_start(&machine);
    machine_refuses_read(&machine, BASE);
    machine_refuses(&machine, INDEX, 0);
}

static void leaf_23(void)
{
    uint32_t regs[4];

    start();
    machine.cpu.profile.pdist = 0x100000003;
    ds_profile_leaf_23(&machine.cpu.profile, 0, regs);
    CHECK_EQUAL(regs[0], 0x3b);
    ds_profile_leaf_23(&machine.cpu.profile, 4, regs);
    CHECK_EQUAL(regs[1], 0x60060378);
    CHECK_EQUAL(regs[0] | regs[2] | regs[3], 0);
    ds_profile_leaf_23(&machine.cpu.profile, 5, regs);
    CHECK_EQUAL(regs[0], 0x3ff);
    CHECK_EQUAL(regs[1], 3);
    CHECK_EQUAL(regs[2], 0xf);
    CHECK_EQUAL(regs[3], 1);
}

static void contradictions(void)
{
    start();
    struct ds_profile healthy = machine.cpu.profile, profile = healthy;

    profile.pebs_unavailable = false;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.leaf_23 = 0xb;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.arch_pebs_counters = 0;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.arch_pebs_counters |= 1ull << 11;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.arch_pebs_config |= 1;
    CHECK(ds_profile_check(&profile) != NULL);
    profile = healthy, profile.perf_capabilities = 0x36c0;
    CHECK(ds_profile_check(&profile) != NULL);
}

static void basic_record(void)
{
    start();
    sample(0, MINUS(7));
    run(1);
    CHECK_EQUAL(status(), 1);
    CHECK_EQUAL(index_now(), EN | UPTO(0x100));
    run(1);
    CHECK_EQUAL(status(), 0);
    CHECK_EQUAL(index_now(), EN | UPTO(0x100) | UNITS(BASIC_SIZE / 16));
    CHECK_EQUAL(machine_msr(&machine, COUNTER(0)), (1ull << 48) - 7);
    CHECK_EQUAL(at(0), BASIC | 1ull << 30 | BASIC_SIZE);
    CHECK_EQUAL(at(8), 0);
    CHECK_EQUAL(at(0x10), IP);
    CHECK_EQUAL(at(0x18), 1);
    CHECK_EQUAL(at(0x20), machine.tsc);
    CHECK_EQUAL(at(0x28), 10 | 1ull << 16);
    CHECK_EQUAL(at(0x30) | at(0x38), 0);
    CHECK_EQUAL(at(0x40), 0xa5a5a5a5a5a5a5a5);
    CHECK_EQUAL(machine.pmis, 0);
    run(8);
    CHECK_EQUAL(index_now() & 0x7fffff0, UNITS(2 * BASIC_SIZE / 16));
    CHECK_EQUAL(at(BASIC_SIZE + 0x10), IP);
}

static void each_kind_of_counter(void)
{
    start();
    sample(9, MINUS(100));
    run(2);
    CHECK_EQUAL(at(0x18), 1u << 9);
    CHECK_EQUAL(machine_msr(&machine, COUNTER(9)), (1ull << 48) - 100);
    start();
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x30);
    machine_write(&machine, IA32_FIXED_CTR0 + 1, (1ull << 48) - 1);
    machine_write(&machine, FIXED_C(1), PEBS | MINUS(50));
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, FIXED(1));
    run(2);
    CHECK_EQUAL(at(0x18), FIXED(1));
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 1), (1ull << 48) - 50);
}

static void threshold(void)
{
    start();
    machine_write(&machine, INDEX, EN | UPTO(2 * BASIC_SIZE / 16));
    sample(0, MINUS(1));
    run(3);
    CHECK_EQUAL(machine.pmis, 0);
    run(1);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(status(), THRESHOLD);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, THRESHOLD);
    CHECK_EQUAL(status(), 0);
    run(2);
    CHECK_EQUAL(machine.pmis, 2);
}

static void full(bool early)
{
    start();
    machine.cpu.variation.arch_pebs_full_early = early;
    machine_write(&machine, INDEX, EN | UPTO(0x7fffff) | UNITS((0x1000 - BASIC_SIZE - 16) / 16));
    sample(0, MINUS(1));
    run(2);
    CHECK_EQUAL(index_now() & FULL, early ? FULL : 0);
    CHECK_EQUAL(index_now() & 0x7fffff0, 0xff0);
    run(2);
    CHECK_EQUAL(index_now() & FULL, FULL);
    CHECK_EQUAL(index_now() & 0x7fffff0, 0xff0);
    CHECK_EQUAL(at(0x1000), 0xa5a5a5a5a5a5a5a5);
    CHECK_EQUAL(machine.pmis, 0);
    machine_write(&machine, INDEX, EN | FULL | UPTO(0x7fffff));
    run(4);
    CHECK_EQUAL(index_now(), EN | FULL | UPTO(0x7fffff));
    CHECK_EQUAL(at(0), 0xa5a5a5a5a5a5a5a5);
}

static void full_buffer(void)
{
    full(false);
    full(true);
    start();
    machine.cpu.variation.arch_pebs_full_interrupts = 1;
    machine_write(&machine, INDEX, EN | UPTO(0x7fffff) | UNITS(0xffc));
    sample(0, MINUS(1));
    machine_write(&machine, INDEX, EN | UPTO(0x7fffff) | UNITS(0xfd));
    run(6);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(status() & THRESHOLD, THRESHOLD);
}

static void switched_off(void)
{
    for (unsigned overflows = 0; overflows < 2; overflows++) {
        start();
        machine.cpu.variation.arch_pebs_off_overflows = overflows;
        machine_write(&machine, INDEX, 0);
        sample(0, MINUS(5));
        machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
        run(2);
        CHECK_EQUAL(machine.pmis, overflows);
        CHECK_EQUAL(machine_msr(&machine, COUNTER(0)), overflows ? 1 : (1ull << 48) - 5);
        CHECK_EQUAL(index_now(), 0);
        CHECK_EQUAL(at(0), 0xa5a5a5a5a5a5a5a5);
    }
}

static void all_groups(bool split)
{
    uint64_t groups = AUX | REGISTERS | XMM | YMM_HIGH | LBR_8 | GENERAL | FIXEDS | METRICS;
    uint64_t later = XMM | YMM_HIGH | LBR_8 | GENERAL | FIXEDS | METRICS;
    unsigned first = 16 + 48 + 64 + 160, place = split ? first + 16 : first;
    unsigned size = place + 16 + 512 + 48 + 8 * 24 + 16 + 3 * 8 + 2 * 8;

    start();
    machine.cpu.variation.arch_pebs_split = split;
    machine.registers.rflags = 0x246;
    for (unsigned i = 0; i < 16; i++) {
        machine.registers.general[i] = 0x100 + i;
        machine.registers.xmm[i][0] = 0x200 + i;
        machine.registers.ymm_high[i][1] = 0x300 + i;
    }
    machine_write(&machine, CONFIG(3), ALLOW);
    machine_write(&machine, COUNTER(3), 0x3333333333);
    machine_write(&machine, FIXED_C(2), ALLOW);
    machine_write(&machine, IA32_FIXED_CTR0 + 2, 0x2222);
    machine_write(&machine, IA32_FIXED_CTR0 + 3, 0x7777);
    sample(0, MINUS(7) | groups | ALLOW);
    run(2);
    size += size % 16;
    CHECK_EQUAL(index_now() & 0x7fffff0, size);
    CHECK_EQUAL(at(0), BASIC | 1ull << 30 |
                           (split ? (groups & ~later) | 1ull << 31 | first : groups | size));
    CHECK_EQUAL(at(0x40) | at(0x78), 0);
    CHECK_EQUAL(at(0x80), 0x246);
    CHECK_EQUAL(at(0x88), NEXT);
    CHECK_EQUAL(at(0x90), 0x100);
    CHECK_EQUAL(at(0x90 + 15 * 8), 0x10f);
    CHECK_EQUAL(at(first - 16) | at(first - 8), 0);
    if (split) {
        CHECK_EQUAL(at(first), later | 1ull << 30 | (size - first));
    }
    CHECK_EQUAL(at(place + 16), 0x200);
    CHECK_EQUAL(at(place + 16 + 256 + 8), 0x300);
    place += 16 + 512 + 48 + 8 * 24;
    CHECK_EQUAL(at(place), 9 | 4ull << 32);
    CHECK_EQUAL(at(place + 8), 3);
    CHECK_EQUAL(at(place + 16), 1);
    CHECK_EQUAL(at(place + 24), 0x3333333333);
    CHECK_EQUAL(at(place + 32), 0x2222);
    CHECK_EQUAL(at(place + 40), 0x7777);
}

static void groups(void)
{
    all_groups(false);
    all_groups(true);
}

/* Whether its own counter needs permission, too. */
static void own_counter(void)
{
    for (unsigned always = 0; always < 2; always++) {
        start();
        machine.cpu.variation.arch_pebs_tells_own = always;
        sample(0, MINUS(7) | GENERAL);
        run(2);
        CHECK_EQUAL(at(BASIC_SIZE), always);
        CHECK_EQUAL(at(0) & 0xffff, BASIC_SIZE + (always ? 32 : 16));
    }
}

/* What else is open: whose address, and how large the units are that fragments fill. */
static void address_and_unit(void)
{
    start();
    machine.cpu.variation.arch_pebs_ip_next = 1;
    machine.cpu.variation.arch_pebs_wide_unit = 1;
    machine.cpu.variation.arch_pebs_keeps_overflow = 1;
    sample(0, MINUS(7) | GENERAL | ALLOW);
    run(2);
    CHECK_EQUAL(status(), 1);
    CHECK_EQUAL(at(0x10), NEXT);
    CHECK_EQUAL(at(0) & 0xffff, 128);
    CHECK_EQUAL(at(BASIC_SIZE), 1);
    CHECK_EQUAL(at(BASIC_SIZE + 16), 1);
    CHECK_EQUAL(at(BASIC_SIZE + 24) | at(BASIC_SIZE + 56), 0);
    CHECK_EQUAL(index_now() & 0x7fffff0, 128);
}

static void untold_latency(void)
{
    start();
    sample(0, MINUS(1));
    run(1);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 0);
    run(1);
    CHECK_EQUAL(at(0x28), 0);
}

static void init(void)
{
    for (unsigned keeps = 0; keeps < 2; keeps++) {
        start();
        machine.cpu.variation.init_keeps_arch_pebs = keeps;
        ds_init(&machine.cpu);
        CHECK_EQUAL(machine_msr(&machine, BASE), keeps ? PHYSICAL_BASE : 0);
        CHECK_EQUAL(index_now(), keeps ? EN | UPTO(0x100) : 0);
        ds_reset(&machine.cpu);
        CHECK_EQUAL(machine_msr(&machine, BASE) | index_now(), 0);
    }
}

const struct test arch_pebs_tests[] = {
    {"arch pebs: registers", registers},
    {"arch pebs: leaf 23H", leaf_23},
    {"arch pebs: contradictions", contradictions},
    {"arch pebs: basic record", basic_record},
    {"arch pebs: each kind of counter", each_kind_of_counter},
    {"arch pebs: threshold", threshold},
    {"arch pebs: full buffer", full_buffer},
    {"arch pebs: switched off", switched_off},
    {"arch pebs: groups", groups},
    {"arch pebs: its own counter", own_counter},
    {"arch pebs: address and unit", address_and_unit},
    {"arch pebs: latency that is not known", untold_latency},
    {"arch pebs: INIT", init},
    {0},
};
