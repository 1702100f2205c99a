// SPDX-License-Identifier: GPL-2.0-or-later
/* What each event of the processor does to the whole. */
#include "debug_store.h"

#include <string.h>

#include "arch_lbr.h"
#include "arch_lbr_info.h"
#include "arch_pebs.h"
#include "bts.h"
#include "counter.h"
#include "debugctl.h"
#include "errata.h"
#include "freeze.h"
#include "global_status.h"
#include "lbr.h"
#include "ler.h"
#include "misc_enable.h"
#include "overcount.h"
#include "pdist.h"
#include "pebs.h"
#include "pmi.h"
#include "predictor.h"
#include "taken.h"

#define FROZEN_IN_SMM (DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR | DEBUGCTL_BTS)

void ds_reset(struct ds_cpu *cpu)
{
    struct ds_cpu fresh = {.profile = cpu->profile,
                           .variation = cpu->variation,
                           .not_lent = cpu->not_lent,
                           .random = cpu->random,
                           .errata = cpu->errata};

    arch_lbr_after_reset(&fresh, cpu);
    *cpu = fresh;
    cpu->misc_enable = misc_enable_after_reset(&cpu->profile);
    if (cpu->variation.reset_enables && cpu->profile.perfmon_version > 1) {
        cpu->global_control = counter_existing(&cpu->profile) & COUNTER_GENERAL;
    }
    taken_after_reset(cpu);
    errata_after_reset(cpu);
}

static void disable_pebs(struct ds_cpu *cpu)
{
    cpu->pebs_enable = 0;
    pebs_forget(cpu, ~0ull);
}

void ds_init(struct ds_cpu *cpu)
{
    cpu->debugctl = 0;
    disable_pebs(cpu);
    arch_pebs_init(cpu);
    if (cpu->variation.init_ds_area) {
        cpu->ds_area = 0;
    }
    cpu->threshold_met = false;
    cpu->branch_reported = false;
    cpu->in_smm = false;
    cpu->smm_froze = false;
    cpu->long_mode_active = false; /* INIT clears IA32_EFER (F10.30) */
    cpu->protected_mode = false;
    arch_lbr_after_init(cpu);
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
    arch_lbr_smm_enter(cpu);
    cpu->smm_froze = debugctl_is_set(cpu, DEBUGCTL_FREEZE_WHILE_SMM);
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
        cpu->debugctl = cpu->smm_debugctl;
        cpu->global_control = cpu->variation.rsm_enables_all ? counter_existing(&cpu->profile)
                                                             : cpu->smm_global_control;
        counter_refresh(cpu);
    }
    arch_lbr_smm_leave(cpu);
    cpu->smm_froze = false;
    cpu->in_smm = false;
    errata_after_smm(cpu);
    overcount_after_smm(cpu);
    taken_after_smm(cpu);
}

void ds_machine_check(struct ds_cpu *cpu)
{
    cpu->debugctl &= cpu->variation.machine_check_all ? 0 : ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS);
    disable_pebs(cpu);
}

void ds_transition(struct ds_cpu *cpu)
{
    if (cpu->profile.present) {
        errata_after_transition(cpu);
    }
}

void ds_halt(struct ds_cpu *cpu, const struct ds_host *host)
{
    pebs_settle(cpu);
    pmi_flush(cpu, host);
    if (cpu->variation.halt_loses_lbr && lbr_can_get_lost(&cpu->profile)) {
        lbr_forget(cpu);
    }
}

bool ds_wants_instructions(const struct ds_cpu *cpu)
{
    return cpu->profile.present && !cpu->left_running &&
           (cpu->counting || cpu->metrics_count || cpu->pmi_skidding ||
            errata_want_instructions(cpu));
}

bool ds_wants_branches(const struct ds_cpu *cpu)
{
    return cpu->profile.present && !cpu->left_running &&
           (bts_is_on(cpu) || lbr_is_on(cpu) || arch_lbr_is_on(cpu) ||
            debugctl_is_set(cpu, DEBUGCTL_BTF) || ler_wants_branches(cpu) || cpu->pmi_on_its_way ||
            ds_wants_instructions(cpu));
}

/* Remembers the branch until its instruction retires; interrupts and exceptions belong to none. */
static bool predict(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool known = predictor_learn(cpu, branch), follows = predictor_follow(cpu, branch);
    bool predicted = known && follows;

    if (branch->kind < DS_BRANCH_INTERRUPT) {
        cpu->branch_reported = true;
        cpu->branch_from = branch->from;
        cpu->branch_mispredicted = !predicted;
        cpu->branch_kind = branch->kind;
    }
    return predicted;
}

