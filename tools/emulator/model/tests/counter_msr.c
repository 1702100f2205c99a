// SPDX-License-Identifier: GPL-2.0-or-later
/* The counters' registers by version: which exist, which bits they take, what they read. */
#include "check.h"
#include "machine.h"

static struct machine machine;

/* Checks that exactly the bits of mask can be set in msr, each alone. */
static void check_bits(uint32_t msr, uint64_t mask)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t value = 1ull << bit;
        CHECK_EQUAL(ds_msr_write(&machine.cpu, &machine.host, msr, value),
                    mask & value ? DS_MSR_DONE : DS_MSR_FAULT);
    }
}

static void legacy_write_extends_bit_31(void)
{
    machine_start(&machine);
    machine_write(&machine, IA32_PMC0, 0x1234567880000000);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0xffff80000000);
    machine_write(&machine, IA32_PMC0, 0xffffffff7fffffff);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0x7fffffff);
    machine.cpu.profile.general_width = 40;
    machine_write(&machine, IA32_PMC0, 0xfffffffe);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0xfffffffffe);
}

static void full_width_write(void)
{
    machine_start(&machine);
    machine_write(&machine, IA32_A_PMC0 + 3, 0x800000000001);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 3), 0x800000000001);
    CHECK_EQUAL(machine_msr(&machine, IA32_A_PMC0 + 3), 0x800000000001);
    check_bits(IA32_A_PMC0, 0xffffffffffff);
    check_bits(IA32_FIXED_CTR0, 0xffffffffffff);
    machine.cpu.profile.perf_capabilities = 0x13c5;
    machine_refuses(&machine, IA32_A_PMC0, 1);
    machine_refuses_read(&machine, IA32_A_PMC0);
}

static void counters_that_are_not_there(void)
{
    machine_start(&machine);
    machine.cpu.profile.general_counters = 4;
    machine_write(&machine, IA32_PMC0 + 3, 1);
    machine_refuses(&machine, IA32_PMC0 + 4, 1);
    machine_refuses(&machine, IA32_PERFEVTSEL0 + 4, 0);
    machine_refuses(&machine, IA32_A_PMC0 + 4, 0);
    machine_refuses(&machine, IA32_FIXED_CTR0 + 3, 0);
    machine_refuses_read(&machine, IA32_PMC0 + 4);
    machine_refuses_read(&machine, IA32_FIXED_CTR0 + 3);
    check_bits(IA32_PERF_GLOBAL_CTRL, 0x70000000f);
}

static void select_bits_by_version(void)
{
    machine_start(&machine);
    check_bits(IA32_PERFEVTSEL0, 0xffffffff);
    machine.cpu.profile.rtm = true;
    check_bits(IA32_PERFEVTSEL0, 0x1ffffffff);
    check_bits(IA32_PERFEVTSEL0 + 2, 0x3ffffffff);
    machine_start_model(&machine, 0x17, 2, 0x10c2);
    check_bits(IA32_PERFEVTSEL0, 0xffdfffff);
    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    check_bits(IA32_PERFEVTSEL0, 0x4ffdfffff);
}

static void without_any_thread(void)
{
    machine_start_model(&machine, 0x7a, 4, 0x33c7);
    machine.cpu.profile.any_thread_gone = true;
    check_bits(IA32_PERFEVTSEL0, 0xffdfffff);
    check_bits(IA32_FIXED_CTR_CTRL, 0xbbb);
}

static void fixed_control_bits_by_version(void)
{
    machine_start(&machine);
    check_bits(IA32_FIXED_CTR_CTRL, 0xfff);
    machine_start_model(&machine, 0x17, 2, 0x10c2);
    check_bits(IA32_FIXED_CTR_CTRL, 0xbbb);
    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    check_bits(IA32_FIXED_CTR_CTRL, 0x11100000bbb);
}

static void global_registers_by_version(void)
{
    for (unsigned version = 1; version <= 5; version++) {
        machine_start_model(&machine, 0x17, version, 0x10c2);
        enum ds_msr_result since_2 = version >= 2 ? DS_MSR_DONE : DS_MSR_FAULT;
        enum ds_msr_result since_4 = version >= 4 ? DS_MSR_DONE : DS_MSR_FAULT;
        uint64_t value;
        for (uint32_t msr = IA32_FIXED_CTR_CTRL; msr <= IA32_PERF_GLOBAL_INUSE; msr++) {
            CHECK_EQUAL(ds_msr_read(&machine.cpu, msr, &value),
                        msr <= IA32_PERF_GLOBAL_STATUS_RESET ? since_2 : since_4);
        }
    }
}

