// SPDX-License-Identifier: GPL-2.0-or-later
/* PEBS on every kind of counter, and every group that a record can hold. */
#include "scenario_parts.h"

#define GROUPS   0xfu
#define COUNTERS 0x10u
#define LBRS     (3u << 24)

static unsigned format(void)
{
    return machine.cpu.profile.perf_capabilities >> 8 & 0xf;
}

/* General-purpose counter 1 and fixed counter 0, as well as the first one. */
static uint64_t snapshot(void)
{
    return format() < 6 ? 0 : COUNTERS | 3ull << 32 | 1ull << 48;
}

static void buffer(void)
{
    uint64_t area = machine.base + 0x1000, pebs = machine.base + 0x5000;
    const uint64_t fields[] = {pebs, pebs, pebs + 0x1800, pebs + 0x200};

    write_msr(IA32_DS_AREA, area);
    for (unsigned i = 0; i < 4; i++) {
        machine_poke(&machine, area + 0x20 + 8 * i, 8, fields[i]);
    }
    for (unsigned i = 8; i < 60; i++) {
        machine_poke(&machine, area + 8 * i, 8, 0ull - 20 - i);
    }
}

static void timed_run(unsigned instructions)
{
    for (unsigned i = 0; i < instructions; i++) {
        machine.tsc += 3 + i;
        machine_run(&machine, 1);
        see(machine.pmis);
        read_msr(IA32_PERF_GLOBAL_STATUS);
    }
}

static void see_records(void)
{
    for (uint32_t place = 0x5000; place < 0x6000; place += 8) {
        see(machine_peek(&machine, machine.base + place, 8));
    }
}

static void sampled_with(unsigned number, uint64_t config, uint64_t asks)
{
    uint64_t bit = 1ull << number;

    buffer();
    write_msr(MSR_PEBS_DATA_CFG, config);
    if (number < 32) {
        write_msr(IA32_PMC0 + number, 0ull - 5);
        write_msr(IA32_PERFEVTSEL0 + number, COUNT | asks | precise());
    } else {
        write_msr(IA32_FIXED_CTR0 + number - 32, (1ull << 48) - 5);
        write_msr(IA32_FIXED_CTR_CTRL, (3 | (asks ? 1ull << 32 : 0)) << (number - 32) * 4);
    }
    write_msr(IA32_PERFEVTSEL0 + 1, COUNT | (number == 1 ? asks : 0) | INSTRUCTIONS);
    write_msr(IA32_PEBS_ENABLE, bit);
    enable(bit | 0x100000002);
    timed_run(60);
    see_all();
    see_records();
    write_msr(IA32_PEBS_ENABLE, 0);
    enable(0);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, OVFBUF | bit | CTR_FRZ);
}

void scenario_groups(void)
{
    if (format() < 4) {
        sampled_with(32, 0, 0);
        return;
    }
    machine_branches(&machine, 1, 5);
    for (unsigned i = 0; i < 16; i++) {
        machine.registers.xmm[i][0] = 0x100 + i;
        machine.registers.xmm[i][1] = 0x200 + i;
    }
    write_msr(IA32_DEBUGCTL, LBR);
    machine_branches(&machine, 1, 9);
    write_msr(IA32_PMC0 + 1, 0x12345);
    write_msr(IA32_A_PMC0 + 1, 0x123456789ab);
    sampled_with(0, GROUPS | LBRS | snapshot(), adaptive());
    sampled_with(0, GROUPS | LBRS | snapshot(), 0);
    sampled_with(0, snapshot(), adaptive());
    sampled_with(5, 0, adaptive());
    sampled_with(32, GROUPS | LBRS | snapshot(), adaptive());
    sampled_with(33, 0, adaptive());
}