/* The branch as it goes on record. */
static struct ds_branch recorded(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    struct ds_branch record = *branch;

    if (branch->kind == DS_BRANCH_SOFTWARE_INTERRUPT && cpu->variation.int_from_next) {
        record.from += branch->length; /* by the rule for interrupts (F4.3) */
    }
    return record;
}

/*
 * What happens at a branch: an event copies the branch before it to the last exception record; a
 * #DB stops the recorders that it stops before its handler runs (F2.7); then the stack, the store,
 * and the store's interrupt.
 */
void ds_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch)
{
    if (!cpu->profile.present) {
        return;
    }
    bool predicted = predict(cpu, branch);
    struct ds_branch record = recorded(cpu, branch);

    if (branch->kind >= DS_BRANCH_FAR) {
        pebs_settle(cpu);
    }
    ler_branch(cpu, host, &record, !predicted);
    if (branch->kind == DS_BRANCH_DEBUG_EXCEPTION) {
        uint64_t cleared = DEBUGCTL_LBR | DEBUGCTL_BTF;
        cpu->debugctl &= ~cleared;
        arch_lbr_after_debug(cpu);
    }
    errata_before_record(cpu, host, &record);
    lbr_branch(cpu, host, &record, !predicted);
    arch_lbr_branch(cpu, host, &record, !predicted);
    pmi_after_branch(cpu, host, bts_branch(cpu, host, &record, predicted));
    overcount_delivery(cpu, host, branch);
    if (branch->kind >= DS_BRANCH_INTERRUPT) {
        pebs_delivered(cpu, host);
    }
}

/* A branch that was not reported was not taken; the predictor learns it here. */
static void retire_branch(struct ds_cpu *cpu, const struct ds_instruction *instruction,
                          struct counter_cycle *cycle)
{
    bool taken = cpu->branch_reported && cpu->branch_from == instruction->ip;
    struct ds_branch fall_through = {
        .from = instruction->ip, .to = instruction->next, .kind = DS_BRANCH_CONDITIONAL};

    cpu->branch_reported = false;
    if (instruction->branch) {
        cycle->branch = true;
        cycle->taken = taken;
        cycle->kind = taken ? cpu->branch_kind : DS_BRANCH_CONDITIONAL;
        cycle->mispredicted =
            taken ? cpu->branch_mispredicted : !predictor_learn(cpu, &fall_through);
    }
}

/* The status bits that these overflows set: one each. */
static uint64_t overflow_status(struct ds_cpu *cpu, uint64_t wrapped)
{
    wrapped = errata_overflow_status(cpu, wrapped);
    return wrapped | (cpu->variation.condchgd ? STATUS_CONDCHGD : 0);
}

/*
 * Counters first, then the records that they had armed (F3.62), then for either what it freezes and
 * its interrupt (F3.68).
 */
void ds_instruction(struct ds_cpu *cpu, const struct ds_host *host,
                    const struct ds_instruction *instruction)
{
    uint64_t hit, wrapped, arming, assists;

    if (!cpu->profile.present) {
        return;
    }
    struct counter_cycle cycle = {.cpl = instruction->cpl, .instructions = 1};

    retire_branch(cpu, instruction, &cycle);
    cycle.extra = overcount(cpu, host, instruction);
    cycle.inserts = cpu->lbr_inserts;
    cpu->lbr_inserts = 0;
    errata_cycle(cpu, host, instruction, &cycle);
    pebs_before_event(cpu);
    pmi_after_instruction(cpu, host);
    wrapped = counter_cycle(cpu, &cycle, &hit);
    arch_lbr_info_events(cpu, hit);
    arming = wrapped ? wrapped & pebs_counters(cpu) : 0;
    cpu->pebs_armed |= pdist_counters(cpu, arming); /* this very event makes their record */
    assists = cpu->in_smm ? 0 : hit & cpu->pebs_armed;
    assists = errata_pebs_ready(cpu, host, instruction, assists);
    cpu->global_status |= wrapped ? overflow_status(cpu, wrapped) : 0;
    counter_reload_others(cpu, wrapped);
    pebs_after_instruction(cpu);
    pebs_arm(cpu, arming);
    bool due = assists && errata_pebs_pmi(cpu, pebs_assist(cpu, host, instruction, assists));

    uint64_t signalling = counter_signalling(cpu, wrapped & ~arming);

    if (due || signalling) {
        freeze_on_pmi(cpu);
        pmi_after_overflow(cpu, host);
        errata_after_overflow(cpu, signalling);
    }
    errata_after_instruction(cpu, host, instruction);
    pebs_retired(cpu, host);
    taken_after_instruction(cpu);
}
