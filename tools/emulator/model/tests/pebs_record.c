// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands where in a PEBS record, format by format. */
#include "check.h"
#include "machine.h"

static struct machine machine;

#define IP   0x401230
#define NEXT 0x401235
#define TSC  0x1122334455667788ull

static uint64_t field(unsigned offset)
{
    return machine_peek(&machine, machine.base + (PEBS_ADDRESS - MEMORY_BASE) + offset, 8);
}

static uint64_t field_32(unsigned offset)
{
    return machine_peek(&machine, machine.base + (PEBS_ADDRESS - MEMORY_BASE) + offset, 4);
}

/* Register number n (by its encoding) holds 0xn00...n, so that every one can be told. */
static uint64_t marker(unsigned n)
{
    return 0x100000000 * (n + 1) + 0x1000 + n;
}

static void fill_registers(void)
{
    machine.registers.rflags = 0x246;
    for (unsigned n = 0; n < 16; n++) {
        machine.registers.general[n] = marker(n);
        machine.registers.xmm[n][0] = marker(n) + 1;
        machine.registers.xmm[n][1] = marker(n) + 2;
    }
    machine.tsc = TSC;
}

/* Makes one record on PMC0; returns its size in bytes. */
static uint64_t record(void)
{
    struct ds_instruction instruction = {.ip = IP, .next = NEXT};
    size_t width = machine_record_size(&machine) / 3;
    uint64_t area = machine.base + (AREA_ADDRESS - MEMORY_BASE);
    uint64_t buffer = machine.base + (PEBS_ADDRESS - MEMORY_BASE);

    fill_registers();
    machine_write(&machine, IA32_DS_AREA, area);
    for (unsigned i = 4; i < 8; i++) {
        machine_poke(&machine, area + i * width, width, buffer + (i < 6 ? 0 : 0x1000));
    }
    machine_write(&machine, IA32_PMC0, 0xffffffff);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    if (machine.cpu.profile.perfmon_version > 1) {
        machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    }
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    return machine_peek(&machine, area + 5 * width, width) - buffer;
}

static uint64_t classic(unsigned model, unsigned version, uint64_t capabilities)
{
    machine_start_model(&machine, model, version, capabilities);
    machine_write(&machine, IA32_PERFEVTSEL0,
                  COUNT | (model == 0x3c ? MICRO_OPERATIONS : INSTRUCTIONS));
    return record();
}

static void check_format_0_part(void)
{
    static const uint8_t order[] = {0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};

    CHECK_EQUAL(field(0), 0x246);
    CHECK_EQUAL(field(8), NEXT);
    for (unsigned i = 0; i < 16; i++) {
        CHECK_EQUAL(field(0x10 + 8 * i), marker(order[i]));
    }
}

static void format_0(void)
{
    CHECK_EQUAL(classic(0x17, 2, 0x10c2), 0x90);
    check_format_0_part();
    CHECK_EQUAL(field(0x90), 0xa5a5a5a5a5a5a5a5);
}

/* Arms PMC0, whose next record is that of the instruction after it; RAX is old before that one,
 * then new. event: an interrupt comes between the two, and leaves RAX as event. */
static uint64_t rax_told(uint64_t old, uint64_t event, uint64_t new)
{
    struct ds_instruction instruction = {.ip = IP, .next = NEXT};
    struct ds_branch interrupt = {.from = IP, .to = IP, .kind = DS_BRANCH_INTERRUPT};

    machine_write(&machine, IA32_PMC0, 0xffffffff);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine.registers.general[0] = old;
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    if (event) {
        machine.registers.general[0] = event;
        ds_branch(&machine.cpu, &machine.host, &interrupt);
    }
    machine.registers.general[0] = new;
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    return field(0x10);
}

/* IA32_PERF_CAPABILITIES[6] clear: the state before the instruction (F3.62). */
static void format_0_fault_like(void)
{
    CHECK_EQUAL(classic(0x0f, 2, 0x82), 0x90);
    CHECK_EQUAL(field(8), IP);
    CHECK_EQUAL(field(0x88), marker(15));
    CHECK_EQUAL(rax_told(1, 0, 3), 1);
    CHECK_EQUAL(rax_told(1, 2, 3), 2);
    classic(0x17, 2, 0x10c2);
    CHECK_EQUAL(rax_told(1, 2, 3), 3);
}

static void format_1(void)
{
    CHECK_EQUAL(classic(0x1a, 3, 0x31c3), 0xb0);
    check_format_0_part();
    CHECK_EQUAL(field(0x90), 1);
    CHECK_EQUAL(field(0x98) | field(0xa0) | field(0xa8), 0);
    CHECK_EQUAL(field(0xb0), 0xa5a5a5a5a5a5a5a5);
}

