// SPDX-License-Identifier: GPL-2.0-or-later
/* Single step on branches, and what a debug exception does to the recorders. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static void start(uint64_t debugctl)
{
    machine_start(&machine);
    machine_bts(&machine, 8, 0, 9);
    machine_debugctl(&machine, debugctl);
}

static bool steps(enum ds_branch_kind kind)
{
    struct ds_branch branch = {.from = 1, .to = 2, .kind = kind};

    return ds_step_trap(&machine.cpu, &machine.host, 0, &branch);
}

static void event(enum ds_branch_kind kind)
{
    struct ds_branch branch = {.from = 0x1000, .to = 0x2000, .length = 2, .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &branch);
}

static void without_btf_every_instruction_traps(void)
{
    start(LBR | TR | BTS);
    CHECK(ds_step_trap(&machine.cpu, &machine.host, 0, NULL));
    for (int kind = 0; kind <= DS_BRANCH_FAR; kind++) {
        CHECK(steps((enum ds_branch_kind)kind));
    }
    for (int kind = DS_BRANCH_SOFTWARE_INTERRUPT; kind <= DS_BRANCH_DEBUG_EXCEPTION; kind++) {
        CHECK(!steps((enum ds_branch_kind)kind));
    }
}

static void with_btf_branches_trap(void)
{
    start(BTF);
    CHECK(ds_wants_branches(&machine.cpu));
    CHECK(!ds_step_trap(&machine.cpu, &machine.host, 0, NULL));
    for (int kind = 0; kind <= DS_BRANCH_FAR; kind++) {
        CHECK(steps((enum ds_branch_kind)kind));
    }
    for (int kind = DS_BRANCH_SOFTWARE_INTERRUPT; kind <= DS_BRANCH_DEBUG_EXCEPTION; kind++) {
        CHECK(!steps((enum ds_branch_kind)kind));
    }
}

static void btf_readings(void)
{
    start(BTF);
    machine.cpu.variation.btf_events = 1;
    CHECK(steps(DS_BRANCH_SOFTWARE_INTERRUPT));
    CHECK(steps(DS_BRANCH_INTERRUPT));
    CHECK(steps(DS_BRANCH_EXCEPTION));
    CHECK(!steps(DS_BRANCH_DEBUG_EXCEPTION));
    machine_debugctl(&machine, 0);
    CHECK(!steps(DS_BRANCH_INTERRUPT));
    start(BTF);
    machine.cpu.variation.btf_no_far = 1;
    CHECK(!steps(DS_BRANCH_FAR));
    CHECK(steps(DS_BRANCH_RET));
    machine_debugctl(&machine, 0);
    CHECK(steps(DS_BRANCH_FAR));
}

static void a_debug_exception_clears_lbr_and_btf(void)
{
    start(LBR | BTF | TR | BTS);
    machine_branches(&machine, 1, 2);
    event(DS_BRANCH_DEBUG_EXCEPTION);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), TR | BTS);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 2);
    CHECK_EQUAL(machine_msr(&machine, 0x682), machine_from(2));
    event(DS_BRANCH_EXCEPTION);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 2);
}

static void a_debug_exception_is_stored_or_not(void)
{
    start(TR | BTS);
    event(DS_BRANCH_DEBUG_EXCEPTION);
    CHECK_EQUAL(machine_index(&machine), 1);
    CHECK_EQUAL(machine_record(&machine, 0).from, 0x1000);
    machine.cpu.variation.debug_not_stored = 1;
    event(DS_BRANCH_DEBUG_EXCEPTION);
    CHECK_EQUAL(machine_index(&machine), 1);
    event(DS_BRANCH_EXCEPTION);
    CHECK_EQUAL(machine_index(&machine), 2);
}

static void tr_may_update_the_stack(void)
{
    start(TR);
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 2);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 0);
    machine.cpu.variation.tr_updates_lbr = 1;
    CHECK(ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 2);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 2);
    event(DS_BRANCH_DEBUG_EXCEPTION);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 2);
    machine_branches(&machine, 3, 3);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 3);
    machine_debugctl(&machine, 0);
    machine_branches(&machine, 4, 4);
    CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), 3);
}

static void from_of_int_n(void)
{
    start(LBR | TR | BTS);
    event(DS_BRANCH_SOFTWARE_INTERRUPT);
    CHECK_EQUAL(machine_record(&machine, 0).from, 0x1000);
    CHECK_EQUAL(machine_msr(&machine, 0x681), 0x1000);
    machine.cpu.variation.int_from_next = 1;
    event(DS_BRANCH_SOFTWARE_INTERRUPT);
    CHECK_EQUAL(machine_record(&machine, 1).from, 0x1002);
    CHECK_EQUAL(machine_msr(&machine, 0x682), 0x1002);
    event(DS_BRANCH_EXCEPTION);
    CHECK_EQUAL(machine_record(&machine, 2).from, 0x1000);
}

const struct test step_tests[] = {
    {"step: without BTF every instruction traps", without_btf_every_instruction_traps},
    {"step: with BTF branches trap", with_btf_branches_trap},
    {"step: BTF readings", btf_readings},
    {"step: a debug exception clears LBR and BTF", a_debug_exception_clears_lbr_and_btf},
    {"step: a debug exception is stored or not", a_debug_exception_is_stored_or_not},
    {"step: TR may update the stack", tr_may_update_the_stack},
    {"step: FROM of INT n", from_of_int_n},
    {0},
};
