// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario.h"

#include <string.h>

#include "check.h"
#include "scenario_parts.h"

#define LIMIT 0x800000000000ull /* the first address above the lower half */

struct machine machine;
static uint64_t seen_so_far;

void see(uint64_t value)
{
    seen_so_far = (seen_so_far ^ value) * 0x100000001b3ull;
    seen_so_far ^= seen_so_far >> 29;
}

void read_msr(uint32_t msr)
{
    uint64_t value = 0;

    see(ds_msr_read(&machine.cpu, msr, &value));
    see(value);
}

void write_msr(uint32_t msr, uint64_t value)
{
    see(ds_msr_write(&machine.cpu, &machine.host, msr, value));
    see(machine.pmis);
}

void see_memory(void)
{
    static const struct {
        uint32_t first, end;
    } used[] = {{0x1000, 0x11c0}, {0x2fe0, 0x3480}, {0x4ff0, 0x5440}};

    for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
        for (uint32_t place = used[i].first; place < used[i].end; place += 8) {
            uint64_t value;

            memcpy(&value, machine.memory + place, sizeof(value)); /* machine_peek() is too slow */
            see(value);
        }
    }
}

/* Counters, LBR stack, status, memory. */
void see_all(void)
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
    if (machine.cpu.profile.arch_lbr) {
        see_arch_lbrs();
    }
    see(ds_wants_branches(&machine.cpu));
    see(ds_wants_instructions(&machine.cpu));
    see(machine.pmis);
    see_memory();
}

void report(enum ds_branch_kind kind, uint64_t from, uint64_t to, unsigned cpls)
{
    struct ds_branch branch = {.from = from,
                               .to = to,
                               .from_base = 0x2000,
                               .to_base = 0x1000,
                               .old_cpl = cpls >> 4,
                               .new_cpl = cpls & 0xf,
                               .length = kind < DS_BRANCH_INTERRUPT ? 2 : 0,
                               .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &branch);
}

void report_nmi(void)
{
    struct ds_branch nmi = {.from = USER + 0x30,
                            .to = KERNEL + 0x40,
                            .old_cpl = 3,
                            .kind = DS_BRANCH_INTERRUPT,
                            .nmi = true};

    ds_branch(&machine.cpu, &machine.host, &nmi);
}

void run_at(uint8_t cpl, unsigned instructions)
{
    struct ds_instruction instruction = {
        .ip = USER, .next = USER + 3, .base = 0x1000, .next_base = 0x1000, .cpl = cpl};

    for (unsigned i = 0; i < instructions; i++) {
        machine.tsc += 3;
        ds_instruction(&machine.cpu, &machine.host, &instruction);
    }
}

/* At the end of the memory, where nothing else is. */
uint64_t microcoded_at(unsigned n)
{
    static const uint32_t opcodes[MICROCODED] = {
        0xa20f,   0x300f,   0x320f,   0x310f, 0x330f, 0xd0010f, /* XGETBV */
        0xf9010f, 0x60e4,   0x80e6,   0xec,   0xee,   0xc0200f, /* MOV from CR0 */
        0xc0220f, 0xc0210f, 0x38010f, 0x090f, 0x90f3, 0xf4};
    uint64_t place = machine.base + MEMORY_SIZE - 0x100;

    machine_poke(&machine, place, 4, opcodes[n]);
    return place;
}

void run_microcoded(void)
{
    for (unsigned n = 0; n < MICROCODED; n++) {
        uint64_t ip = microcoded_at(n);
        struct ds_instruction instruction = {.ip = ip, .next = ip + 3};

        ds_instruction(&machine.cpu, &machine.host, &instruction);
    }
}

/* One branch of each kind and ring, and some at the edges of the address space. */
void every_branch(void)
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
    static const unsigned sizes[16] = {144, 176, 192, 200, 176, 176, 176};
    unsigned format = machine.cpu.profile.perf_capabilities >> 8 & 0xf;

    return sizes[format];
}