static void format_2(void)
{
    CHECK_EQUAL(classic(0x3c, 3, 0x32c4), 0xc0);
    check_format_0_part();
    CHECK_EQUAL(field(0xb0), IP);
    CHECK_EQUAL(field(0xb8), 0);
}

static void format_3(void)
{
    CHECK_EQUAL(classic(0x5e, 4, 0x33c5), 0xc8);
    check_format_0_part();
    CHECK_EQUAL(field(0x90), 1);
    CHECK_EQUAL(field(0xb0), IP);
    CHECK_EQUAL(field(0xc0), TSC);
    CHECK_EQUAL(field(0xc8), 0xa5a5a5a5a5a5a5a5);
}

static void registers_are_not_always_saved(void)
{
    CHECK_EQUAL(classic(0x5e, 4, 0x3345), 0xc8);
    CHECK_EQUAL(field(0), 0x246);
    CHECK_EQUAL(field(8), NEXT);
    for (unsigned i = 0; i < 16; i++) {
        CHECK_EQUAL(field(0x10 + 8 * i), 0);
    }
}

static void layout_of_32_bits(void)
{
    static const uint8_t order[] = {0, 3, 1, 2, 6, 7, 5, 4};

    machine_start_32(&machine);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS);
    machine_poke(&machine, machine.base + 0x1020, 8, 0xffffffffff);
    CHECK_EQUAL(record(), 40);
    CHECK_EQUAL(field_32(0), 0x246);
    CHECK_EQUAL(field_32(4), NEXT);
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQUAL(field_32(8 + 4 * i), (uint32_t)marker(order[i]));
    }
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0xffffffffff);
}

static void wide_record_outside_long_mode(void)
{
    machine_start_model(&machine, 0x5e, 4, 0x33c5);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS);
    machine.base = 0x40000;
    ds_set_long_mode(&machine.cpu, false);
    struct ds_instruction instruction = {.ip = IP, .next = NEXT};
    fill_registers();
    machine_write(&machine, IA32_DS_AREA, 0x41000);
    for (unsigned i = 4; i < 8; i++) {
        machine_poke(&machine, 0x41000 + i * 8, 8, i < 6 ? 0x45000 : 0x46000);
    }
    machine_write(&machine, IA32_PMC0, 0xffffffff);
    machine_write(&machine, IA32_PEBS_ENABLE, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    CHECK_EQUAL(field(0x10), (uint32_t)marker(0));
    CHECK_EQUAL(field(0x48), (uint32_t)marker(4));
    CHECK_EQUAL(field(0x50), 0);
    CHECK_EQUAL(field(0x88), 0);
}

static bool architectural; /* stack of last branches; and what its IA32_LBR_CTL is */
static uint64_t control;

static uint64_t adaptive(uint64_t config, bool asked_for)
{
    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    machine.cpu.profile.arch_lbr = architectural;
    machine.cpu.profile.lbr_leaf_eax = architectural ? 8 : 0;
    ds_reset(&machine.cpu);
    ds_set_long_mode(&machine.cpu, true);
    machine_write(&machine, MSR_PEBS_DATA_CFG, config);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS | (asked_for ? 1ull << 34 : 0));
    machine_write(&machine, IA32_DEBUGCTL, LBR);
    if (architectural) {
        machine_write(&machine, IA32_LBR_CTL, control);
    }
    machine_branches(&machine, 1, 3);
    return record();
}

static void adaptive_basic(void)
{
    CHECK_EQUAL(adaptive(0, true), 32);
    CHECK_EQUAL(field(0), 32ull << 48);
    CHECK_EQUAL(field(8), IP);
    CHECK_EQUAL(field(0x10), 1);
    CHECK_EQUAL(field(0x18), TSC);
    CHECK_EQUAL(adaptive(0xf, false), 32);
}

static void adaptive_groups(void)
{
    CHECK_EQUAL(adaptive(1, true), 64);
    CHECK_EQUAL(adaptive(2, true), 32 + 144);
    CHECK_EQUAL(field(0), 2 | 176ull << 48);
    CHECK_EQUAL(field(0x20), 0x246);
    CHECK_EQUAL(field(0x28), NEXT);
    for (unsigned n = 0; n < 16; n++) {
        CHECK_EQUAL(field(0x30 + 8 * n), marker(n));
    }
    CHECK_EQUAL(adaptive(4, true), 32 + 256);
    CHECK_EQUAL(field(0x20), marker(0) + 1);
    CHECK_EQUAL(field(0x28), marker(0) + 2);
    CHECK_EQUAL(field(0x20 + 15 * 16), marker(15) + 1);
}

