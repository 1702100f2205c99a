// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario.h"

#include "check.h"
#include "machine.h"

#define KERNEL 0xffffffff81000000ull
#define USER   0x400000ull
#define LIMIT  0x800000000000ull /* the first address above the lower half */

static struct machine machine;
static uint64_t seen_so_far;

static void see(uint64_t value)
{
    seen_so_far = (seen_so_far ^ value) * 0x100000001b3ull;
    seen_so_far ^= seen_so_far >> 29;
}

static void read_msr(uint32_t msr)
{
    uint64_t value = 0;

    see(ds_msr_read(&machine.cpu, msr, &value));
    see(value);
}

static void write_msr(uint32_t msr, uint64_t value)
{
    see(ds_msr_write(&machine.cpu, &machine.host, msr, value));
    see(machine.pmis);
}

static void see_memory(void)
{
    static const struct {
        uint32_t first, end;
    } used[] = {{0x1000, 0x10a0}, {0x2fe0, 0x3480}, {0x4ff0, 0x5440}};

    for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
        for (uint32_t place = used[i].first; place < used[i].end; place += 8) {
            see(machine_peek(&machine, machine.base + place, 8));
        }
    }
}

/* Counters, LBR stack, status, memory. */
static void see_all(void)
{
    static const uint32_t registers[] = {IA32_DEBUGCTL,
                                         IA32_DS_AREA,
                                         IA32_MISC_ENABLE,
                                         IA32_PERF_CAPABILITIES,
                                         IA32_PERF_GLOBAL_STATUS,
                                         0x1dd,
                                         0x1de,
                                         IA32_PERF_GLOBAL_CTRL,
                                         IA32_FIXED_CTR_CTRL,
                                         0x3f1,
                                         0x1c9,
                                         IA32_PERF_GLOBAL_INUSE};

    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
        read_msr(registers[i]);
    }
    for (uint32_t i = 0; i < 32; i++) {
        read_msr(0x680 + i);
        read_msr(0x6c0 + i);
        read_msr(0x40 + i);
    }
    for (uint32_t i = 0; i < 8; i++) {
        read_msr(IA32_PMC0 + i);
        read_msr(IA32_FIXED_CTR0 + i % 4);
    }
    see(ds_wants_branches(&machine.cpu));
    see(ds_wants_instructions(&machine.cpu));
    see(machine.pmis);
    see_memory();
}

static void report(enum ds_branch_kind kind, uint64_t from, uint64_t to, unsigned cpls)
{
    struct ds_branch branch = {.from = from,
                               .to = to,
                               .old_cpl = cpls >> 4,
                               .new_cpl = cpls & 0xf,
                               .length = kind < DS_BRANCH_INTERRUPT ? 2 : 0,
                               .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &branch);
}

static void run_at(uint8_t cpl, unsigned instructions)
{
    struct ds_instruction instruction = {.ip = USER, .next = USER + 3, .cpl = cpl};

    for (unsigned i = 0; i < instructions; i++) {
        ds_instruction(&machine.cpu, &machine.host, &instruction);
    }
}

/* One branch of each kind and ring, and some at the edges of the address space. */
static void every_branch(void)
{
    for (int kind = 0; kind < DS_BRANCH_DEBUG_EXCEPTION; kind++) {
        uint64_t at = KERNEL + 0x100 * (uint64_t)kind;
        report((enum ds_branch_kind)kind, at, at + 0x1010, 0x00);
        report((enum ds_branch_kind)kind, USER + at % 0x1000, USER + 0x2000, 0x33);
    }
    report(DS_BRANCH_FAR, USER + 8, KERNEL + 0x5000, 0x30);
    report(DS_BRANCH_FAR, KERNEL + 0x5010, USER + 10, 0x03);
    report(DS_BRANCH_INTERRUPT, USER + 16, KERNEL + 0x6000, 0x30);
    report(DS_BRANCH_EXCEPTION, LIMIT, KERNEL + 0x7000, 0x30);
    struct ds_branch breakpoint = {
        .from = KERNEL + 0x8000, .to = KERNEL, .length = 1, .kind = DS_BRANCH_SOFTWARE_INTERRUPT};
    ds_branch(&machine.cpu, &machine.host, &breakpoint);
    report(DS_BRANCH_DEBUG_EXCEPTION, KERNEL + 0x9000, KERNEL, 0x00);
}

