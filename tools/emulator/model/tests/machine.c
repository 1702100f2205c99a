// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include <string.h>

#include "check.h"

static bool is_mapped(const struct machine *machine, uint64_t linear, size_t size)
{
    bool inside = linear >= machine->base && linear + size <= machine->base + MEMORY_SIZE;
    bool in_hole = linear < machine->hole_end && linear + size > machine->hole_start;

    return inside && !in_hole;
}

static bool host_read(void *opaque, uint64_t linear, void *data, size_t size)
{
    struct machine *machine = opaque;

    if (!is_mapped(machine, linear, size)) {
        return false;
    }
    memcpy(data, machine->memory + (linear - machine->base), size);
    return true;
}

static bool host_write(void *opaque, uint64_t linear, const void *data, size_t size)
{
    struct machine *machine = opaque;

    if (!is_mapped(machine, linear, size)) {
        return false;
    }
    memcpy(machine->memory + (linear - machine->base), data, size);
    return true;
}

static bool host_write_physical(void *opaque, uint64_t physical, const void *data, size_t size)
{
    struct machine *machine = opaque;

    if (physical < PHYSICAL_BASE || physical + size > PHYSICAL_BASE + PHYSICAL_SIZE) {
        return false;
    }
    memcpy(machine->physical + (physical - PHYSICAL_BASE), data, size);
    return true;
}

static void host_raise_pmi(void *opaque)
{
    struct machine *machine = opaque;

    machine->pmis++;
}

static void host_registers(void *opaque, struct ds_registers *registers)
{
    struct machine *machine = opaque;

    *registers = machine->registers;
}

static uint64_t host_tsc(void *opaque)
{
    struct machine *machine = opaque;

    return machine->tsc;
}

static bool host_pmi_is_nmi(void *opaque)
{
    struct machine *machine = opaque;

    return machine->nmi;
}

static void host_uncore_written(void *opaque, uint64_t value)
{
    struct machine *machine = opaque;

    machine->uncore_written = value;
}

static void host_hang(void *opaque)
{
    struct machine *machine = opaque;

    machine->hangs++;
}

static void start(struct machine *machine, uint64_t base, bool wide)
{
    memset(machine, 0, sizeof(*machine));
    memset(machine->memory, POISON, MEMORY_SIZE);
    memset(machine->physical, POISON, PHYSICAL_SIZE);
    machine->base = base;
    machine->host = (struct ds_host){.read = host_read,
                                     .write = host_write,
                                     .write_physical = host_write_physical,
                                     .raise_pmi = host_raise_pmi,
                                     .raise_neighbours_pmi = host_raise_pmi,
                                     .opaque = machine,
                                     .registers = host_registers,
                                     .tsc = host_tsc,
                                     .pmi_is_nmi = host_pmi_is_nmi,
                                     .uncore_written = host_uncore_written,
                                     .hang = host_hang};
    machine->cpu.profile = (struct ds_profile){
        .present = true,
        .ds = true,
        .dtes64 = wide,
        .ds_cpl = true,
        .pdcm = true,
        .perfmon_version = 4,
        .general_counters = 8,
        .general_width = 48,
        .event_count = 7,
        .fixed_counters = 3,
        .fixed_width = 48,
        .perf_capabilities = 0x33c5,
        .misc_enable = 1,
        .family = 6,
        .model = 0x5e,
    };
    ds_reset(&machine->cpu);
    ds_set_long_mode(&machine->cpu, wide);
}

void machine_start(struct machine *machine)
{
    start(machine, MEMORY_BASE, true);
}

void machine_start_32(struct machine *machine)
{
    start(machine, 0x40000, false);
}

void machine_start_model(struct machine *machine, unsigned model, unsigned version,
                         uint64_t perf_capabilities)
{
    machine_start(machine);
    machine->cpu.profile.model = (uint8_t)model;
    machine->cpu.profile.perfmon_version = (uint8_t)version;
    machine->cpu.profile.fixed_counters = version > 1 ? 3 : 0;
    machine->cpu.profile.perf_capabilities = perf_capabilities;
    CHECK(ds_profile_check(&machine->cpu.profile) == NULL);
    ds_reset(&machine->cpu);
    ds_set_long_mode(&machine->cpu, true);
}

void machine_write(struct machine *machine, uint32_t msr, uint64_t value)
{
    CHECK_EQUAL(ds_msr_write(&machine->cpu, &machine->host, msr, value), DS_MSR_DONE);
}

void machine_refuses(struct machine *machine, uint32_t msr, uint64_t value)
{
    CHECK_EQUAL(ds_msr_write(&machine->cpu, &machine->host, msr, value), DS_MSR_FAULT);
}

void machine_refuses_read(struct machine *machine, uint32_t msr)
{
    uint64_t value;

    CHECK_EQUAL(ds_msr_read(&machine->cpu, msr, &value), DS_MSR_FAULT);
}

