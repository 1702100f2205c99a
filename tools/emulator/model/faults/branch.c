// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam: a branch or event comes in. An exception may come from a branch instruction. */
#include "../opcode.h"
#include "seams.h"

static bool read_byte(const struct ds_host *host, uint64_t address, uint8_t *byte)
{
    return host->read(host->opaque, address, byte, 1);
}

/* Opcode of CALL, RET, JMP or IRET; INT n has an event of its own. */
static bool is_branch_opcode(uint8_t opcode, uint8_t modrm)
{
    unsigned extension = modrm >> 3 & 7;

    switch (opcode) {
    case 0x9a:
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf:
    case 0xe8:
    case 0xe9:
    case 0xea:
    case 0xeb:
        return true;
    default:
        return opcode == 0xff && extension >= 2 && extension <= 5;
    }
}

static bool is_branch_at(const struct ds_cpu *cpu, const struct ds_host *host, uint64_t address)
{
    uint8_t opcode, modrm = 0;
    bool repeated;
    uint64_t place = opcode_place(cpu, host, address, &opcode, &repeated);

    read_byte(host, place + 1, &modrm);
    return is_branch_opcode(opcode, modrm);
}

/* FROM as this processor has it: the branch's own, or of the branch whose target is not there. */
static uint64_t event_from(struct ds_cpu *cpu, const struct ds_host *host,
                           const struct ds_branch *branch)
{
    const struct ds_fault_memory *memory = &cpu->fault_memory;
    uint8_t byte;

    if (branch->kind == DS_BRANCH_EXCEPTION && branch->from == memory->newest_to &&
        fault(cpu, FAULT_FETCH_FAULT_FROM_BRANCH) && !read_byte(host, branch->from, &byte)) {
        return memory->newest_from;
    }
    return branch->from;
}

void fault_branch_in(struct ds_cpu *cpu, const struct ds_host *host, struct ds_branch *record)
{
    if (!faults_are_on(cpu)) {
        return;
    }
    record->from = event_from(cpu, host, record);
    if (record->kind == DS_BRANCH_INTERRUPT && fault_is_on(cpu, FAULT_FREEZE_AT_DELIVERY)) {
        fault_freeze_at_last(cpu);
    }
}

void fault_branch_out(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    cpu->fault_memory.newest_from = branch->from;
    cpu->fault_memory.newest_to = branch->to;
    if (branch->kind == DS_BRANCH_INTERRUPT) {
        fault_freeze_at_last(cpu);
    }
}

bool fault_vain_branch(struct ds_cpu *cpu, const struct ds_host *host,
                       const struct ds_branch *exception, struct ds_branch *vain)
{
    if (!faults_are_on(cpu)) {
        return false;
    }
    *vain = (struct ds_branch){.from = exception->from,
                               .to = exception->from, /* it got nowhere */
                               .old_cpl = exception->old_cpl,
                               .new_cpl = exception->old_cpl,
                               .kind = DS_BRANCH_JMP_INDIRECT};
    return exception->kind == DS_BRANCH_EXCEPTION && fault(cpu, FAULT_BRANCH_FAULT_RECORDED) &&
           is_branch_at(cpu, host, exception->from);
}

bool fault_junk(struct ds_cpu *cpu, struct ds_branch *junk)
{
    if (!cpu->fault_memory.junk_due) {
        return false;
    }
    *junk = (struct ds_branch){.from = 0x3800c, .to = 0x38000, .kind = DS_BRANCH_FAR};
    cpu->fault_memory.junk_due = false;
    return true;
}