/* BTS as given, in records and bytes; PEBS three records, threshold at the second. */
void buffers(unsigned records, unsigned extra, unsigned threshold)
{
    uint64_t base = machine.base, bts = base + 0x3000, pebs = base + 0x5000;
    const uint64_t fields[] = {bts,  bts,  bts + 24 * records + extra, bts + 24 * threshold,
                               pebs, pebs, pebs + 3 * pebs_size(),     pebs + 2 * pebs_size()};

    write_msr(IA32_DS_AREA, base + 0x1000);
    for (unsigned i = 0; i < 8; i++) {
        machine_poke(&machine, base + 0x1000 + 8 * i, 8, fields[i]);
    }
    for (unsigned i = 8; i < 60; i++) {
        machine_poke(&machine, base + 0x1000 + 8 * i, 8, 0ull - i);
    }
}

/* Those of the counters that there are. */
void enable(uint64_t counters)
{
    const struct ds_profile *profile = &machine.cpu.profile;
    uint64_t general = (1ull << profile->general_counters) - 1;
    uint64_t fixed =
        profile->fixed_mask ? profile->fixed_mask : (1ull << profile->fixed_counters) - 1;

    write_msr(IA32_PERF_GLOBAL_CTRL, counters & (general | fixed << 32));
}

uint64_t adaptive(void)
{
    return machine.cpu.profile.perf_capabilities >> 14 & 1 ? 1ull << 34 : 0;
}

uint64_t precise(void)
{
    return machine.cpu.profile.model == 0x3c ? MICRO_OPERATIONS : INSTRUCTIONS;
}

void sample_on(unsigned number, uint64_t event)
{
    write_msr(MSR_PEBS_DATA_CFG, 2);
    write_msr(IA32_PMC0 + number, 0ull - 5);
    write_msr(IA32_PERFEVTSEL0 + number, COUNT | adaptive() | event);
    write_msr(IA32_PEBS_ENABLE, 1ull << number);
    enable(1ull << number);
}

void sample(uint64_t event)
{
    sample_on(0, event);
}

/* Makes counter number overflow after some instructions; 32 and up: fixed. */
void prepare(unsigned number, unsigned period, bool signals)
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

static void (*const scenarios[SCENARIO_COUNT])(void) = {
    [SCENARIO_REGISTERS] = scenario_registers,
    [SCENARIO_AREA] = scenario_area,
    [SCENARIO_SELECTION] = scenario_selection,
    [SCENARIO_RECORDS] = scenario_records,
    [SCENARIO_BUFFER] = scenario_buffer,
    [SCENARIO_THRESHOLD] = scenario_threshold,
    [SCENARIO_OVERFLOW] = scenario_overflow,
    [SCENARIO_COUNTERS] = scenario_counters,
    [SCENARIO_PEBS] = scenario_pebs,
    [SCENARIO_FREEZE] = scenario_freeze,
    [SCENARIO_SMM] = scenario_smm,
    [SCENARIO_INIT] = scenario_init,
    [SCENARIO_LBR] = scenario_lbr,
    [SCENARIO_LER] = scenario_ler,
    [SCENARIO_STEP] = scenario_step,
    [SCENARIO_NEIGHBOURS] = scenario_neighbours,
    [SCENARIO_ARCH_LBR] = scenario_arch_lbr,
};

/* The P-core and the E-core of Lunar Lake, and the latter in Arrow Lake-H (F21.11): the P-core has
 * ten counters. */
static void complete(struct ds_profile *profile)
{
    bool is_p_core = profile->general_counters == 10;
    uint64_t reloaded = is_p_core ? 0 : 0x3000000fc;

    profile->hybrid = profile->unit_mask_2 = profile->equal_bit = true;
    if (profile->perfmon_version > 5) {
        profile->event_count = 13, profile->events_missing = 0x280;
    }
    profile->leaf_0a_general = 8, profile->leaf_0a_fixed = 3;
    profile->core_kind = is_p_core ? 0x40000003 : 0x20000003;
    profile->fixed_counters = is_p_core ? 4 : 6;
    profile->fixed_mask = is_p_core ? 0 : 0x77;
    profile->leaf_23 = is_p_core ? 0xb : 0xf;
    profile->events = is_p_core ? 0x1dff : 0x1f7f;
    profile->slots_per_cycle = is_p_core ? 0 : 8;
    profile->metrics = is_p_core ? 8 : 0;
    profile->reloadable = profile->reload_causes = reloaded;
    profile->rdpmc_user_disable = is_p_core;
    if (profile->pebs_unavailable) { /* the P-core of Panther Lake */
        profile->leaf_23 |= 0x30;
        profile->arch_pebs_config = 0x60060378;
        profile->arch_pebs_counters = 0xf000003ff;
    }
}