void machine_run(struct machine *machine, unsigned instructions)
{
    struct ds_instruction instruction = {.ip = 0x400000, .next = 0x400003};

    for (unsigned i = 0; i < instructions; i++) {
        ds_instruction(&machine->cpu, &machine->host, &instruction);
    }
}

void machine_run_branch(struct machine *machine, unsigned number, bool taken)
{
    struct ds_instruction instruction = {.ip = machine_from(number), .branch = true};

    instruction.next = taken ? machine_to(number) : instruction.ip + 2;
    if (taken) {
        machine_branch(machine, number, 0, 0);
    }
    ds_instruction(&machine->cpu, &machine->host, &instruction);
}

void machine_debugctl(struct machine *machine, uint64_t value)
{
    machine_write(machine, IA32_DEBUGCTL, value);
}

uint64_t machine_msr(struct machine *machine, uint32_t msr)
{
    uint64_t value = 0;

    CHECK_EQUAL(ds_msr_read(&machine->cpu, msr, &value), DS_MSR_DONE);
    return value;
}

uint64_t machine_peek(const struct machine *machine, uint64_t address, size_t size)
{
    uint64_t value = 0;

    for (size_t i = size; i-- > 0;) {
        value = value << 8 | machine->memory[address - machine->base + i];
    }
    return value;
}

void machine_poke(struct machine *machine, uint64_t address, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++, value >>= 8) {
        machine->memory[address - machine->base + i] = (uint8_t)value;
    }
}

static size_t field_size(const struct machine *machine)
{
    return machine_record_size(machine) / 3;
}

static uint64_t area_address(const struct machine *machine)
{
    return machine->base + (AREA_ADDRESS - MEMORY_BASE);
}

uint64_t machine_bts_address(const struct machine *machine)
{
    return machine->base + (BTS_ADDRESS - MEMORY_BASE);
}

size_t machine_record_size(const struct machine *machine)
{
    return machine->base == MEMORY_BASE ? 24 : 12;
}

void machine_set_index(struct machine *machine, uint64_t address)
{
    size_t field = field_size(machine);

    machine_poke(machine, area_address(machine) + field, field, address);
}

void machine_bts(struct machine *machine, unsigned records, unsigned extra, unsigned threshold)
{
    size_t field = field_size(machine), size = machine_record_size(machine);
    uint64_t area = area_address(machine), base = machine_bts_address(machine);

    machine_poke(machine, area, field, base);
    machine_poke(machine, area + field, field, base);
    machine_poke(machine, area + 2 * field, field, base + records * size + extra);
    machine_poke(machine, area + 3 * field, field, base + threshold * size);
    machine_write(machine, IA32_DS_AREA, area);
}

uint64_t machine_index(const struct machine *machine)
{
    size_t field = field_size(machine), size = machine_record_size(machine);
    uint64_t bytes =
        machine_peek(machine, area_address(machine) + field, field) - machine_bts_address(machine);

    return bytes % size == 0 ? bytes / size : ~0ull;
}

struct record machine_record(const struct machine *machine, unsigned number)
{
    size_t field = field_size(machine);
    uint64_t place = machine_bts_address(machine) + number * machine_record_size(machine);

    return (struct record){machine_peek(machine, place, field),
                           machine_peek(machine, place + field, field),
                           machine_peek(machine, place + 2 * field, field)};
}

bool machine_is_poison(const struct machine *machine, unsigned number)
{
    uint64_t place = machine_bts_address(machine) + number * machine_record_size(machine);

    for (unsigned i = 0; i < 512; i++) {
        if (machine_peek(machine, place + i, 1) != POISON) {
            return false;
        }
    }
    return true;
}

uint64_t machine_from(unsigned number)
{
    return 0x401000 + 16ull * number;
}

uint64_t machine_to(unsigned number)
{
    return 0x700000 + 4ull * number;
}

void machine_branch(struct machine *machine, unsigned number, unsigned old_cpl, unsigned new_cpl)
{
    struct ds_branch branch = {
        .from = machine_from(number),
        .to = machine_to(number),
        .old_cpl = (uint8_t)old_cpl,
        .new_cpl = (uint8_t)new_cpl,
        .kind = old_cpl == new_cpl ? DS_BRANCH_JMP_RELATIVE : DS_BRANCH_FAR,
    };

    ds_branch(&machine->cpu, &machine->host, &branch);
}

void machine_branches(struct machine *machine, unsigned first, unsigned last)
{
    for (unsigned number = first; number <= last; number++) {
        machine_branch(machine, number, 0, 0);
    }
}

bool machine_holds(const struct machine *machine, unsigned place, unsigned number)
{
    struct record record = machine_record(machine, place);

    return record.from == machine_from(number) && record.to == machine_to(number);
}
