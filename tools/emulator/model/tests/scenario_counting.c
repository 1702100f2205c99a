// SPDX-License-Identifier: GPL-2.0-or-later
/* Overflow, sampling and what an interrupt freezes. */
#include "scenario_parts.h"

void scenario_overflow(void)
{
    for (unsigned i = 0; i < 3; i++) {
        prepare(0, 10, true);
        prepare(1, 10, i > 0);
        prepare(32, 10, i > 1);
        enable(0x100000003);
        for (unsigned j = 0; j < 12; j++) {
            machine_run(&machine, 1);
            see(machine.pmis);
            read_msr(IA32_PERF_GLOBAL_STATUS);
        }
        write_msr(IA32_PERF_GLOBAL_STATUS_RESET, 0x100000003);
        write_msr(IA32_PERF_GLOBAL_STATUS_SET, 1);
        read_msr(IA32_PERF_GLOBAL_STATUS);
        machine_run(&machine, i == 0 ? 6000 : 20); /* once until what comes again has come */
        see(machine.pmis);
        see(ds_redirects_pmi(&machine.cpu));
    }
}

static void sampled(uint64_t event, uint64_t debugctl, uint64_t rings)
{
    buffers(8, 0, 9);
    write_msr(IA32_DEBUGCTL, debugctl);
    sample(event);
    if (rings != COUNT) {
        write_msr(IA32_PERFEVTSEL0, rings | adaptive() | event);
    }
    for (unsigned i = 0; i < 80; i++) {
        run_at(i % 3 ? 0 : 3, 1);
        see(machine.pmis);
        read_msr(IA32_PERF_GLOBAL_STATUS);
        read_msr(IA32_PMC0);
    }
    see_all();
    write_msr(IA32_PEBS_ENABLE, 0);
    run_at(0, 20);
    see_all();
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, OVFBUF | 1);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, CTR_FRZ);
}

/* Counter 1 samples; then counter 0 with a reset value of more than 32 bits. */
static void sampled_on_second(uint64_t event)
{
    buffers(8, 0, 9);
    sample_on(1, event);
    machine_run(&machine, 40);
    read_msr(IA32_PMC0 + 1);
    see_all();
    write_msr(IA32_PEBS_ENABLE, 0);
    write_msr(IA32_PERFEVTSEL0 + 1, 0);
}

static void reset_is_wide(void)
{
    buffers(8, 0, 9);
    machine_poke(&machine, AREA_ADDRESS + 0x40, 8, 0ull - 0x123456789a);
    sample(precise());
    machine_run(&machine, 10);
    see_all();
    write_msr(IA32_PEBS_ENABLE, 0);
}

void scenario_pebs(void)
{
    for (unsigned i = 0; i < 16; i++) {
        machine.registers.general[i] = 0x1111111111111111ull * i + 1;
    }
    sampled(precise(), 0, COUNT);
    sampled(precise(), FREEZE_PERFMON, COUNT);
    sampled(precise(), 0, 0x410000);
    sampled(CYCLES, 0, COUNT);
    sampled_on_second(precise());
    sampled_on_second(CYCLES);
    reset_is_wide();
    scenario_groups();
    scenario_arch_pebs();
}

/* What a trigger freezes, and what thaws it: 0 general, 1 fixed, 2 PEBS, 3 BTS. */
static void freeze_by(unsigned trigger, bool signals, uint64_t freezes)
{
    bool sampling = trigger == 2;

    buffers(8, 0, 4);
    write_msr(IA32_DEBUGCTL, LBR | freezes | (trigger == 3 ? TR | BTS | BTINT : 0));
    prepare(trigger == 1 ? 32 : 0, 10, signals);
    if (sampling) {
        sample(precise());
    }
    prepare(4, 1000, false);
    prepare(5, 1000, false);
    prepare(1, 1000, false);
    enable(0x100000033);
    for (unsigned i = 1; i < 40; i++) {
        machine_run_branch(&machine, i, true);
    }
    see_all();
    report(DS_BRANCH_INTERRUPT, USER + 1, KERNEL, 0);
    machine_run_branch(&machine, 50, true);
    see_all();
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, 0x100000003 | OVFBUF);
    machine_run_branch(&machine, 51, true);
    see_all();
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ | CTR_FRZ);
    write_msr(IA32_DEBUGCTL, LBR | freezes);
    machine_run_branch(&machine, 52, true);
    see_all();
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
    write_msr(IA32_PEBS_ENABLE, 0);
}

static void thaw(void)
{
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
    write_msr(IA32_PEBS_ENABLE, 0);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, 3 | OVFBUF);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ | CTR_FRZ);
}

/* By an overflow that interrupts as NMI, or is caused in ring 3. */
static void freeze_elsewhere(bool nmi, uint8_t cpl)
{
    machine.nmi = nmi;
    write_msr(IA32_DEBUGCTL, LBR | FREEZE_LBRS | FREEZE_PERFMON);
    prepare(0, 10, true);
    enable(1);
    run_at(cpl, 15);
    machine_branches(&machine, 1, 3);
    see_all();
    machine.nmi = false;
    thaw();
}

static void freeze_by_second_sampler(void)
{
    buffers(8, 0, 9);
    write_msr(IA32_DEBUGCTL, LBR | FREEZE_LBRS | FREEZE_PERFMON);
    sample_on(1, precise());
    for (unsigned i = 1; i < 40; i++) {
        machine_run_branch(&machine, i, true);
    }
    see_all();
    thaw();
}

void scenario_freeze(void)
{
    freeze_elsewhere(true, 0);
    freeze_elsewhere(false, 3);
    freeze_by_second_sampler();
    for (unsigned trigger = 0; trigger < 4; trigger++) {
        for (unsigned bits = 0; bits < 8; bits++) {
            freeze_by(trigger, bits / 4,
                      (bits & 1 ? FREEZE_LBRS : 0) | (bits & 2 ? FREEZE_PERFMON : 0));
        }
    }
}
