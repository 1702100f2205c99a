// SPDX-License-Identifier: GPL-2.0-or-later
/* Precise distribution: which counters' records are of the instruction that overflowed them. */
#include "check.h"
#include "machine.h"

#define RECORDS 60
#define CODE    0x400000 /* instruction number n lies here + 4 * n */

#define DISTRIBUTED 0x01c0u

static struct machine machine;
static unsigned now; /* number of the newest instruction */

struct processor {
    uint8_t model, version;
    uint64_t capabilities, pdist;
    unsigned events, period; /* as the fields of the profile */
    unsigned size, eventing; /* of its records in bytes, and the place of the instruction in them */
};

static const struct processor skylake = {0x5e, 4, 0x33c5, 2, 1, 0, 200, 0xb0};
static const struct processor goldmont = {0x5f, 4, 0x33c6, 1, 0, 1, 200, 0xb0};
static const struct processor ice_lake = {0x6a, 5, 0x74c5, FIXED(0), 0, 0, 32, 8};
static const struct processor golden_cove = {0x6a, 5, 0x74c5, FIXED(0) | 1, 2, 0, 32, 8};

static const struct processor *processor;

static void start(const struct processor *wanted)
{
    processor = wanted;
    machine_start_model(&machine, wanted->model, wanted->version, wanted->capabilities);
    machine.cpu.profile.pdist = wanted->pdist;
    machine.cpu.profile.pdist_events = (uint8_t)wanted->events;
    machine.cpu.profile.pdist_period = wanted->period;
    CHECK(ds_profile_check(&machine.cpu.profile) == NULL);
    machine_write(&machine, IA32_DS_AREA, AREA_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + RECORDS * wanted->size);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, ~0ull);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
    now = 0;
}

/* Counter number, as in IA32_PEBS_ENABLE, overflows after first events and then after each period.
 */
static void sample(unsigned number, unsigned event, unsigned first, unsigned period)
{
    bool fixed = number >= 32;
    unsigned i = fixed ? number - 32 : number;

    machine_poke(&machine, AREA_ADDRESS + (fixed ? 0x80 : 0x40) + 8 * i, 8, 0ull - period);
    if (fixed) {
        machine_write(&machine, IA32_FIXED_CTR0 + i, (1ull << 48) - first);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, 3ull << 4 * i);
    } else {
        machine_write(&machine, IA32_A_PMC0 + i, (1ull << 48) - first);
        machine_write(&machine, IA32_PERFEVTSEL0 + i, COUNT | event);
    }
    machine_write(&machine, IA32_PEBS_ENABLE, 1ull << number);
}

static void run(unsigned instructions)
{
    while (instructions-- > 0) {
        now++;
        struct ds_instruction instruction = {
            .ip = CODE + 4ull * now, .next = CODE + 4ull * now + 4, .branch = now % 2 == 0};

        ds_instruction(&machine.cpu, &machine.host, &instruction);
    }
}

static unsigned stored(void)
{
    uint64_t bytes = machine_peek(&machine, AREA_ADDRESS + 0x28, 8) - PEBS_ADDRESS;

    return (unsigned)bytes / processor->size;
}

/* Number of the instruction that a record is of. */
static uint64_t instruction_of(unsigned record)
{
    uint64_t place = PEBS_ADDRESS + record * processor->size + processor->eventing;

    return (machine_peek(&machine, place, 8) - CODE) / 4;
}

/* Three records of a counter of instructions: where the first is, and how far apart they are. */
static void check_spacing(uint64_t first, uint64_t apart)
{
    run((unsigned)(first + 2 * apart) - 1);
    CHECK_EQUAL(stored(), 2);
    run(1);
    CHECK_EQUAL(stored(), 3);
    for (unsigned record = 0; record < 3; record++) {
        CHECK_EQUAL(instruction_of(record), first + record * apart);
    }
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 0);
    CHECK_EQUAL(machine.pmis, 0);
}

static void exact(const struct processor *wanted, unsigned number, unsigned event, unsigned period)
{
    start(wanted);
    sample(number, event, period, period);
    check_spacing(period, period);
}

static void skids(const struct processor *wanted, unsigned number, unsigned event, unsigned period)
{
    start(wanted);
    sample(number, event, period, period);
    check_spacing(period + 1, period + 1);
}

static void a_record_each_period(void)
{
    exact(&skylake, 1, DISTRIBUTED, 128);
    exact(&skylake, 1, DISTRIBUTED, 1000);
    exact(&ice_lake, 32, 0, 128);
    exact(&golden_cove, 32, 0, 777);
}

static void shorter_periods_skid(void)
{
    skids(&skylake, 1, DISTRIBUTED, 127);
    skids(&ice_lake, 32, 0, 127);
    skids(&golden_cove, 0, CYCLES, 1);
}

