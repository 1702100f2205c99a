// SPDX-License-Identifier: GPL-2.0-or-later
/* What each event of the processor does to the whole. */
#include "debug_store.h"

#include <string.h>

#include "area.h"
#include "bts.h"
#include "counter.h"
#include "debugctl.h"
#include "errata.h"
#include "fault.h"
#include "fault_event.h"
#include "freeze.h"
#include "global_status.h"
#include "lbr.h"
#include "ler.h"
#include "misc_enable.h"
#include "pebs.h"
#include "pmi.h"
#include "predictor.h"

#define FROZEN_IN_SMM (DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR | DEBUGCTL_BTS)

void ds_reset(struct ds_cpu *cpu)
{
    struct ds_cpu fresh = {.profile = cpu->profile,
                           .variation = cpu->variation,
                           .faults = cpu->faults,
                           .errata = cpu->errata};

    *cpu = fresh;
    area_set(cpu, 0);
    cpu->misc_enable = misc_enable_after_reset(&cpu->profile);
    if (cpu->variation.reset_enables && cpu->profile.perfmon_version > 1) {
        cpu->global_control = (1ull << cpu->profile.general_counters) - 1;
    }
    errata_after_reset(cpu);
}

void ds_init(struct ds_cpu *cpu)
{
    cpu->debugctl = fault(cpu, FAULT_INIT_KEEPS_BTS) ? cpu->debugctl : 0;
    if (!fault(cpu, FAULT_INIT_KEEPS_PEBS)) {
        cpu->pebs_enable = 0;
        pebs_forget(cpu, ~0ull);
    }
    if (cpu->variation.init_ds_area) {
        area_set(cpu, 0);
    }
    cpu->threshold_met = false;
    cpu->branch_reported = false;
    cpu->in_smm = false;
    cpu->smm_froze = false;
    cpu->long_mode_active = false; /* INIT clears IA32_EFER (F10.30) */
    cpu->protected_mode = false;
    pmi_forget(cpu);
}

void ds_set_long_mode(struct ds_cpu *cpu, bool active)
{
    cpu->long_mode_active = active;
}

void ds_set_protected_mode(struct ds_cpu *cpu, bool active)
{
    cpu->protected_mode = active;
}

void ds_smm_enter(struct ds_cpu *cpu)
{
    pebs_settle(cpu);
    cpu->in_smm = true;
    cpu->smm_froze =
        debugctl_is_set(cpu, DEBUGCTL_FREEZE_WHILE_SMM) && !fault(cpu, FAULT_SMM_FREEZE_IGNORED);
    if (fault(cpu, FAULT_SMM_CLEARS_FREEZE)) {
        cpu->debugctl &= ~(uint64_t)DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    }
    if (cpu->smm_froze) { /* saved, then cleared; RSM restores: F10.1 */
        cpu->smm_debugctl = cpu->debugctl;
        cpu->debugctl &= ~(uint64_t)FROZEN_IN_SMM;
        cpu->smm_global_control = cpu->global_control;
        cpu->global_control = 0;
        counter_refresh(cpu);
    }
}

void ds_smm_leave(struct ds_cpu *cpu)
{
    pebs_settle(cpu);
    if (cpu->smm_froze) {
        if (!fault(cpu, FAULT_SMM_LOSES_LBR)) {
            cpu->debugctl = cpu->smm_debugctl;
        }
        if (!fault(cpu, FAULT_SMM_LOSES_ENABLES)) {
            cpu->global_control = cpu->variation.rsm_enables_all ? counter_existing(&cpu->profile)
                                                                 : cpu->smm_global_control;
        }
        counter_refresh(cpu);
    }
    cpu->fault_memory.junk_due = fault(cpu, FAULT_RSM_JUNK);
    cpu->smm_froze = false;
    cpu->in_smm = false;
    errata_after_smm(cpu);
}

void ds_machine_check(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_MACHINE_CHECK_IGNORED)) {
        return;
    }
    cpu->debugctl &= cpu->variation.machine_check_all ? 0 : ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS);
    cpu->pebs_enable = 0;
    pebs_forget(cpu, ~0ull);
}

void ds_halt(struct ds_cpu *cpu, const struct ds_host *host)
{
    pebs_settle(cpu);
    pmi_flush(cpu, host);
}

