// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of branch records, on occasion. */
#include "errata.h"

#include "check.h"

#define LER_FROM   0x1dd
#define LBR_FROM_0 0x680
#define LBR_TO_0   0x6c0
#define ADDRESS    0xffffffffffffull /* bits of FROM that are no flags */

#define SELECT_JMP_INDIRECT (1u << 6)
#define SELECT_JMP_RELATIVE (1u << 7)
#define SELECT_CALL_STACK   (1u << 9)

#define machine errata_machine

static unsigned number; /* of the newest branch: no two in a row are the same */

static void branch(void)
{
    machine_branch(&machine, ++number, 0, 0);
}

static void prepare(void)
{
    machine_bts(&machine, 16, 0, 20);
    machine_debugctl(&machine, TR | BTS | LBR);
    number = 0;
    branch();
    branch();
}

static void empty_buffer(void)
{
    machine_set_index(&machine, machine_bts_address(&machine));
}

/* FROM as the record before has it, be that right or wrong; TO its own. */
static bool from_is_repeated(void)
{
    empty_buffer();
    branch();
    branch();
    return machine_record(&machine, 1).from == machine_record(&machine, 0).from &&
           machine_record(&machine, 1).to == machine_to(number);
}

/* After the transition, in the store and on the stack; TO is right, and so is the next branch. */
static bool from_is_lost(void)
{
    empty_buffer();
    branch();
    ds_transition(&machine.cpu);
    branch();

    uint64_t top = machine_msr(&machine, MSR_LASTBRANCH_TOS);
    uint64_t both = machine_msr(&machine, LBR_FROM_0 + top) ^ machine_record(&machine, 1).from;
    bool stack =
        (both & ADDRESS) == 0 && machine_msr(&machine, LBR_TO_0 + top) == machine_to(number);
    bool store = machine_record(&machine, 1).from != machine_from(number) &&
                 machine_record(&machine, 1).to == machine_to(number);

    branch();
    return store && stack && machine_holds(&machine, 2, number);
}

/* What happens while nothing is recorded is of no concern to what is recorded later. */
static void transition_unrecorded(void)
{
    machine_debugctl(&machine, 0);
    ds_transition(&machine.cpu);
    machine_debugctl(&machine, TR | BTS | LBR);
    empty_buffer();
    branch();
    CHECK(machine_holds(&machine, 0, number));
}

static void prepare_transitions(void)
{
    prepare();
    transition_unrecorded();
}

static bool rsm_leaves_junk(void)
{
    uint64_t top = machine_msr(&machine, MSR_LASTBRANCH_TOS);

    empty_buffer();
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    branch();
    return machine_index(&machine) == 2 && machine_holds(&machine, 1, number) &&
           machine_msr(&machine, MSR_LASTBRANCH_TOS) == (top + 2) % 16;
}

static bool ler_changes(void)
{
    uint64_t before = machine_msr(&machine, LER_FROM);

    branch();
    return machine_msr(&machine, LER_FROM) != before;
}

static bool reaches_the_stack(enum ds_branch_kind kind)
{
    uint64_t top = machine_msr(&machine, MSR_LASTBRANCH_TOS);
    struct ds_branch call = {.from = 0x1000, .to = 0x1005, .length = 5, .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &call);
    return machine_msr(&machine, MSR_LASTBRANCH_TOS) != top;
}

static void prepare_no_jumps(void)
{
    prepare();
    machine_write(&machine, MSR_LBR_SELECT, SELECT_JMP_RELATIVE);
}

static bool relative_call_needs_jmp(void)
{
    return !reaches_the_stack(DS_BRANCH_CALL_RELATIVE);
}

static void prepare_no_indirect_jumps(void)
{
    prepare();
    machine_write(&machine, MSR_LBR_SELECT, SELECT_JMP_INDIRECT);
}

static bool indirect_call_needs_jmp(void)
{
    return !reaches_the_stack(DS_BRANCH_CALL_INDIRECT);
}

static void prepare_call_stack(void)
{
    prepare();
    machine_write(&machine, MSR_LBR_SELECT, SELECT_CALL_STACK);
}

static bool call_next_is_kept(void)
{
    return reaches_the_stack(DS_BRANCH_CALL_RELATIVE);
}

static bool flags_are_refused(void)
{
    return ds_msr_write(&machine.cpu, &machine.host, LBR_FROM_0, 1ull << 61 | 0x1000) ==
           DS_MSR_FAULT;
}

static bool stack_is_full_after_reset(void)
{
    errata_restart();
    return machine_msr(&machine, LBR_FROM_0) != 0;
}

const struct exhibit branch_exhibits[] = {
    {"HSD53", 0x3c, 3, 0x32c4, prepare, from_is_repeated},
    {"AAJ122", 0x1a, 3, 0x31c3, prepare_transitions, from_is_lost},
    {"AAT58", 0x2c, 3, 0x31c3, prepare_transitions, from_is_lost},
    {"BJ43", 0x2a, 3, 0x31c1, prepare_transitions, from_is_lost},
    {"BV26", 0x3a, 3, 0x31c1, prepare_transitions, from_is_lost},
    {"AAJ12", 0x1a, 3, 0x31c3, prepare, rsm_leaves_junk},
    {"AAJ132", 0x1a, 3, 0x31c3, prepare, ler_changes},
    {"nehalem-lbr-select", 0x1a, 3, 0x31c3, prepare_no_jumps, relative_call_needs_jmp},
    {"nehalem-lbr-select", 0x2c, 3, 0x31c3, prepare_no_indirect_jumps, indirect_call_needs_jmp},
    {"HSD80", 0x3c, 3, 0x32c4, prepare_call_stack, call_next_is_kept},
    {"HSD172", 0x3c, 3, 0x32c4, prepare, flags_are_refused},
    {"AAJ120", 0x1a, 3, 0x31c3, prepare, stack_is_full_after_reset},
    {0},
};