static void reduced_skid_has_no_shortest_period(void)
{
    exact(&goldmont, 0, INSTRUCTIONS, 1);
    exact(&goldmont, 0, INSTRUCTIONS, 2);
    exact(&goldmont, 0, CYCLES, 500);
}

static void other_counters_skid(void)
{
    skids(&skylake, 0, INSTRUCTIONS, 200);
    skids(&goldmont, 1, INSTRUCTIONS, 200);
    skids(&goldmont, 3, INSTRUCTIONS, 200);
    skids(&ice_lake, 0, INSTRUCTIONS, 200);
    skids(&ice_lake, 33, 0, 200);
    skids(&golden_cove, 1, CYCLES, 200);
}

static void other_events_skid(void)
{
    skids(&skylake, 1, INSTRUCTIONS, 200);
    skids(&golden_cove, 0, INSTRUCTIONS, 200);
    exact(&golden_cove, 0, CYCLES, 200);
}

/* Every second instruction is a branch: the record is of the one that overflows. */
static void of_the_overflowing_event(void)
{
    start(&goldmont);
    sample(0, BRANCHES, 3, 5);
    run(40);
    CHECK_EQUAL(stored(), 4);
    CHECK_EQUAL(instruction_of(0), 6);
    CHECK_EQUAL(instruction_of(1), 16);
    CHECK_EQUAL(instruction_of(3), 36);
}

/* What the counter was loaded with decides, be it by software or from its reset value. */
static void the_period_is_that_of_the_overflow(void)
{
    start(&skylake);
    sample(1, DISTRIBUTED, 10, 200);
    run(411);
    CHECK_EQUAL(instruction_of(0), 11);
    CHECK_EQUAL(instruction_of(1), 211);
    CHECK_EQUAL(instruction_of(2), 411);
    start(&skylake);
    sample(1, DISTRIBUTED, 200, 10);
    run(211);
    CHECK_EQUAL(stored(), 2);
    CHECK_EQUAL(instruction_of(0), 200);
    CHECK_EQUAL(instruction_of(1), 211);
}

/* The delay before a counter is armed is none of theirs. */
static void no_delay(void)
{
    start(&goldmont);
    machine.cpu.variation.pebs_skid = 7;
    sample(0, INSTRUCTIONS, 20, 20);
    check_spacing(20, 20);
    start(&goldmont);
    machine.cpu.variation.pebs_skid = 7;
    sample(1, INSTRUCTIONS, 20, 20);
    check_spacing(28, 28);
}

static void without_pebs_it_overflows_as_ever(void)
{
    start(&goldmont);
    sample(0, INSTRUCTIONS, 20, 20);
    machine_write(&machine, IA32_PEBS_ENABLE, 0);
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
    run(25);
    CHECK_EQUAL(stored(), 0);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 5);
}

static void threshold_interrupts_with_the_record(void)
{
    start(&goldmont);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, PEBS_ADDRESS + 2 * goldmont.size);
    sample(0, INSTRUCTIONS, 4, 4);
    run(7);
    CHECK_EQUAL(machine.pmis, 0);
    run(1);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), OVFBUF);
}

/* In system-management mode nothing is stored: the first event after it makes the record. */
static void in_smm_it_is_armed(void)
{
    start(&goldmont);
    sample(0, INSTRUCTIONS, 4, 100);
    ds_smm_enter(&machine.cpu);
    run(9);
    CHECK_EQUAL(stored(), 0);
    ds_smm_leave(&machine.cpu);
    run(1);
    CHECK_EQUAL(stored(), 1);
    CHECK_EQUAL(instruction_of(0), 10);
    run(100);
    CHECK_EQUAL(stored(), 2);
    CHECK_EQUAL(instruction_of(1), 110);
}

static void a_counter_that_is_not_there_is_refused(void)
{
    struct ds_profile profile;

    start(&skylake);
    profile = machine.cpu.profile;
    profile.pdist = 1ull << profile.general_counters;
    CHECK(ds_profile_check(&profile) != NULL);
    profile.pdist = FIXED(3);
    CHECK(ds_profile_check(&profile) != NULL);
}

const struct test pdist_tests[] = {
    {"pdist: a record each period", a_record_each_period},
    {"pdist: shorter periods skid", shorter_periods_skid},
    {"pdist: reduced skid has no shortest period", reduced_skid_has_no_shortest_period},
    {"pdist: other counters skid", other_counters_skid},
    {"pdist: other events skid", other_events_skid},
    {"pdist: the record is of the overflowing event", of_the_overflowing_event},
    {"pdist: the period is that of the overflow", the_period_is_that_of_the_overflow},
    {"pdist: no delay", no_delay},
    {"pdist: without PEBS it overflows as ever", without_pebs_it_overflows_as_ever},
    {"pdist: the threshold interrupts with the record", threshold_interrupts_with_the_record},
    {"pdist: in SMM it is armed", in_smm_it_is_armed},
    {"pdist: a counter that is not there is refused", a_counter_that_is_not_there_is_refused},
    {0},
};