static void adaptive_lbrs(void)
{
    CHECK_EQUAL(adaptive(8 | 1u << 24, true), 32 + 2 * 24);
    CHECK_EQUAL(field(0x20), machine_from(3));
    CHECK_EQUAL(field(0x28), machine_to(3));
    CHECK_EQUAL(field(0x30) >> 63, 1);
    CHECK_EQUAL(field(0x38), machine_from(2));
    CHECK_EQUAL(adaptive(0xf | 31u << 24, true), 32 + 32 + 144 + 256 + 32 * 24);
    CHECK_EQUAL(field(32 + 32 + 144 + 256), machine_from(3));
    machine_refuses(&machine, MSR_PEBS_DATA_CFG, 8 | 32u << 24);
    machine_refuses(&machine, MSR_PEBS_DATA_CFG, 0x10);
    architectural = true;
    CHECK_EQUAL(adaptive(8 | 1u << 24, true), 32 + 2 * 24);
    CHECK_EQUAL(field(0x20) | field(0x28) | field(0x30) | field(0x38), 0);
    control = 1;
    CHECK_EQUAL(adaptive(8 | 1u << 24, true), 32 + 2 * 24);
    CHECK_EQUAL(field(0x20), machine_from(3));
    CHECK_EQUAL(field(0x28), machine_to(3));
    CHECK_EQUAL(field(0x38), machine_from(2));
    architectural = false;
}

/* Makes a second record, this long after the retirement before its own; returns its first field. */
static uint64_t timed(uint64_t capabilities, uint64_t cycles)
{
    struct ds_instruction instruction = {.ip = IP, .next = NEXT};

    machine_start_model(&machine, 0x6a, 5, capabilities);
    machine_write(&machine, MSR_PEBS_DATA_CFG, 1);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS | 1ull << 34);
    machine_poke(&machine, AREA_ADDRESS + 0x40, 8, ~0ull);
    CHECK_EQUAL(record(), 64);
    CHECK_EQUAL(field(0) & 0xffffffff, 1);
    machine.tsc += 5; /* of the one that overflows again */
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    machine.tsc += cycles;
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    CHECK_EQUAL(field(64 + 0x18), machine.tsc);
    return field(64);
}

static void timed_records(void)
{
    CHECK_EQUAL(timed(0x274c5, 17), 1 | 17ull << 32 | 64ull << 48);
    CHECK_EQUAL(timed(0x274c5, 0xfffe), 1 | 0xfffeull << 32 | 64ull << 48);
    CHECK_EQUAL(timed(0x274c5, 0x10000), 1 | 0xffffull << 32 | 64ull << 48);
    CHECK_EQUAL(timed(0x74c5, 17), 1 | 64ull << 48);
}

/* After a write that serializes nobody knows when the instruction before retired. */
static void timed_record_after_a_pause(void)
{
    struct ds_instruction instruction = {.ip = IP, .next = NEXT};

    timed(0x274c5, 17);
    machine_run(&machine, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 0);
    machine.tsc += 300;
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    CHECK_EQUAL(field(128), 1 | 64ull << 48);
}

/* A record of a processor whose counters stand in it: PMC0 makes it, PMC1 and fixed 0 count, too.
 */
static uint64_t with_counters(uint64_t config)
{
    machine_start_model(&machine, 0x6a, 5, 0x76c5);
    machine_write(&machine, MSR_PEBS_DATA_CFG, config);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS | 1ull << 34);
    machine_write(&machine, IA32_A_PMC0 + 1, 0x123456789a);
    machine_write(&machine, IA32_A_PMC0 + 3, 0x3333);
    machine_write(&machine, IA32_FIXED_CTR0 + 1, 0x6666666666);
    machine_poke(&machine, AREA_ADDRESS + 0x40, 8, 0ull - 7);
    return record();
}

static void adaptive_counters(void)
{
    CHECK_EQUAL(with_counters(0x10), 48);
    CHECK_EQUAL(field(0), 0x10 | 48ull << 48);
    CHECK_EQUAL(field(0x20) | field(0x28), 0);
    CHECK_EQUAL(with_counters(0x10 | 9ull << 32 | 2ull << 48), 48 + 3 * 8);
    CHECK_EQUAL(field(0), 0x10 | 72ull << 48);
    CHECK_EQUAL(field(0x20), 9 | 2ull << 32);
    CHECK_EQUAL(field(0x28), 0);
    CHECK_EQUAL(field(0x30), 1);
    CHECK_EQUAL(field(0x38), 0x3333);
    CHECK_EQUAL(field(0x40), 0x6666666666);
    CHECK_EQUAL(with_counters(0x1f | 31u << 24 | 1ull << 32),
                32 + 32 + 144 + 256 + 32 * 24 + 16 + 8);
    CHECK_EQUAL(field(32 + 32 + 144 + 256 + 32 * 24), 1);
    CHECK_EQUAL(with_counters(1ull << 32), 32);
    CHECK_EQUAL(field(0), 32ull << 48);
    machine_refuses(&machine, MSR_PEBS_DATA_CFG, 0x40);
    machine_refuses(&machine, MSR_PEBS_DATA_CFG, 1ull << (32 + 8));
    machine_refuses(&machine, MSR_PEBS_DATA_CFG, 1ull << (48 + 3));
}