/* Bytes of a PEBS record here; adaptive ones hold the general registers. */
static unsigned pebs_size(void)
{
    static const unsigned sizes[] = {144, 176, 192, 200, 176};
    unsigned format = machine.cpu.profile.perf_capabilities >> 8 & 0xf;

    return sizes[format % 5];
}

/* BTS as given, in records and bytes; PEBS three records, threshold at the second. */
static void buffers(unsigned records, unsigned extra, unsigned threshold)
{
    uint64_t base = machine.base, bts = base + 0x3000, pebs = base + 0x5000;
    const uint64_t fields[] = {bts,  bts,  bts + 24 * records + extra, bts + 24 * threshold,
                               pebs, pebs, pebs + 3 * pebs_size(),     pebs + 2 * pebs_size()};

    write_msr(IA32_DS_AREA, base + 0x1000);
    for (unsigned i = 0; i < 8; i++) {
        machine_poke(&machine, base + 0x1000 + 8 * i, 8, fields[i]);
    }
    for (unsigned i = 8; i < 20; i++) {
        machine_poke(&machine, base + 0x1000 + 8 * i, 8, 0ull - i);
    }
}

static void registers(void)
{
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

/* Those of the counters that there are. */
static void enable(uint64_t counters)
{
    uint64_t general = (1ull << machine.cpu.profile.general_counters) - 1;
    uint64_t fixed = (1ull << machine.cpu.profile.fixed_counters) - 1;

    write_msr(IA32_PERF_GLOBAL_CTRL, counters & (general | fixed << 32));
}

/* Counter 0 samples the event, after five for the first time. */
static void sample(uint64_t event)
{
    bool adaptive = machine.cpu.profile.perf_capabilities >> 14 & 1;

    event |= adaptive ? 1ull << 34 : 0;
    write_msr(MSR_PEBS_DATA_CFG, 2);
    write_msr(IA32_PMC0, 0ull - 5);
    write_msr(IA32_PERFEVTSEL0, COUNT | event);
    write_msr(IA32_PEBS_ENABLE, 1);
    enable(1);
}

static void area(void)
{
    buffers(8, 0, 4);
    write_msr(IA32_DEBUGCTL, TR | BTS | BTINT);
    machine_branches(&machine, 1, 5);
    see_memory();
    see(machine.pmis);
    sample(INSTRUCTIONS);
    machine_run(&machine, 20);
    see_memory();
    machine.base = 0x40000;
    ds_set_long_mode(&machine.cpu, false);
    buffers(8, 0, 4);
    machine_branches(&machine, 1, 3);
    see_memory();
}

static void selection(void)
{
    for (uint32_t bits = 0; bits < 32; bits++) {
        buffers(200, 0, 250);
        see(ds_msr_write(&machine.cpu, &machine.host, IA32_DEBUGCTL, bits << 6));
        every_branch();
        see_all();
    }
}

static void records(void)
{
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

static void buffer(void)
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
}

static void threshold(void)
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

/* Makes counter number overflow after some instructions; 32 and up: fixed. */
static void prepare(unsigned number, unsigned period, bool signals)
{
    uint64_t value = (1ull << 48) - period;

    if (number < 32) {
        write_msr(IA32_PMC0 + number, 0ull - period);
        write_msr(IA32_PERFEVTSEL0 + number, (signals ? COUNT_INT : COUNT) | INSTRUCTIONS);
    } else {
        write_msr(IA32_FIXED_CTR0 + number - 32, value);
        write_msr(IA32_FIXED_CTR_CTRL, (signals ? 0xbull : 3ull) << (number - 32) * 4);
    }
}

static void overflow(void)
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
        machine_run(&machine, 1100);
        see(machine.pmis);
    }
}

