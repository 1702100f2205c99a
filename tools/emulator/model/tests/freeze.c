// SPDX-License-Identifier: GPL-2.0-or-later
/* Four settings of the two freeze bits, both flavours, every trigger. */
#include "check.h"
#include "machine.h"

static struct machine machine;

#define ALL_COUNTERS 0x7000000ffull

enum trigger { GENERAL, FIXED_COUNTER, BTS_THRESHOLD, PEBS_THRESHOLD };

/* Version 3 is legacy, version 4 streamlined. Everything is set up, nothing has happened yet. */
static void start(unsigned version, uint64_t freeze)
{
    if (version == 3) {
        machine_start_model(&machine, 0x3c, 3, 0x32c4);
    } else {
        machine_start(&machine);
    }
    machine_bts(&machine, 16, 0, 1);
    machine_poke(&machine, AREA_ADDRESS + 0x20, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x28, 8, PEBS_ADDRESS);
    machine_poke(&machine, AREA_ADDRESS + 0x30, 8, PEBS_ADDRESS + 0x1000);
    machine_poke(&machine, AREA_ADDRESS + 0x38, 8, PEBS_ADDRESS + 8);
    machine_poke(&machine, AREA_ADDRESS + 0x40, 8, 0);
    machine_debugctl(&machine, LBR | freeze);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, COUNT | INSTRUCTIONS);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x30);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, ALL_COUNTERS);
}

/* Makes the trigger's condition true with the branch that is reported and retired here. */
static void pull(enum trigger trigger)
{
    switch (trigger) {
    case GENERAL:
        machine_write(&machine, IA32_A_PMC0 + 5, 0xffffffffffff);
        machine_write(&machine, IA32_PERFEVTSEL0 + 5, COUNT_INT | BRANCHES);
        break;
    case FIXED_COUNTER:
        machine_write(&machine, IA32_FIXED_CTR0, 0xffffffffffff);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x3b);
        break;
    case BTS_THRESHOLD:
        machine_debugctl(&machine, machine_msr(&machine, IA32_DEBUGCTL) | TR | BTS | BTINT);
        break;
    case PEBS_THRESHOLD:
        machine_write(&machine, IA32_PEBS_ENABLE, 1);
        machine_write(&machine, IA32_A_PMC0, 0xffffffffffff);
        machine_write(&machine, IA32_PERFEVTSEL0, COUNT | PRECISE_BRANCHES);
        machine_run_branch(&machine, 1, false);
        break;
    }
    machine_run_branch(&machine, 2, true);
}

static uint64_t trigger_status(enum trigger trigger)
{
    static const uint64_t bits[] = {1u << 5, FIXED(0), 0, OVFBUF};

    return bits[trigger];
}

static bool lbr_records(void)
{
    uint64_t before = machine_msr(&machine, MSR_LASTBRANCH_TOS);

    machine_branch(&machine, 3, 0, 0);
    return machine_msr(&machine, MSR_LASTBRANCH_TOS) != before;
}

static bool counters_count(void)
{
    uint64_t general = machine_msr(&machine, IA32_PMC0 + 1);
    uint64_t fixed = machine_msr(&machine, IA32_FIXED_CTR0 + 1);

    machine_run(&machine, 3);
    bool general_moved = machine_msr(&machine, IA32_PMC0 + 1) != general;
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 1) != fixed, general_moved);
    return general_moved;
}

static void check_legacy(enum trigger trigger, uint64_t freeze)
{
    start(3, freeze);
    pull(trigger);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL) & LBR, freeze & FREEZE_LBRS ? 0 : LBR);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL),
                freeze & FREEZE_PERFMON ? 0 : ALL_COUNTERS);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), trigger_status(trigger));
    CHECK_EQUAL(lbr_records(), !(freeze & FREEZE_LBRS));
    CHECK_EQUAL(counters_count(), !(freeze & FREEZE_PERFMON));
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, ALL_COUNTERS | OVFBUF);
    CHECK_EQUAL(lbr_records(), !(freeze & FREEZE_LBRS));
    CHECK_EQUAL(counters_count(), !(freeze & FREEZE_PERFMON));
    machine_debugctl(&machine, LBR);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, ALL_COUNTERS);
    CHECK(lbr_records());
    CHECK(counters_count());
}

static void check_streamlined(enum trigger trigger, uint64_t freeze)
{
    uint64_t frozen =
        (freeze & FREEZE_LBRS ? LBR_FRZ : 0) | (freeze & FREEZE_PERFMON ? CTR_FRZ : 0);

    start(4, freeze);
    pull(trigger);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL) & (LBR | freeze), LBR | freeze);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), ALL_COUNTERS);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), trigger_status(trigger) | frozen);
    CHECK_EQUAL(lbr_records(), !(freeze & FREEZE_LBRS));
    CHECK_EQUAL(counters_count(), !(freeze & FREEZE_PERFMON));
    machine_debugctl(&machine, LBR);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, ALL_COUNTERS);
    CHECK_EQUAL(lbr_records(), !(freeze & FREEZE_LBRS));
    CHECK_EQUAL(counters_count(), !(freeze & FREEZE_PERFMON));
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, frozen);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), trigger_status(trigger));
    CHECK(lbr_records());
    CHECK(counters_count());
}

