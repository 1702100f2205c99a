// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of branch records: BTS, the LBR stack, the last exception record. */
#include "bts.h"
#include "debugctl.h"
#include "errata.h"
#include "lbr.h"

#define SELECT_JMP_INDIRECT (1u << 6) /* of MSR_LBR_SELECT; a set bit suppresses */
#define SELECT_JMP_RELATIVE (1u << 7)

#define PAUSE 2 /* instructions after a change of ring */

static void fill_lbr(struct ds_cpu *cpu)
{
    for (unsigned i = 0; i < lbr_depth(&cpu->profile); i++) {
        cpu->lbr_from[i] = 0xf0000 + 0x10 * i;
        cpu->lbr_to[i] = 0xe0000 + 0x10 * i;
    }
}

void errata_after_reset(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_LBR_AFTER_RESET)) {
        fill_lbr(cpu);
    }
    if (fault(cpu, FAULT_FIXED_ENABLED_AFTER_RESET)) {
        cpu->global_control |= 7ull << COUNTER_FIXED & counter_existing(&cpu->profile);
    }
    cpu->errata_memory.flush_due = fault(cpu, FAULT_COUNTERS_NEED_FLUSH);
}

void errata_after_smm(struct ds_cpu *cpu)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;

    if ((bts_is_on(cpu) || lbr_is_on(cpu)) && fault(cpu, FAULT_JUNK_AFTER_RSM)) {
        memory->bts_junk_due = bts_is_on(cpu);
        memory->lbr_junk_due = lbr_is_on(cpu);
    }
    if (debugctl_is_set(cpu, DEBUGCTL_FREEZE_WHILE_SMM) && cpu->pebs_armed &&
        fault(cpu, FAULT_PEBS_AFTER_SMM)) {
        memory->pebs_due = cpu->pebs_armed;
    }
}

/* What RSM has recorded shows before anything else is recorded. */
static void record_junk(struct ds_cpu *cpu, const struct ds_host *host)
{
    static const struct ds_branch junk = {.from = 0x3800c, .to = 0x38000, .kind = DS_BRANCH_FAR};
    struct ds_errata_memory *memory = &cpu->errata_memory;

    if (memory->lbr_junk_due && lbr_is_on(cpu)) {
        lbr_push(cpu, host, &junk, false);
    }
    if (memory->bts_junk_due && bts_is_on(cpu)) {
        bts_store(cpu, host, &junk);
    }
    memory->lbr_junk_due = false;
    memory->bts_junk_due = false;
}

void errata_after_transition(struct ds_cpu *cpu)
{
    if ((bts_is_on(cpu) || lbr_is_on(cpu)) && fault(cpu, FAULT_FROM_AFTER_TRANSITION)) {
        cpu->errata_memory.from_lost = true;
    }
}

/* Where the FROM was lost stands where the code that led to it began. */
static void lose_from(struct ds_errata_memory *memory, struct ds_branch *branch)
{
    if (memory->from_lost) {
        branch->from = memory->branch_to != branch->from ? memory->branch_to : branch->to;
        memory->from_lost = false;
    }
    memory->branch_to = branch->to;
}

void errata_before_record(struct ds_cpu *cpu, const struct ds_host *host, struct ds_branch *branch)
{
    struct ds_errata_memory *memory = &cpu->errata_memory;
    bool crosses = (branch->old_cpl == 0) != (branch->new_cpl == 0);

    if (!faults_are_on(cpu)) {
        return;
    }
    record_junk(cpu, host);
    lose_from(memory, branch);
    if (branch->kind < DS_BRANCH_SOFTWARE_INTERRUPT && lbr_is_on(cpu) &&
        fault(cpu, FAULT_LER_CHANGES)) {
        cpu->ler_from = cpu->last_from;
        cpu->ler_to = cpu->last_to;
    }
    if (crosses && fault(cpu, FAULT_CROSSING_PAUSES)) {
        memory->pause = PAUSE;
    }
    if (branch->kind < DS_BRANCH_INTERRUPT) {
        memory->taken = true;
    }
}

bool errata_lbr_loses(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    uint64_t jumps = cpu->lbr_select & (SELECT_JMP_INDIRECT | SELECT_JMP_RELATIVE);

    if (branch->kind == DS_BRANCH_CALL_INDIRECT) {
        jumps &= SELECT_JMP_INDIRECT;
    } else if (branch->kind != DS_BRANCH_CALL_RELATIVE) {
        return false;
    }
    return jumps && fault(cpu, FAULT_CALL_NEEDS_JMP);
}

bool errata_lbr_keeps_call_next(struct ds_cpu *cpu)
{
    return fault(cpu, FAULT_CALL_NEXT_KEPT);
}
