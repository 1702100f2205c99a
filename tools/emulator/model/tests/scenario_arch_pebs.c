// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural PEBS; where there is none, its registers refuse. */
#include <string.h>

#include "scenario_parts.h"

#define BASE       0x3f4
#define INDEX      0x3f5
#define COUNTER(n) (0x1900u + 4 * (n))
#define SELECT(n)  (0x1901u + 4 * (n))
#define CONFIG(n)  (0x1903u + 4 * (n))
#define FIXED_C(n) (0x1983u + 4 * (n))

#define EN      (1ull << 32)
#define FULL    (1ull << 31)
#define UPTO(n) ((uint64_t)(n) << 36)

#define PEBS   (1ull << 63)
#define ALLOW  (1ull << 35)
#define GROUPS 0x6006017000000000ull

static void see_records(void)
{
    for (uint32_t place = 0; place < PHYSICAL_SIZE; place += 8) {
        uint64_t value;
        memcpy(&value, machine.physical + place, 8);
        see(value);
    }
}

static void buffer(unsigned size_code, uint64_t index)
{
    memset(machine.physical, POISON, PHYSICAL_SIZE);
    write_msr(BASE, PHYSICAL_BASE | size_code);
    write_msr(INDEX, index);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 54 | 1 | CTR_FRZ);
}

static void runs_at(uint8_t cpl, unsigned instructions)
{
    for (unsigned i = 0; i < instructions; i++) {
        struct ds_instruction instruction = {
            .ip = KERNEL, .next = KERNEL + 3, .cpl = cpl, .code_64 = true};

        machine.tsc += 3 + i;
        ds_instruction(&machine.cpu, &machine.host, &instruction);
        see(machine.pmis);
        read_msr(IA32_PERF_GLOBAL_STATUS);
        read_msr(INDEX);
    }
    see_all();
    see_records();
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
}

static void runs(unsigned instructions)
{
    runs_at(0, instructions);
}

/* Counter number, fixed ones from 32 on, samples with a period of its own. */
static void sample_by(unsigned number, uint64_t config)
{
    bool fixed = number >= 32;
    unsigned place = number % 32;

    if (fixed) {
        write_msr(IA32_FIXED_CTR0 + place, (1ull << 48) - 4);
        write_msr(IA32_FIXED_CTR_CTRL, 3ull << 4 * place);
    } else {
        write_msr(SELECT(place), COUNT | INSTRUCTIONS);
        write_msr(COUNTER(place), (1ull << 48) - 4);
    }
    write_msr(fixed ? FIXED_C(place) : CONFIG(place),
              PEBS | (config + (uint32_t)(-6 - (int)place)));
    write_msr(IA32_PERF_GLOBAL_CTRL, 1ull << number | 8);
}

static void stop(unsigned number)
{
    write_msr(number >= 32 ? FIXED_C(number % 32) : CONFIG(number), 0);
}

static void sample_each(uint64_t config)
{
    static const unsigned numbers[] = {0, 1, 9, 32, 33};

    for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        buffer(1, EN | UPTO(0x80));
        sample_by(numbers[i], config);
        runs(20);
        stop(numbers[i]);
    }
}

static void sample_in_ring_3(void)
{
    buffer(1, EN | UPTO(0x80));
    sample_by(0, 0);
    runs_at(3, 20);
    stop(0);
}

/* Both are due at the same event. */
static void sample_by_two(void)
{
    buffer(1, EN | UPTO(0x80));
    sample_by(0, 0);
    sample_by(1, 0);
    write_msr(IA32_PERF_GLOBAL_CTRL, 3);
    runs(20);
    stop(0);
    stop(1);
}

/* Something for the group of LBRs. */
static void record_branches(void)
{
    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, 0x7f0007);
    machine_branches(&machine, 1, 9);
    report(DS_BRANCH_EXCEPTION, USER, KERNEL, 0x30);
}

static void at_the_end(unsigned size_code, uint64_t index)
{
    buffer(size_code, index);
    sample_by(0, 0);
    runs(30);
    stop(0);
}

void scenario_arch_pebs(void)
{
    write_msr(BASE, PHYSICAL_BASE);
    write_msr(INDEX, 0);
    if (!machine.cpu.arch_pebs_base) {
        return; /* there are none: nothing more to see */
    }
    for (unsigned i = 0; i < 16; i++) {
        machine.registers.ymm_high[i][0] = 0x300 + i;
    }
    write_msr(CONFIG(3), ALLOW);
    write_msr(SELECT(3), COUNT | INSTRUCTIONS);
    write_msr(COUNTER(3), 0x123456789a);
    sample_each(0);
    sample_in_ring_3();
    sample_by_two();
    record_branches();
    sample_each(GROUPS);
    sample_each(GROUPS | ALLOW);
    at_the_end(0, EN | UPTO(0x40) | 0xf80);
    at_the_end(0, EN | UPTO(0x40) | 0xf90);
    at_the_end(1, EN | UPTO(8) | 0xf80);
    at_the_end(1, EN | UPTO(0x7fffff) | 0x1f90);
    at_the_end(0, EN | UPTO(8));
    at_the_end(0, EN | FULL);
    at_the_end(0, 0);
    write_msr(IA32_DEBUGCTL, 0);
    ds_init(&machine.cpu);
    read_msr(BASE);
    read_msr(INDEX);
}