static void reserved_bits_of_the_global_registers(void)
{
    machine_start(&machine);
    check_bits(IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
    check_bits(IA32_PERF_GLOBAL_STATUS_RESET, 0x7000000ff | LBR_FRZ | CTR_FRZ | OVFBUF | CONDCHGD);
    check_bits(IA32_PERF_GLOBAL_STATUS_SET, 0x7000000ff | LBR_FRZ | CTR_FRZ | OVFBUF);
    check_bits(IA32_PERF_GLOBAL_STATUS, 0);
    check_bits(IA32_PERF_GLOBAL_INUSE, 0);
    machine_start_model(&machine, 0x3c, 3, 0x32c4);
    check_bits(IA32_PERF_GLOBAL_STATUS_RESET, 0x7000000ff | OVFBUF | CONDCHGD);
    check_bits(IA32_PERF_GLOBAL_STATUS_SET, 0);
}

static void writes_to_what_is_read_only(void)
{
    machine_start(&machine);
    machine.cpu.variation.status_write_ignored = true;
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 1);
    machine_refuses(&machine, IA32_PERF_GLOBAL_INUSE, 0);
    machine.cpu.variation.inuse_write_ignored = true;
    machine_write(&machine, IA32_PERF_GLOBAL_INUSE, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 0);
}

static void status_bits_that_are_lacking(void)
{
    machine_start(&machine);
    machine.cpu.variation.status_bits_ignored = true;
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS),
                0x7000000ff | LBR_FRZ | CTR_FRZ | OVFBUF);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 0);
    machine_refuses(&machine, IA32_PERF_GLOBAL_CTRL, 1ull << 40);
}

/* Writes all bits of mask to a register, over the others of value; what is then read. */
static uint64_t lacking(uint32_t msr, uint64_t value, uint64_t mask)
{
    machine_write(&machine, msr, value | mask);
    return machine_msr(&machine, msr) ^ value;
}

static void bits_of_a_facility_that_is_gone(void)
{
    static const uint64_t rtm = 3ull << 32;

    machine_start_model(&machine, 0x3c, 3, 0x32c4);
    machine_refuses(&machine, IA32_PERFEVTSEL0 + 2, rtm);
    machine.cpu.variation.select_without_rtm = DS_LACKING_IGNORED;
    CHECK_EQUAL(lacking(IA32_PERFEVTSEL0 + 2, CYCLES, rtm), 0);
    machine_refuses(&machine, IA32_PERFEVTSEL0, rtm); /* one of them is PMC2's alone */
    machine.cpu.variation.select_without_rtm = DS_LACKING_STICKS;
    CHECK_EQUAL(lacking(IA32_PERFEVTSEL0 + 2, CYCLES, rtm), rtm);
    machine_start_model(&machine, 0x3a, 3, 0x31c3); /* never had it */
    machine.cpu.variation.select_without_rtm = DS_LACKING_STICKS;
    machine_refuses(&machine, IA32_PERFEVTSEL0 + 2, rtm);
}

static void bits_of_any_thread_that_are_deprecated(void)
{
    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    machine.cpu.variation.any_thread_deprecated = DS_LACKING_IGNORED;
    CHECK_EQUAL(lacking(IA32_PERFEVTSEL0, CYCLES, 1u << 21), 0);
    CHECK_EQUAL(lacking(IA32_FIXED_CTR_CTRL, 3, 0x444), 0);
    machine.cpu.variation.any_thread_deprecated = DS_LACKING_STICKS;
    CHECK_EQUAL(lacking(IA32_PERFEVTSEL0, CYCLES, 1u << 21), 1u << 21);
    CHECK_EQUAL(lacking(IA32_FIXED_CTR_CTRL, 3, 0x444), 0x444);
    machine_start_model(&machine, 0x17, 2, 0x10c2); /* not there yet */
    machine.cpu.variation.any_thread_deprecated = DS_LACKING_STICKS;
    machine_refuses(&machine, IA32_PERFEVTSEL0, 1u << 21);
}

static void counters_of_the_other_thread(void)
{
    uint64_t value;

    machine_start(&machine);
    machine.cpu.profile.general_counters = 4;
    machine_refuses(&machine, IA32_PMC0 + 4, 0);
    CHECK(!ds_rdpmc(&machine.cpu, 0, 7, &value));
    machine.cpu.variation.upper_counters = true;
    machine_write(&machine, IA32_A_PMC0 + 7, 0x123456789a);
    machine_write(&machine, IA32_PERFEVTSEL0 + 7, COUNT | INSTRUCTIONS);
    machine_refuses(&machine, IA32_PERF_GLOBAL_CTRL, 0x80);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0xf);
    machine_run(&machine, 10);
    CHECK(ds_rdpmc(&machine.cpu, 0, 7, &value));
    CHECK_EQUAL(value, 0x123456789a);
    CHECK(!ds_rdpmc(&machine.cpu, 0, 8, &value));
    machine_start_model(&machine, 0x1a, 3, 0x31c3); /* a core of four */
    machine.cpu.profile.general_counters = 4;
    machine.cpu.variation.upper_counters = true;
    machine_refuses(&machine, IA32_PMC0 + 4, 0);
}