static void all_settings(void (*check)(enum trigger, uint64_t))
{
    static const uint64_t settings[] = {0, FREEZE_LBRS, FREEZE_PERFMON,
                                        FREEZE_LBRS | FREEZE_PERFMON};

    for (unsigned trigger = GENERAL; trigger <= PEBS_THRESHOLD; trigger++) {
        for (unsigned i = 0; i < 4; i++) {
            check((enum trigger)trigger, settings[i]);
        }
    }
}

static void legacy(void)
{
    all_settings(check_legacy);
}

static void streamlined(void)
{
    all_settings(check_streamlined);
}

/* The triggering branch is the newest entry: the freeze comes at the condition, not before. */
static void the_last_branch_is_in_the_stack(void)
{
    for (unsigned trigger = GENERAL; trigger <= PEBS_THRESHOLD; trigger++) {
        start(4, FREEZE_LBRS);
        pull((enum trigger)trigger);
        machine_branches(&machine, 4, 9);
        uint32_t top = (uint32_t)machine_msr(&machine, MSR_LASTBRANCH_TOS);
        CHECK_EQUAL(machine_msr(&machine, 0x680 + top), machine_from(2));
        CHECK_EQUAL(machine_msr(&machine, 0x6c0 + top), machine_to(2));
    }
}

static void no_freeze_without_a_signal(void)
{
    start(4, FREEZE_LBRS | FREEZE_PERFMON);
    machine_write(&machine, IA32_A_PMC0 + 5, 0xffffffffffff);
    machine_write(&machine, IA32_PERFEVTSEL0 + 5, COUNT | BRANCHES);
    machine_write(&machine, IA32_FIXED_CTR0, 0xffffffffffff);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x33);
    machine_run_branch(&machine, 2, true);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), 1u << 5 | FIXED(0));
    CHECK(lbr_records());
    CHECK(counters_count());
}

static void bts_threshold_by_variation(void)
{
    start(4, FREEZE_LBRS | FREEZE_PERFMON);
    machine.cpu.variation.bts_no_freeze = true;
    machine.cpu.variation.bts_ovfbuf = true;
    pull(BTS_THRESHOLD);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), OVFBUF);
    CHECK(lbr_records());
    CHECK(counters_count());
}

static void freeze_comes_before_a_late_interrupt(void)
{
    start(4, FREEZE_LBRS | FREEZE_PERFMON);
    machine.cpu.variation.pmi_skid = 9;
    pull(GENERAL);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK(!lbr_records());
    CHECK(!counters_count());
}

static void software_freezes_by_status_set(void)
{
    start(4, 0);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, LBR_FRZ);
    CHECK(!lbr_records());
    CHECK(counters_count());
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, CTR_FRZ);
    CHECK(!counters_count());
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ | CTR_FRZ);
    CHECK(lbr_records());
    CHECK(counters_count());
}

/* The first Atom cannot have both; when TR goes is open (F7.13). Of no other does it. */
static void first_atom_clears_tr(void)
{
    static const uint8_t models[] = {0x1c, 0x36, 0x37};
    uint64_t set = LBR | TR | FREEZE_LBRS;

    for (unsigned i = 0; i < 3; i++) {
        bool is_first = models[i] != 0x37;

        for (unsigned way = DS_ATOM_FREEZE_KEEPS; way <= DS_ATOM_FREEZE_AT_WRITE; way++) {
            uint64_t written = is_first && way == DS_ATOM_FREEZE_AT_WRITE ? set & ~TR : set;
            uint64_t frozen = is_first && way == DS_ATOM_FREEZE_AT_FREEZE ? 0 : written & TR;

            machine_start_model(&machine, models[i], 3, 0xc1);
            machine.cpu.variation.atom_freeze = way;
            machine_debugctl(&machine, set);
            CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), written);
            machine_write(&machine, IA32_PMC0, 0xffffffff);
            machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
            machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
            machine_run(&machine, 1);
            CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), FREEZE_LBRS | frozen);
            machine_debugctl(&machine, LBR | TR);
            CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), LBR | TR);
        }
    }
}

static void bts_goes_on_through_a_freeze(void)
{
    start(4, FREEZE_LBRS | FREEZE_PERFMON);
    pull(BTS_THRESHOLD);
    machine_branches(&machine, 4, 6);
    CHECK_EQUAL(machine_index(&machine), 4);
}

const struct test freeze_tests[] = {
    {"freeze: legacy, all settings and triggers", legacy},
    {"freeze: streamlined, all settings and triggers", streamlined},
    {"freeze: the last branch is in the stack", the_last_branch_is_in_the_stack},
    {"freeze: none without a signal", no_freeze_without_a_signal},
    {"freeze: BTS threshold by variation", bts_threshold_by_variation},
    {"freeze: comes before a late interrupt", freeze_comes_before_a_late_interrupt},
    {"freeze: by software with STATUS_SET", software_freezes_by_status_set},
    {"freeze: the first Atom clears TR", first_atom_clears_tr},
    {"freeze: BTS goes on", bts_goes_on_through_a_freeze},
    {0},
};