static void sampled(uint64_t event, uint64_t debugctl, uint64_t rings)
{
    buffers(8, 0, 9);
    write_msr(IA32_DEBUGCTL, debugctl);
    sample(event);
    if (rings != COUNT) {
        write_msr(IA32_PERFEVTSEL0, rings | event);
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

static void pebs(void)
{
    for (unsigned i = 0; i < 16; i++) {
        machine.registers.general[i] = 0x1111111111111111ull * i + 1;
    }
    sampled(INSTRUCTIONS, 0, COUNT);
    sampled(INSTRUCTIONS, FREEZE_PERFMON, COUNT);
    sampled(INSTRUCTIONS, 0, 0x410000);
    sampled(CYCLES, 0, COUNT);
}

/* What a trigger freezes, and what thaws it: 0 general, 1 fixed, 2 PEBS, 3 BTS. */
static void freeze_by(unsigned trigger, bool signals, uint64_t freezes)
{
    bool sampling = trigger == 2;

    buffers(8, 0, 4);
    write_msr(IA32_DEBUGCTL, LBR | freezes | (trigger == 3 ? TR | BTS | BTINT : 0));
    prepare(trigger == 1 ? 32 : 0, 10, signals);
    if (sampling) {
        sample(INSTRUCTIONS);
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

static void freeze(void)
{
    for (unsigned trigger = 0; trigger < 4; trigger++) {
        for (unsigned bits = 0; bits < 8; bits++) {
            freeze_by(trigger, bits / 4,
                      (bits & 1 ? FREEZE_LBRS : 0) | (bits & 2 ? FREEZE_PERFMON : 0));
        }
    }
}

static void smm(void)
{
    for (unsigned i = 0; i < 2; i++) {
        buffers(20, 0, 21);
        sample(INSTRUCTIONS);
        prepare(1, 1000, false);
        enable(3);
        machine_run(&machine, 5);
        write_msr(IA32_DEBUGCTL, LBR | TR | BTS | FREEZE_PERFMON);
        write_msr(IA32_DEBUGCTL, LBR | TR | BTS | FREEZE_PERFMON | (i ? FREEZE_WHILE_SMM : 0));
        machine_branches(&machine, 1, 2);
        ds_smm_enter(&machine.cpu);
        machine_branches(&machine, 3, 4);
        machine_run(&machine, 20);
        see_all();
        ds_smm_leave(&machine.cpu);
        machine_branches(&machine, 5, 6);
        see_all();
    }
}

static void init(void)
{
    for (unsigned i = 0; i < 2; i++) {
        buffers(20, 0, 21);
        sample(INSTRUCTIONS);
        write_msr(IA32_DEBUGCTL, LBR | TR | BTS);
        machine_branches(&machine, 1, 2);
        if (i) {
            ds_init(&machine.cpu);
        } else {
            ds_machine_check(&machine.cpu);
        }
        machine_branches(&machine, 3, 4);
        machine_run(&machine, 20);
        see_all();
    }
    ds_reset(&machine.cpu);
    see_all();
}

/* Filters, where there are some; with records beside them. */
static void filtered(void)
{
    for (uint32_t select = 0; select < 10; select++) {
        buffers(60, 0, 90);
        write_msr(MSR_LBR_SELECT, 1u << select);
        write_msr(IA32_DEBUGCTL, LBR | TR | BTS);
        every_branch();
        see_all();
    }
}

static void lbr(void)
{
    write_msr(IA32_DEBUGCTL, LBR | TR);
    for (unsigned i = 0; i < 3; i++) {
        every_branch();
        see_all();
        write_msr(IA32_DEBUGCTL, LBR | TR);
    }
    for (unsigned i = 0; i < 20; i++) {
        write_msr(IA32_DEBUGCTL, TR);
        machine_branches(&machine, 1, 3);
        see_all();
    }
    filtered();
}

static void ler(void)
{
    write_msr(IA32_DEBUGCTL, LBR);
    for (unsigned i = 0; i < 4; i++) {
        machine_branches(&machine, i, i + 2);
        report(DS_BRANCH_JMP_RELATIVE, i % 2 ? 0x10000 : KERNEL, i % 2 ? 0x20000 : KERNEL + 9, 0);
        report(DS_BRANCH_EXCEPTION, USER, KERNEL, 0);
        read_msr(0x1dd);
        read_msr(0x1de);
    }
    write_msr(IA32_DEBUGCTL, 0);
    machine_branches(&machine, 1, 2);
    report(DS_BRANCH_EXCEPTION, USER, KERNEL, 0);
    see_all();
}

static void step_over(const struct ds_branch *branch)
{
    if (branch) {
        ds_branch(&machine.cpu, &machine.host, branch);
    }
    see(ds_step_trap(&machine.cpu, branch));
}

static void step(void)
{
    static const uint64_t settings[] = {BTF, BTF | TR, LBR, BTF | LBR};

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        write_msr(IA32_DEBUGCTL, settings[i]);
        for (int kind = 0; kind < DS_BRANCH_DEBUG_EXCEPTION; kind++) {
            struct ds_branch branch = {USER, KERNEL, 0, 0, 2, (enum ds_branch_kind)kind};
            step_over(NULL);
            step_over(&branch);
            step_over(NULL);
        }
        report(DS_BRANCH_DEBUG_EXCEPTION, USER, KERNEL, 0);
        read_msr(IA32_DEBUGCTL);
    }
}

static void (*const scenarios[SCENARIO_COUNT])(void) = {
    [SCENARIO_REGISTERS] = registers,
    [SCENARIO_AREA] = area,
    [SCENARIO_SELECTION] = selection,
    [SCENARIO_RECORDS] = records,
    [SCENARIO_BUFFER] = buffer,
    [SCENARIO_THRESHOLD] = threshold,
    [SCENARIO_OVERFLOW] = overflow,
    [SCENARIO_PEBS] = pebs,
    [SCENARIO_FREEZE] = freeze,
    [SCENARIO_SMM] = smm,
    [SCENARIO_INIT] = init,
    [SCENARIO_LBR] = lbr,
    [SCENARIO_LER] = ler,
    [SCENARIO_STEP] = step,
};

struct ds_profile scenario_profile(unsigned i)
{
    static const struct {
        uint8_t model, version, general;
        uint32_t perf_capabilities;
        bool pebs_unavailable, no_ds_cpl, no_ds;
    } rows[SCENARIO_PROFILES] = {
        {0x17, 2, 2, 0x00c0, false, false, false}, {0x1a, 3, 4, 0x11c3, false, false, false},
        {0x3c, 3, 8, 0x32c4, false, false, false}, {0x5e, 4, 8, 0x33c5, false, false, false},
        {0x5f, 4, 4, 0x33c6, true, true, false},   {0x6a, 5, 8, 0x74c5, false, false, false},
        {0xff, 1, 2, 0x0000, true, true, true},
    };
    machine_start(&machine);
    struct ds_profile profile = machine.cpu.profile;
    profile.model = rows[i].model;
    profile.perfmon_version = rows[i].version;
    profile.general_counters = rows[i].general;
    profile.fixed_counters = rows[i].version > 1 ? 3 : 0;
    profile.perf_capabilities = rows[i].perf_capabilities;
    profile.pebs_unavailable = rows[i].pebs_unavailable;
    profile.ds_cpl = !rows[i].no_ds_cpl;
    profile.ds = !rows[i].no_ds;
    profile.dtes64 = profile.ds;
    CHECK(ds_profile_check(&profile) == NULL);
    return profile;
}

unsigned scenario_changes(const uint64_t seen[SCENARIO_COUNT], const uint64_t usual[SCENARIO_COUNT])
{
    unsigned changed = 0;

    for (unsigned i = 0; i < SCENARIO_COUNT; i++) {
        changed |= (unsigned)(seen[i] != usual[i]) << i;
    }
    return changed;
}

static void run(const struct ds_profile *profile, const struct ds_variation *variation,
                const struct ds_fault_settings *faults, uint64_t seen[SCENARIO_COUNT])
{
    for (size_t i = 0; i < SCENARIO_COUNT; i++) {
        machine_start(&machine);
        machine.cpu.profile = *profile;
        machine.cpu.variation = *variation;
        machine.cpu.faults = *faults;
        ds_reset(&machine.cpu);
        ds_set_long_mode(&machine.cpu, true);
        seen_so_far = 0;
        scenarios[i]();
        see_all();
        seen[i] = seen_so_far;
    }
}

void scenario_run(const struct ds_profile *profile, const struct ds_fault_settings *faults,
                  uint64_t seen[SCENARIO_COUNT])
{
    struct ds_variation usual = {0};

    run(profile, &usual, faults, seen);
}

void scenario_run_variation(const struct ds_profile *profile, const struct ds_variation *variation,
                            uint64_t seen[SCENARIO_COUNT])
{
    struct ds_fault_settings none = {0};

    run(profile, variation, &none, seen);
}