bool ds_wants_instructions(const struct ds_cpu *cpu)
{
    return cpu->profile.present && (cpu->counting || cpu->pmi_skidding ||
                                    cpu->fault_memory.pmi_again || errata_want_instructions(cpu));
}

bool ds_wants_branches(const struct ds_cpu *cpu)
{
    return cpu->profile.present &&
           (bts_is_on(cpu) || lbr_is_on(cpu) || debugctl_is_set(cpu, DEBUGCTL_BTF) ||
            ler_wants_branches(cpu) || cpu->pmi_on_its_way || ds_wants_instructions(cpu));
}

/* Remembers the branch until its instruction retires; interrupts and exceptions belong to none. */
static bool predict(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool predicted = predictor_learn(cpu, branch);

    if (branch->kind < DS_BRANCH_INTERRUPT) {
        cpu->branch_reported = true;
        cpu->branch_from = branch->from;
        cpu->branch_mispredicted = !predicted;
    }
    return predicted;
}

/* The branch as it goes on record. */
static struct ds_branch recorded(struct ds_cpu *cpu, const struct ds_host *host,
                                 const struct ds_branch *branch)
{
    struct ds_branch record = *branch;

    record.from = fault_event_from(cpu, host, branch);
    if (branch->kind == DS_BRANCH_SOFTWARE_INTERRUPT && cpu->variation.int_from_next) {
        record.from += branch->length; /* by the rule for interrupts (F4.3) */
    }
    return record;
}

/* What a #DB does to the recorders before its handler runs (F2.7). */
static void debug_exception(struct ds_cpu *cpu, const struct ds_host *host,
                            const struct ds_branch *record)
{
    bool breakpoint = record->breakpoint;
    bool kept = fault(cpu, FAULT_DEBUG_KEEPS_LBR) ||
                (breakpoint && fault(cpu, FAULT_DB_BREAKPOINT_KEEPS_LBR));
    bool stops = fault(cpu, FAULT_DEBUG_CLEARS_TR) ||
                 (breakpoint && fault(cpu, FAULT_DB_BREAKPOINT_CLEARS_TR));

    if (fault(cpu, FAULT_DEBUG_IN_LBR) || (breakpoint && fault(cpu, FAULT_DB_BREAKPOINT_IN_LBR))) {
        lbr_push(cpu, host, record, false);
    }
    if (fault(cpu, FAULT_DEBUG_CLEARS_STACK)) {
        lbr_clear(cpu);
    }
    cpu->debugctl &= ~(uint64_t)(kept ? 0 : DEBUGCTL_LBR);
    cpu->debugctl &= ~(uint64_t)(fault(cpu, FAULT_BTF_KEPT) ? 0 : DEBUGCTL_BTF);
    cpu->debugctl &= ~(uint64_t)(stops ? DEBUGCTL_TR : 0);
}

/* The stack first, then the store and its interrupt. */
static void record_everywhere(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_branch *record, bool predicted)
{
    lbr_branch(cpu, host, record, !predicted);
    pmi_after_branch(cpu, host, bts_branch(cpu, host, record, predicted));
}

void ds_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch)
{
    if (!cpu->profile.present) {
        return;
    }
    bool predicted = predict(cpu, branch);
    struct ds_branch record = recorded(cpu, host, branch);

    if (branch->kind >= DS_BRANCH_FAR) {
        pebs_settle(cpu);
    }
    if (branch->kind == DS_BRANCH_INTERRUPT) {
        freeze_at_delivery(cpu);
    }
    ler_branch(cpu, &record);
    if (branch->kind == DS_BRANCH_DEBUG_EXCEPTION) {
        debug_exception(cpu, host, &record);
    }
    if (cpu->fault_memory.junk_due) {
        cpu->fault_memory.junk_due = false;
        bts_junk(cpu, host);
    }
    errata_before_record(cpu, host, branch);
    if (fault_event_is_of_branch(cpu, host, branch)) {
        struct ds_branch vain = fault_event_vain_branch(branch);
        record_everywhere(cpu, host, &vain, false);
    }
    record_everywhere(cpu, host, &record, predicted);
    fault_event_remember(cpu, branch);
    if (branch->kind == DS_BRANCH_INTERRUPT) {
        freeze_when_taken(cpu);
    }
}

