// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Seam: an instruction ran that microcode executes or a hypervisor intercepts. It is one
 * instruction and no branch; a processor or a hypervisor may get either wrong.
 */
#include "../opcode.h"
#include "seams.h"

#include "../arch_lbr.h"
#include "../bts.h"
#include "../lbr.h"
#include "../pmi.h"

#define TWO_BYTES     0x0f
#define REPEATED_NOP  0x90 /* PAUSE */
#define HALT          0xf4
#define GROUP_7       0x01 /* by the next byte: */
#define XGETBV        0xd0
#define RDTSCP        0xf9
#define GROUP_7_INDEX 7 /* INVLPG: bits 5:3, with a memory operand */

/* Each with its relatives: WRMSR; RDPMC, RDTSCP, XGETBV; MOV of DR; WBINVD; HLT. */
enum group { CPUID, RDMSR, RDTSC, IN_OUT, MOV_CR, INVLPG, PAUSE, NO_GROUP };

/* What may go wrong with each. */
enum effect { TRAPS, STORED, IN_LBR, BRANCH, UNCOUNTED, EFFECTS };

static const enum fault faults[NO_GROUP][EFFECTS] = {
    [CPUID] = {FAULT_BTF_TRAPS_CPUID, FAULT_CPUID_STORED, FAULT_CPUID_IN_LBR, FAULT_CPUID_IS_BRANCH,
               FAULT_CPUID_UNCOUNTED},
    [RDMSR] = {FAULT_BTF_TRAPS_RDMSR, FAULT_RDMSR_STORED, FAULT_RDMSR_IN_LBR, FAULT_RDMSR_IS_BRANCH,
               FAULT_RDMSR_UNCOUNTED},
    [RDTSC] = {FAULT_BTF_TRAPS_RDTSC, FAULT_RDTSC_STORED, FAULT_RDTSC_IN_LBR, FAULT_RDTSC_IS_BRANCH,
               FAULT_RDTSC_UNCOUNTED},
    [IN_OUT] = {FAULT_BTF_TRAPS_IN_OUT, FAULT_IN_OUT_STORED, FAULT_IN_OUT_IN_LBR,
                FAULT_IN_OUT_IS_BRANCH, FAULT_IN_OUT_UNCOUNTED},
    [MOV_CR] = {FAULT_BTF_TRAPS_MOV_CR, FAULT_MOV_CR_STORED, FAULT_MOV_CR_IN_LBR,
                FAULT_MOV_CR_IS_BRANCH, FAULT_MOV_CR_UNCOUNTED},
    [INVLPG] = {FAULT_BTF_TRAPS_INVLPG, FAULT_INVLPG_STORED, FAULT_INVLPG_IN_LBR,
                FAULT_INVLPG_IS_BRANCH, FAULT_INVLPG_UNCOUNTED},
    [PAUSE] = {FAULT_BTF_TRAPS_PAUSE, FAULT_PAUSE_STORED, FAULT_PAUSE_IN_LBR, FAULT_PAUSE_IS_BRANCH,
               FAULT_PAUSE_UNCOUNTED},
};

static enum group group_7(uint8_t modrm)
{
    bool memory = modrm >> 6 != 3;

    if (memory) {
        return (modrm >> 3 & 7) == GROUP_7_INDEX ? INVLPG : NO_GROUP;
    }
    return modrm == XGETBV || modrm == RDTSCP ? RDTSC : NO_GROUP;
}

static enum group of_two_bytes(uint8_t opcode, uint8_t modrm)
{
    switch (opcode) {
    case 0xa2:
        return CPUID;
    case 0x30: /* WRMSR, RDMSR */
    case 0x32:
        return RDMSR;
    case 0x31: /* RDTSC, RDPMC */
    case 0x33:
        return RDTSC;
    case 0x20: /* MOV from and to CR and DR */
    case 0x21:
    case 0x22:
    case 0x23:
        return MOV_CR;
    case 0x09: /* WBINVD */
        return INVLPG;
    default:
        return opcode == GROUP_7 ? group_7(modrm) : NO_GROUP;
    }
}

static enum group of_one_byte(uint8_t opcode, bool repeated)
{
    bool by_number = opcode >= 0xe4 && opcode <= 0xe7, by_dx = opcode >= 0xec && opcode <= 0xef;

    if (by_number || by_dx) {
        return IN_OUT;
    }
    return opcode == HALT || (opcode == REPEATED_NOP && repeated) ? PAUSE : NO_GROUP;
}

static enum group group_at(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t ip)
{
    uint8_t opcode, more[2] = {0};
    bool repeated;
    uint64_t place = opcode_place(cpu, host, ip, &opcode, &repeated);

    for (unsigned i = 0; i < 2; i++) {
        host->read(host->opaque, place + 1 + i, &more[i], 1);
    }
    return opcode == TWO_BYTES ? of_two_bytes(more[0], more[1]) : of_one_byte(opcode, repeated);
}

/* Is one of these faults chosen? If only others are, the instruction need not be read. */
static bool some_is_on(const struct ds_cpu *cpu)
{
    bool on = false;

    for (unsigned row = 0; faults_are_on(cpu) && row < NO_GROUP * EFFECTS; row++) {
        on |= fault_is_on(cpu, faults[row / EFFECTS][row % EFFECTS]);
    }
    return on;
}

bool fault_btf_traps(struct ds_cpu *cpu, const struct ds_host *host, uint64_t ip)
{
    enum group group = some_is_on(cpu) ? group_at(cpu, host, ip) : NO_GROUP;

    return group != NO_GROUP && fault(cpu, faults[group][TRAPS]);
}

bool fault_wants_instructions(const struct ds_cpu *cpu)
{
    bool on = false;

    for (unsigned group = 0; faults_are_on(cpu) && group < NO_GROUP; group++) {
        on |= fault_is_on(cpu, faults[group][STORED]) && bts_is_on(cpu);
        on |= fault_is_on(cpu, faults[group][IN_LBR]) && (lbr_is_on(cpu) || arch_lbr_is_on(cpu));
    }
    return on;
}

/* Reports it as a branch to the next instruction, which it is not. */
static void record(struct ds_cpu *cpu, const struct ds_host *host, enum group group,
                   const struct ds_instruction *instruction)
{
    struct ds_branch branch = {.from = instruction->ip,
                               .to = instruction->next,
                               .from_base = instruction->base,
                               .to_base = instruction->next_base,
                               .old_cpl = instruction->cpl,
                               .new_cpl = instruction->cpl,
                               .kind = DS_BRANCH_FAR};

    if (fault(cpu, faults[group][IN_LBR])) {
        lbr_branch(cpu, host, &branch, false);
        arch_lbr_branch(cpu, host, &branch, false);
    }
    if (fault(cpu, faults[group][STORED])) {
        pmi_after_branch(cpu, host, bts_branch(cpu, host, &branch, true));
    }
}

void fault_microcoded(struct ds_cpu *cpu, const struct ds_host *host,
                      const struct ds_instruction *instruction, struct counter_cycle *cycle)
{
    enum group group = some_is_on(cpu) ? group_at(cpu, host, instruction->ip) : NO_GROUP;

    if (group == NO_GROUP) {
        return;
    }
    record(cpu, host, group, instruction);
    if (fault(cpu, faults[group][BRANCH])) {
        cycle->branch = cycle->taken = true;
        cycle->kind = DS_BRANCH_FAR;
    }
    if (fault(cpu, faults[group][UNCOUNTED])) {
        cycle->instructions = 0;
    }
}
