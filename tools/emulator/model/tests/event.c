// SPDX-License-Identifier: GPL-2.0-or-later
/* RESET, INIT, SMM, machine check and debug exception. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static void start(uint64_t debugctl)
{
    machine_start(&machine);
    machine_bts(&machine, 8, 0, 9);
    machine_debugctl(&machine, debugctl);
}

static void reset_clears_everything(void)
{
    start(TR | BTS | BTINT);
    machine.cpu.variation.pmi_late = 7;
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_DS_AREA), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_MISC_ENABLE), 0x81);
    CHECK_EQUAL(machine.cpu.variation.pmi_late, 7);
    CHECK(machine.cpu.profile.ds);
}

static void init_clears_recording(void)
{
    start(TR | BTS | BTINT);
    ds_init(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_DS_AREA), AREA_ADDRESS);
    machine_branches(&machine, 0, 3);
    CHECK_EQUAL(machine_index(&machine), 0);
}

static void init_forgets_a_late_interrupt(void)
{
    start(0);
    machine.cpu.variation.pmi_late = 3;
    machine_bts(&machine, 8, 0, 1);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 0, 0);
    ds_init(&machine.cpu);
    machine_branches(&machine, 1, 9);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK(!ds_wants_branches(&machine.cpu));
}

static void nothing_is_stored_in_smm(void)
{
    start(TR | BTS);
    machine_branches(&machine, 0, 0);
    ds_smm_enter(&machine.cpu);
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), TR | BTS);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(machine_index(&machine), 1);
    CHECK(machine_is_poison(&machine, 1));
    machine_branches(&machine, 6, 6);
    CHECK(machine_holds(&machine, 1, 6));
}

static void freeze_while_smm(void)
{
    start(TR | BTS | BTINT | LBR | BTF | FREEZE_WHILE_SMM);
    ds_smm_enter(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), BTINT | FREEZE_WHILE_SMM);
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 0, 3);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL),
                TR | BTS | BTINT | LBR | BTF | FREEZE_WHILE_SMM);
    CHECK_EQUAL(machine_index(&machine), 0);
    machine_branches(&machine, 4, 4);
    CHECK(machine_holds(&machine, 0, 4));
}

static void machine_check_stops_recording(void)
{
    start(TR | BTS | BTINT | LBR);
    ds_machine_check(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), BTINT | LBR);
    machine_branches(&machine, 0, 3);
    CHECK_EQUAL(machine_index(&machine), 0);
}

static void debug_exception_clears_lbr_and_btf_only(void)
{
    struct ds_branch debug = {.from = 0x1000, .to = 0x2000, .kind = DS_BRANCH_DEBUG_EXCEPTION};

    start(TR | BTS | LBR | BTF);
    ds_branch(&machine.cpu, &machine.host, &debug);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), TR | BTS);
    CHECK_EQUAL(machine_record(&machine, 0).from, 0x1000);
    CHECK_EQUAL(machine_record(&machine, 0).to, 0x2000);
}

static void interrupts_and_exceptions_are_stored(void)
{
    start(TR | BTS);
    for (unsigned kind = 0; kind <= DS_BRANCH_DEBUG_EXCEPTION; kind++) {
        struct ds_branch branch = {
            .from = 0x1000 + kind, .to = 0x2000 + kind, .kind = (enum ds_branch_kind)kind};
        machine_set_index(&machine, BTS_ADDRESS);
        ds_branch(&machine.cpu, &machine.host, &branch);
        CHECK_EQUAL(machine_record(&machine, 0).from, 0x1000 + kind);
        CHECK_EQUAL(machine_record(&machine, 0).to, 0x2000 + kind);
        CHECK_EQUAL(machine_index(&machine), 1);
    }
}

static void absent_processor_does_nothing(void)
{
    start(TR | BTS);
    machine.cpu.profile.present = false;
    machine_branches(&machine, 0, 3);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine_index(&machine), 0);
    CHECK(!ds_wants_branches(&machine.cpu));
    CHECK(!ds_wants_instructions(&machine.cpu));
}

const struct test event_tests[] = {
    {"event: RESET clears everything", reset_clears_everything},
    {"event: INIT clears recording", init_clears_recording},
    {"event: INIT forgets a late interrupt", init_forgets_a_late_interrupt},
    {"event: nothing is stored in SMM", nothing_is_stored_in_smm},
    {"event: FREEZE_WHILE_SMM", freeze_while_smm},
    {"event: a machine check stops recording", machine_check_stops_recording},
    {"event: a debug exception clears LBR and BTF only", debug_exception_clears_lbr_and_btf_only},
    {"event: every kind of branch is stored", interrupts_and_exceptions_are_stored},
    {"event: an absent processor does nothing", absent_processor_does_nothing},
    {0},
};