struct ds_profile scenario_profile(unsigned i)
{
    static const struct {
        uint8_t model, version, general;
        uint32_t perf_capabilities;
        bool pebs_unavailable, no_ds_cpl, no_ds;
        uint32_t lbr_leaf_eax, lbr_leaf_ebx, lbr_leaf_ecx;
    } rows[SCENARIO_PROFILES] = {
        {0x17, 2, 2, 0x10c2, false, false, false, 0, 0, 0},
        {0x1a, 3, 4, 0x11c3, false, false, false, 0, 0, 0},
        {0x3c, 3, 8, 0x32c4, false, false, false, 0, 0, 0},
        {0x5e, 4, 4, 0x33c5, false, false, false, 0, 0, 0},
        {0x5f, 4, 4, 0x33c6, true, true, false, 0, 0, 0},
        {0x6a, 5, 8, 0x74c5, false, false, false, 0, 0, 0},
        {0xff, 1, 2, 0x0000, true, true, true, 0, 0, 0},
        {0x6a, 5, 8, 0x75c5, false, false, false, 0, 0, 0},
        {0x6a, 5, 8, 0x276c5, false, false, false, 0, 0, 0},
        {0x8f, 5, 8, 0x74ff, false, false, false, 0x4000000b, 7, 0x7},
        {0xaf, 5, 8, 0x74ff, false, false, false, 0xc000000b, 3, 0xf0007},
        {0xbd, 6, 10, 0xf6ff, false, false, false, 0x4000000b, 7, 0xf0007},
        {0xbd, 6, 8, 0x76ff, false, false, false, 0xc000000b, 7, 0xf0007},
        {0xc5, 5, 8, 0x75ff, false, false, false, 0xc000000b, 7, 0x7},
        {0x1c, 3, 2, 0x00c1, false, false, false, 0, 0, 0},
        {0xcc, 6, 10, 0x3fff, true, false, false, 0x4000000b, 7, 0xf0007},
    };
    machine_start(&machine);
    struct ds_profile profile = machine.cpu.profile;
    profile.model = rows[i].model;
    profile.perfmon_version = rows[i].version;
    profile.general_counters = rows[i].general;
    profile.fixed_counters = rows[i].version > 4 ? 4 : rows[i].version > 1 ? 3 : 0;
    profile.perf_capabilities = rows[i].perf_capabilities;
    profile.pebs_unavailable = rows[i].pebs_unavailable;
    profile.ds_cpl = !rows[i].no_ds_cpl;
    profile.ds = !rows[i].no_ds;
    profile.dtes64 = profile.ds;
    profile.arch_lbr = rows[i].lbr_leaf_eax;
    profile.xsaves_lbr = rows[i].lbr_leaf_eax;
    profile.lbr_leaf_eax = rows[i].lbr_leaf_eax;
    profile.lbr_leaf_ebx = rows[i].lbr_leaf_ebx;
    profile.lbr_leaf_ecx = rows[i].lbr_leaf_ecx;
    if (rows[i].version == 6 || rows[i].model == 0xc5) {
        complete(&profile);
    }
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
                const struct ds_fault_settings *faults, unsigned which,
                uint64_t seen[SCENARIO_COUNT])
{
    for (size_t i = 0; i < SCENARIO_COUNT; i++) {
        if (!(which >> i & 1)) {
            continue;
        }
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
                  unsigned which, uint64_t seen[SCENARIO_COUNT])
{
    struct ds_variation usual = {0};

    run(profile, &usual, faults, which, seen);
}

void scenario_run_variation(const struct ds_profile *profile, const struct ds_variation *variation,
                            uint64_t seen[SCENARIO_COUNT])
{
    struct ds_fault_settings none = {0};

    run(profile, variation, &none, SCENARIO_ALL, seen);
}