/* A branch that was not reported was not taken; the predictor learns it here. */
static bool retire_branch(struct ds_cpu *cpu, const struct ds_instruction *instruction)
{
    bool taken = cpu->branch_reported && cpu->branch_from == instruction->ip;
    struct ds_branch fall_through = {
        .from = instruction->ip, .to = instruction->next, .kind = DS_BRANCH_CONDITIONAL};

    cpu->branch_reported = false;
    if (!instruction->branch) {
        return false;
    }
    return taken ? cpu->branch_mispredicted : !predictor_learn(cpu, &fall_through);
}

/* The status bits that these overflows set: one each. */
static uint64_t overflow_status(struct ds_cpu *cpu, uint64_t wrapped)
{
    uint64_t changed = cpu->variation.condchgd ? STATUS_CONDCHGD : 0;

    wrapped = errata_overflow_status(cpu, wrapped);
    if (fault(cpu, FAULT_OVERFLOW_STATUS_LOST)) {
        return 0;
    }
    return (fault(cpu, FAULT_OVERFLOW_STATUS_ONE) ? wrapped & -wrapped : wrapped) | changed;
}

/* Which counters make a PEBS record with this instruction: those armed before it (F3.62). */
static uint64_t pebs_ready(struct ds_cpu *cpu, uint64_t hit, uint64_t arming)
{
    uint64_t ready = hit & cpu->pebs_armed;

    if (cpu->in_smm && !fault_is_on(cpu, FAULT_PEBS_IN_SMM)) {
        return 0;
    }
    if (arming && fault(cpu, FAULT_PEBS_EARLY)) {
        return ready | arming;
    }
    if (ready && fault_is_on(cpu, FAULT_PEBS_LATE)) {
        uint64_t seen = cpu->fault_memory.pebs_seen;

        cpu->fault_memory.pebs_seen ^= ready;
        ready &= seen;
    }
    return ready;
}

/*
 * Overflows at this CPL are over, and a PEBS record of some counters may have reached its
 * threshold: freeze, then interrupt.
 */
static void signal_pmi(struct ds_cpu *cpu, const struct ds_host *host, unsigned cpl,
                       uint64_t overflowed, uint64_t pebs)
{
    uint64_t signalling = counter_signalling(cpu, overflowed);

    if (freeze_is_triggered(cpu, overflowed, signalling, pebs) &&
        !freeze_is_missed(cpu, host, cpl)) {
        freeze_on_pmi(cpu);
    }
    if (pebs || (signalling && !fault(cpu, FAULT_OVERFLOW_PMI_LOST))) {
        pmi_after_overflow(cpu, host);
        errata_after_overflow(cpu, signalling);
    }
}

/* Counters first, then the records that they had armed, then the interrupt for either (F3.68). */
void ds_instruction(struct ds_cpu *cpu, const struct ds_host *host,
                    const struct ds_instruction *instruction)
{
    uint64_t hit, wrapped, arming, assists;

    if (!cpu->profile.present) {
        return;
    }
    struct counter_cycle cycle = {instruction->cpl, instruction->branch,
                                  retire_branch(cpu, instruction), 1};

    errata_cycle(cpu, host, instruction, &cycle);
    pmi_after_instruction(cpu, host);
    wrapped = counter_cycle(cpu, &cycle, &hit);
    arming = wrapped ? wrapped & pebs_counters(cpu) : 0;
    assists = errata_pebs_ready(cpu, host, instruction, pebs_ready(cpu, hit, arming));
    cpu->global_status |= wrapped ? overflow_status(cpu, wrapped) : 0;
    pebs_after_instruction(cpu);
    pebs_arm(cpu, arming);
    if (arming) {
        freeze_after_arming(cpu);
    }
    bool due = assists && errata_pebs_pmi(cpu, pebs_assist(cpu, host, instruction, assists));

    if ((wrapped & ~arming) || due) {
        signal_pmi(cpu, host, instruction->cpl, wrapped & ~arming, due ? assists : 0);
    }
    errata_after_instruction(cpu, host, instruction);
}
