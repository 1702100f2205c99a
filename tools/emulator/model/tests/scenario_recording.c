// SPDX-License-Identifier: GPL-2.0-or-later
/* Registers, the save area, what is stored, the buffer and its threshold. */
#include "scenario_parts.h"

/* Bits that may be there or not, registers that are read-only, counters of another thread. */
static void registers_of_counters(void)
{
    static const uint32_t registers[] = {IA32_PERFEVTSEL0,
                                         IA32_PERFEVTSEL0 + 2,
                                         IA32_PERFEVTSEL0 + 5,
                                         IA32_FIXED_CTR_CTRL,
                                         IA32_PERF_GLOBAL_STATUS,
                                         IA32_PERF_GLOBAL_STATUS_RESET,
                                         IA32_PERF_GLOBAL_STATUS_SET,
                                         IA32_PERF_GLOBAL_INUSE};

    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            write_msr(registers[i], 1ull << bit);
            read_msr(registers[i]);
            read_msr(IA32_PERF_GLOBAL_INUSE);
        }
        write_msr(registers[i], 0);
    }
}

static void read_by_index(uint32_t index)
{
    uint64_t value = 0;

    see(ds_rdpmc(&machine.cpu, 0, index, &value));
    see(value);
}

void scenario_registers(void)
{
    registers_of_counters();
    read_by_index(1u << 8 | 1);
    for (unsigned bit = 0; bit < 64; bit++) {
        write_msr(IA32_DEBUGCTL, 1ull << bit);
        read_msr(IA32_DEBUGCTL);
    }
    write_msr(IA32_DEBUGCTL, TR | BTS | BTINT | OFF_OS | OFF_USR);
    read_msr(IA32_DEBUGCTL);
    write_msr(IA32_DEBUGCTL, 0);
    write_msr(IA32_DS_AREA, AREA_ADDRESS);
    read_msr(IA32_DS_AREA);
    write_msr(IA32_DS_AREA, 1ull << 62);
    read_msr(IA32_DS_AREA);
    write_msr(IA32_MISC_ENABLE, 0x1801);
    write_msr(IA32_MISC_ENABLE, 0);
    read_msr(IA32_MISC_ENABLE);
    write_msr(IA32_PEBS_ENABLE, 1);
    read_msr(IA32_PEBS_ENABLE);
    write_msr(MSR_LASTBRANCH_TOS, 1);
    write_msr(0x681, KERNEL);
    write_msr(IA32_PERF_GLOBAL_STATUS_SET, CONDCHGD);
    see_all();
}

void scenario_area(void)
{
    buffers(8, 0, 4);
    write_msr(IA32_DEBUGCTL, TR | BTS | BTINT);
    machine_branches(&machine, 1, 5);
    see_memory();
    see(machine.pmis);
    sample(precise());
    machine_run(&machine, 20);
    see_memory();
    write_msr(IA32_DS_AREA, AREA_ADDRESS + 8);
    machine_branches(&machine, 1, 5);
    see_memory();
    machine.base = 0x40000;
    ds_set_long_mode(&machine.cpu, false);
    buffers(8, 0, 4);
    machine_branches(&machine, 1, 3);
    see_memory();
    ds_set_protected_mode(&machine.cpu, true);
    machine_branches(&machine, 4, 6);
    see_memory();
}

/* The setting changes while TR stays set. */
static void changing_selection(void)
{
    static const uint32_t settings[] = {BTS, BTS | BTINT, 0, BTS | OFF_OS, BTS | BTINT | OFF_USR};

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        buffers(200, 0, 3);
        see(ds_msr_write(&machine.cpu, &machine.host, IA32_DEBUGCTL, TR | settings[i]));
        every_branch();
        see_all();
    }
    write_msr(IA32_DEBUGCTL, 0);
}

/* Near branches and events inside each of the four rings. */
static void inside_rings(void)
{
    for (unsigned ring = 0; ring < 4; ring++) {
        report(DS_BRANCH_JMP_RELATIVE, USER + ring, USER + 0x100, ring * 0x11);
        report(DS_BRANCH_FAR, USER + ring, USER + 0x200, ring * 0x11);
        report(DS_BRANCH_EXCEPTION, USER + ring, USER + 0x300, ring * 0x11);
    }
}