/* The two points that are open: PMC0 makes the record, PMC1 counts the same. */
static void counters_before_and_after(void)
{
    for (unsigned i = 0; i < 4; i++) {
        struct ds_instruction instruction = {.ip = IP, .next = NEXT};

        with_counters(0x10 | 3ull << 32);
        machine.cpu.variation.snapshot_before_event = i & 1;
        machine.cpu.variation.snapshot_after_reload = i >> 1;
        machine_write(&machine, IA32_PERFEVTSEL0 + 1, COUNT | INSTRUCTIONS);
        machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 3);
        machine_write(&machine, IA32_A_PMC0 + 1, 100);
        machine_write(&machine, IA32_PMC0, 0xffffffff);
        ds_instruction(&machine.cpu, &machine.host, &instruction);
        ds_instruction(&machine.cpu, &machine.host, &instruction);
        CHECK_EQUAL(field(64 + 0x30), i >> 1 ? (1ull << 48) - 7 : !(i & 1));
        CHECK_EQUAL(field(64 + 0x38), i & 1 ? 101 : 102);
    }
}

static void timed_on_fixed_0(void)
{
    for (unsigned untimed = 0; untimed < 2; untimed++) {
        struct ds_instruction instruction = {.ip = IP, .next = NEXT};

        timed(0x275c5, 17);
        machine.cpu.variation.fixed_0_untimed = untimed;
        machine_write(&machine, IA32_PEBS_ENABLE, 1ull << 32);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, 3 | 1ull << 32);
        machine_write(&machine, IA32_FIXED_CTR0, (1ull << 48) - 2);
        machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1ull << 32);
        for (unsigned i = 0; i < 3; i++) {
            machine.tsc += 9;
            ds_instruction(&machine.cpu, &machine.host, &instruction);
        }
        CHECK_EQUAL(field(128), 1 | (untimed ? 0 : 9ull << 32) | 64ull << 48);
        CHECK_EQUAL(field(128 + 0x10), 1ull << 32);
    }
}

static void address_by_segment(void)
{
    static const struct ds_instruction instruction = {
        .ip = IP, .next = NEXT, .base = 0x1000, .next_base = 0x500};

    for (unsigned effective = 0; effective < 2; effective++) {
        CHECK_EQUAL(classic(0x5e, 4, 0x33c5), 0xc8);
        machine.cpu.variation.pebs_address = effective;
        machine_write(&machine, IA32_PMC0, 0xffffffff);
        ds_instruction(&machine.cpu, &machine.host, &instruction);
        ds_instruction(&machine.cpu, &machine.host, &instruction);
        CHECK_EQUAL(field(0xc8 + 8), effective ? NEXT - 0x500 : NEXT);
        CHECK_EQUAL(field(0xc8 + 0xb0), effective ? IP - 0x1000 : IP);
    }
}

const struct test pebs_record_tests[] = {
    {"pebs record: format 0", format_0},
    {"pebs record: format 0, fault-like", format_0_fault_like},
    {"pebs record: format 1", format_1},
    {"pebs record: format 2", format_2},
    {"pebs record: format 3", format_3},
    {"pebs record: registers are not always saved", registers_are_not_always_saved},
    {"pebs record: 32-bit layout", layout_of_32_bits},
    {"pebs record: wide record outside long mode", wide_record_outside_long_mode},
    {"pebs record: address by segment", address_by_segment},
    {"pebs record: adaptive, basic group", adaptive_basic},
    {"pebs record: adaptive, groups", adaptive_groups},
    {"pebs record: adaptive, LBR group", adaptive_lbrs},
    {"pebs record: adaptive, timed", timed_records},
    {"pebs record: adaptive, timed, after a pause", timed_record_after_a_pause},
    {"pebs record: adaptive, timed, fixed counter 0", timed_on_fixed_0},
    {"pebs record: adaptive, counters", adaptive_counters},
    {"pebs record: adaptive, counters before and after", counters_before_and_after},
    {0},
};
