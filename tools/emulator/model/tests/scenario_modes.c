// SPDX-License-Identifier: GPL-2.0-or-later
/* Mode changes, the LBR stack, the last exception record and single step. */
#include "scenario_parts.h"

void scenario_smm(void)
{
    for (unsigned i = 0; i < 2; i++) {
        buffers(20, 0, 21);
        sample(precise());
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

void scenario_init(void)
{
    for (unsigned i = 0; i < 2; i++) {
        buffers(20, 0, 21);
        sample(precise());
        prepare(1, 1000, false);
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

void scenario_lbr(void)
{
    write_msr(IA32_DEBUGCTL, LBR);
    run_microcoded();
    see_all();
    write_msr(IA32_DEBUGCTL, LBR | TR);
    for (unsigned i = 0; i < 3; i++) {
        every_branch();
        see_all();
        write_msr(IA32_DEBUGCTL, LBR | TR);
    }
    struct ds_branch breakpoint = {
        .from = USER, .to = KERNEL, .kind = DS_BRANCH_DEBUG_EXCEPTION, .breakpoint = true};
    ds_branch(&machine.cpu, &machine.host, &breakpoint);
    see_all();
    for (unsigned i = 0; i < 20; i++) {
        write_msr(IA32_DEBUGCTL, TR);
        machine_branches(&machine, 1, 3);
        see_all();
    }
    filtered();
    write_msr(IA32_DEBUGCTL, LBR);
    every_branch();
    ds_halt(&machine.cpu, &machine.host);
    see_all();
}

void scenario_ler(void)
{
    write_msr(IA32_DEBUGCTL, LBR);
    for (unsigned i = 0; i < 4; i++) {
        machine_branches(&machine, i, i + 2);
        report(DS_BRANCH_JMP_RELATIVE, i % 2 ? 0x10000 : KERNEL, i % 2 ? 0x20000 : KERNEL + 9, 0);
        report(DS_BRANCH_EXCEPTION, USER, KERNEL, 0);
        read_msr(0x1dd);
        read_msr(0x1de);
    }
    machine_branches(&machine, 8, 9);
    report(DS_BRANCH_FAR, USER, KERNEL, 0x30);
    read_msr(0x1dd);
    machine_branches(&machine, 10, 11);
    report(DS_BRANCH_INTERRUPT, USER, KERNEL, 0x30);
    read_msr(0x1dd);
    machine_branches(&machine, 12, 13);
    report_nmi();
    read_msr(0x1dd);
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
    see(ds_step_trap(&machine.cpu, &machine.host, USER, branch));
}

static void step_over_microcoded(void)
{
    for (unsigned n = 0; n < MICROCODED; n++) {
        see(ds_step_trap(&machine.cpu, &machine.host, microcoded_at(n), NULL));
    }
}

void scenario_step(void)
{
    static const uint64_t settings[] = {BTF, BTF | TR, LBR, BTF | LBR};

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        write_msr(IA32_DEBUGCTL, settings[i]);
        for (int kind = 0; kind < DS_BRANCH_DEBUG_EXCEPTION; kind++) {
            struct ds_branch branch = {
                .from = USER, .to = KERNEL, .length = 2, .kind = (enum ds_branch_kind)kind};
            step_over(NULL);
            step_over(&branch);
            step_over(NULL);
        }
        step_over_microcoded();
        report(DS_BRANCH_DEBUG_EXCEPTION, USER, KERNEL, 0);
        read_msr(IA32_DEBUGCTL);
    }
}