void scenario_selection(void)
{
    for (uint32_t bits = 0; bits < 32; bits++) {
        buffers(200, 0, 250);
        see(ds_msr_write(&machine.cpu, &machine.host, IA32_DEBUGCTL, bits << 6));
        every_branch();
        inside_rings();
        see_all();
    }
    changing_selection();
}

/* A CALL that faults, and a JMP to a page that is not there. */
static void branches_fault(void)
{
    machine_poke(&machine, MEMORY_BASE + 0x100, 8, 0xe848);
    buffers(200, 0, 250);
    write_msr(IA32_DEBUGCTL, LBR | TR | BTS);
    report(DS_BRANCH_EXCEPTION, MEMORY_BASE + 0x100, KERNEL, 0x00);
    report(DS_BRANCH_JMP_RELATIVE, USER, USER + 0x1000, 0x00);
    report(DS_BRANCH_EXCEPTION, USER + 0x1000, KERNEL, 0x00);
    see_all();
    write_msr(IA32_DEBUGCTL, 0);
}

void scenario_records(void)
{
    branches_fault();
    buffers(200, 0, 250);
    write_msr(IA32_DEBUGCTL, TR | BTS);
    run_microcoded();
    see_all();
    buffers(200, 0, 250);
    write_msr(IA32_DEBUGCTL, TR | BTS);
    every_branch();
    see_all();
    write_msr(IA32_DEBUGCTL, 0);
    machine_branches(&machine, 1, 3);
    see_all();
    write_msr(IA32_DEBUGCTL, TR | BTS);
    write_msr(IA32_PERF_GLOBAL_STATUS_SET, LBR_FRZ);
    machine_branches(&machine, 1, 3);
    see_all();
}

void scenario_buffer(void)
{
    for (unsigned i = 0; i < 4; i++) {
        buffers(4, i % 2, 9);
        write_msr(IA32_DEBUGCTL, TR | BTS | (i / 2 ? BTINT : 0));
        for (unsigned number = 1; number < 15; number++) {
            machine_branch(&machine, number, 0, 0);
            see_memory();
            read_msr(IA32_DEBUGCTL);
        }
        write_msr(IA32_DEBUGCTL, 0);
    }
    buffers(4, 0, 9);
    machine_poke(&machine, AREA_ADDRESS, 8, BTS_ADDRESS + 8);
    write_msr(IA32_DEBUGCTL, TR | BTS);
    machine_branches(&machine, 1, 6);
    see_memory();
}

void scenario_threshold(void)
{
    for (unsigned i = 0; i < 8; i++) {
        buffers(8, 0, i < 6 ? 1 + i + i % 3 : 20);
        machine_poke(&machine, AREA_ADDRESS + 8, 8, BTS_ADDRESS + 24 * i);
        write_msr(IA32_DEBUGCTL, TR | BTS | BTINT | (i % 2 ? FREEZE_PERFMON : 0));
        for (unsigned number = 1; number < 12; number++) {
            machine_branch(&machine, number, 0, 0);
            see(machine.pmis);
            read_msr(IA32_DEBUGCTL);
            read_msr(IA32_DS_AREA);
        }
        write_msr(IA32_DEBUGCTL, 0);
        read_msr(IA32_PERF_GLOBAL_STATUS);
        write_msr(IA32_PERF_GLOBAL_STATUS_RESET, CTR_FRZ);
    }
    for (unsigned place = 4; place < 10; place += 5) {
        buffers(8, 0, place);
        write_msr(IA32_DEBUGCTL, TR | BTS);
        machine_branches(&machine, 1, 20);
        see(machine.pmis);
    }
}

/* Two processors: the other one's area, and whose interrupt it is. */
void scenario_neighbours(void)
{
    static struct machine other;

    machine_start(&other);
    other.cpu.faults = machine.cpu.faults;
    other.cpu.profile = machine.cpu.profile;
    machine.neighbour = &other;
    buffers(8, 0, 4);
    see(ds_msr_write(&other.cpu, &other.host, IA32_DS_AREA, MEMORY_BASE + 0x2000));
    write_msr(IA32_DEBUGCTL, TR | BTS | BTINT);
    machine_branches(&machine, 1, 6);
    see(machine.pmis);
    see(other.pmis);
    read_msr(IA32_DS_AREA);
    see_memory();
    machine.neighbour = NULL;
}
