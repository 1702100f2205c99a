// SPDX-License-Identifier: GPL-2.0-or-later
/* The delay between a PEBS counter's overflow and its being armed: how long, and what ends it. */
#include "check.h"
#include "machine.h"

#define SIZE    200 /* a record of format 3 */
#define RECORDS 40
#define LONGEST 64

static struct machine machine;

static void sample(unsigned i, uint64_t event, unsigned period, unsigned reload)
{
    machine_poke(&machine, AREA_ADDRESS + 0x40 + 8 * i, 8, 0ull - reload);
    machine_write(&machine, IA32_A_PMC0 + i, (1ull << 48) - period);
    machine_write(&machine, IA32_PERFEVTSEL0 + i, COUNT | event);
}

static void start(unsigned skid)
{
    machine_start(&machine);
    machine.cpu.variation.pebs_skid = skid;
    machine_write(&machine, IA32_DS_AREA, AREA_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + RECORDS * SIZE);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, ~0ull);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0xff);
    machine_write(&machine, IA32_PEBS_ENABLE, 0xf);
}

static unsigned stored(void)
{
    return (unsigned)(machine_peek(&machine, AREA_ADDRESS + 0x28, 8) - PEBS_ADDRESS) / SIZE;
}

static uint64_t counters_of(unsigned record)
{
    return machine_peek(&machine, PEBS_ADDRESS + record * SIZE + 0x90, 8);
}

/* Runs one instruction, a not-taken branch or none. */
static void run_one(bool branch)
{
    if (branch) {
        machine_run_branch(&machine, 1, false);
    } else {
        machine_run(&machine, 1);
    }
}

/*
 * Branches, one in spacing instructions, are sampled. Each overflow makes one record, by the first
 * branch after skid more instructions; the branches before it are counted and make none.
 */
static void sampled_branches(unsigned skid, unsigned spacing, unsigned period)
{
    unsigned records = 0, overflowed_at = 0;
    int64_t value = -(int64_t)period;

    start(skid);
    sample(0, PRECISE_BRANCHES, period, period);
    for (unsigned now = 1; now <= 400; now++) {
        bool branch = now % spacing == 0;
        run_one(branch);
        if (branch && overflowed_at && now > overflowed_at + skid) {
            records++;
            overflowed_at = 0;
            value = -(int64_t)period;
        } else if (branch && ++value == 0) {
            overflowed_at = now;
        }
        CHECK_EQUAL(stored(), records < RECORDS ? records : RECORDS);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), (uint64_t)value & 0xffffffffffff);
    }
}

static void one_record_an_overflow(void)
{
    static const unsigned spacings[] = {1, 2, 7, 14, 15, 40, 70};

    for (unsigned skid = 0; skid <= LONGEST; skid++) {
        for (unsigned i = 0; i < sizeof(spacings) / sizeof(spacings[0]); i++) {
            sampled_branches(skid, spacings[i], 1);
            sampled_branches(skid, spacings[i], 3);
        }
    }
}

/* The second counter overflows while the first is being armed: its own delay begins then. */
static void each_counter_has_its_own_delay(void)
{
    for (unsigned skid = 1; skid <= LONGEST; skid++) {
        for (unsigned later = 1; later <= skid; later++) {
            start(skid);
            sample(0, INSTRUCTIONS, 1, 1000);
            sample(1, INSTRUCTIONS, 1 + later, 1000);
            machine_run(&machine, 1 + skid);
            CHECK_EQUAL(stored(), 0);
            machine_run(&machine, 1);
            CHECK_EQUAL(stored(), 1);
            CHECK_EQUAL(counters_of(0), 1);
            machine_run(&machine, later - 1);
            CHECK_EQUAL(stored(), 1);
            machine_run(&machine, 1);
            CHECK_EQUAL(stored(), 2);
            CHECK_EQUAL(counters_of(1), 2);
        }
    }
}

static void report(enum ds_branch_kind kind)
{
    struct ds_branch branch = {.from = 0x400003, .to = 0x500000, .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &branch);
}

static void write_nothing(void)
{
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 0);
}

static void stop_and_go_on(void)
{
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    machine_run(&machine, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0xff);
}

static void halt(void)
{
    ds_halt(&machine.cpu, &machine.host);
}

static void system_management(void)
{
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
}

static void far_transfer(void)
{
    report(DS_BRANCH_FAR);
}

static void interrupt(void)
{
    report(DS_BRANCH_INTERRUPT);
}

static void software_interrupt(void)
{
    report(DS_BRANCH_SOFTWARE_INTERRUPT);
}

static void exception(void)
{
    report(DS_BRANCH_EXCEPTION);
}

static void debug_exception(void)
{
    report(DS_BRANCH_DEBUG_EXCEPTION);
}

/* Whatever empties the pipeline takes longer than the delay: the next event makes the record. */
static void an_empty_pipeline_ends_the_delay(void)
{
    static void (*const emptied_by[])(void) = {write_nothing,      stop_and_go_on, halt,
                                               system_management,  far_transfer,   interrupt,
                                               software_interrupt, exception,      debug_exception};

    for (unsigned i = 0; i < sizeof(emptied_by) / sizeof(emptied_by[0]); i++) {
        start(LONGEST);
        sample(0, INSTRUCTIONS, 1, 1000);
        machine_run(&machine, 4);
        emptied_by[i]();
        CHECK_EQUAL(stored(), 0);
        machine_run(&machine, 1);
        CHECK_EQUAL(stored(), 1);
    }
}

static void a_near_branch_does_not(void)
{
    for (enum ds_branch_kind kind = DS_BRANCH_CONDITIONAL; kind < DS_BRANCH_FAR; kind++) {
        start(LONGEST);
        sample(0, INSTRUCTIONS, 1, 1000);
        machine_run(&machine, 1);
        report(kind);
        machine_run(&machine, LONGEST);
        CHECK_EQUAL(stored(), 0);
        machine_run(&machine, 1);
        CHECK_EQUAL(stored(), 1);
    }
}

static void taken_out_while_being_armed(void)
{
    for (unsigned passed = 0; passed < LONGEST; passed++) {
        start(LONGEST);
        sample(0, INSTRUCTIONS, 2, 100);
        machine_run(&machine, 2 + passed);
        machine_write(&machine, IA32_PEBS_ENABLE, 0);
        machine_write(&machine, IA32_PEBS_ENABLE, 1);
        machine_run(&machine, 2 * LONGEST);
        CHECK_EQUAL(stored(), 0);
    }
}

const struct test pebs_skid_tests[] = {
    {"pebs skid: one record an overflow, by the first event after the delay",
     one_record_an_overflow},
    {"pebs skid: each counter has its own delay", each_counter_has_its_own_delay},
    {"pebs skid: an empty pipeline ends the delay", an_empty_pipeline_ends_the_delay},
    {"pebs skid: a near branch does not", a_near_branch_does_not},
    {"pebs skid: taken out while being armed", taken_out_while_being_armed},
    {0},
};