static void bits_that_some_processors_lack(void)
{
    machine_start(&machine);
    machine.cpu.profile.pin_control_gone = true;
    check_bits(IA32_PERFEVTSEL0, 0xfff7ffff);
    machine_refuses(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 61);
    machine.cpu.profile.ovf_uncore = true;
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 61);
}

/* As Core 2 has it: nothing is refused. */
static void bits_that_are_ignored(void)
{
    machine_start_model(&machine, 0x0f, 2, 0xc2);
    machine.cpu.profile.general_width = machine.cpu.profile.fixed_width = 40;
    machine.cpu.profile.counter_bits_ignored = true;
    machine_write(&machine, IA32_PERFEVTSEL0, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERFEVTSEL0), 0xffdfffff);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR_CTRL), 0xbbb);
    machine_write(&machine, IA32_FIXED_CTR0, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0), 0xffffffffff);
    machine_write(&machine, IA32_PEBS_ENABLE, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PEBS_ENABLE), 1);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, ~0ull);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 0x7000000ff);
    machine_refuses(&machine, IA32_PERF_GLOBAL_STATUS, 0);
    machine.cpu.profile.global_ctrl_keeps = true;
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, ~0ull);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), ~0ull);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0), 2);
}

static void in_use_without_fixed_3(void)
{
    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    machine.cpu.profile.fixed_counters = 4;
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x3003);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), FIXED(0) | FIXED(3));
    machine.cpu.variation.inuse_lacks_fixed_3 = true;
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), FIXED(0));
}

static void status_set_and_reset(void)
{
    machine_start(&machine);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, 5 | FIXED(1) | OVFBUF);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 5 | FIXED(1) | OVFBUF);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS_SET), 0);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 4 | OVFBUF);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 1 | FIXED(1));
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS_RESET), 0);
    CHECK_EQUAL(machine.pmis, 0);
}

static void in_use(void)
{
    machine_start(&machine);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 0);
    machine_write(&machine, IA32_PERFEVTSEL0 + 3, CYCLES);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x20);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 1u << 3 | FIXED(1));
    machine_write(&machine, IA32_PERFEVTSEL0 + 3, 1u << 20 | CYCLES);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 1u << 3 | FIXED(1) | 1ull << 63);
    machine_write(&machine, IA32_PERFEVTSEL0 + 3, 0);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x8);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 1ull << 63);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0);
    machine_write(&machine, IA32_PEBS_ENABLE, 2);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_INUSE), 1ull << 63);
}

static void no_counters_at_all(void)
{
    machine_start(&machine);
    machine.cpu.profile.perfmon_version = 0;
    machine.cpu.profile.general_counters = machine.cpu.profile.fixed_counters = 0;
    ds_reset(&machine.cpu);
    machine_refuses(&machine, IA32_PMC0, 0);
    machine_refuses(&machine, IA32_PERFEVTSEL0, 0);
    machine_refuses(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    machine_refuses(&machine, IA32_PEBS_ENABLE, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 0x1001);
}

const struct test counter_msr_tests[] = {
    {"counter registers: a legacy write extends bit 31", legacy_write_extends_bit_31},
    {"counter registers: full-width write", full_width_write},
    {"counter registers: counters that are not there", counters_that_are_not_there},
    {"counter registers: select bits by version", select_bits_by_version},
    {"counter registers: without AnyThread", without_any_thread},
    {"counter registers: fixed control bits by version", fixed_control_bits_by_version},
    {"counter registers: global registers by version", global_registers_by_version},
    {"counter registers: reserved global bits", reserved_bits_of_the_global_registers},
    {"counter registers: writes to what is read-only", writes_to_what_is_read_only},
    {"counter registers: status bits that are lacking", status_bits_that_are_lacking},
    {"counter registers: bits of RTM that is gone", bits_of_a_facility_that_is_gone},
    {"counter registers: bits of AnyThread", bits_of_any_thread_that_are_deprecated},
    {"counter registers: counters of the other thread", counters_of_the_other_thread},
    {"counter registers: bits that some processors lack", bits_that_some_processors_lack},
    {"counter registers: bits that are ignored", bits_that_are_ignored},
    {"counter registers: INUSE without fixed counter 3", in_use_without_fixed_3},
    {"counter registers: STATUS_SET and STATUS_RESET", status_set_and_reset},
    {"counter registers: INUSE", in_use},
    {"counter registers: no counters at all", no_counters_at_all},
    {0},
};
