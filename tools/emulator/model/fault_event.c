// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault_event.h"

#include "fault.h"

#define LONGEST_INSTRUCTION 15

static bool read_byte(const struct ds_host *host, uint64_t address, uint8_t *byte)
{
    return host->read(host->opaque, address, byte, 1);
}

static bool is_prefix(const struct ds_cpu *cpu, uint8_t byte)
{
    switch (byte) {
    case 0x26: /* segments */
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66: /* operand and address size */
    case 0x67:
    case 0xf2:
    case 0xf3:
        return true;
    default:
        return cpu->long_mode_active && byte >> 4 == 4; /* REX */
    }
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
    uint8_t opcode = 0, modrm = 0;

    for (unsigned i = 0; i < LONGEST_INSTRUCTION; i++) {
        if (!read_byte(host, address + i, &opcode)) {
            return false;
        }
        if (!is_prefix(cpu, opcode)) {
            read_byte(host, address + i + 1, &modrm);
            return is_branch_opcode(opcode, modrm);
        }
    }
    return false;
}

uint64_t fault_event_from(struct ds_cpu *cpu, const struct ds_host *host,
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

bool fault_event_is_of_branch(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_branch *branch)
{
    return branch->kind == DS_BRANCH_EXCEPTION && fault(cpu, FAULT_BRANCH_FAULT_RECORDED) &&
           is_branch_at(cpu, host, branch->from);
}

struct ds_branch fault_event_vain_branch(const struct ds_branch *exception)
{
    return (struct ds_branch){.from = exception->from,
                              .to = exception->from, /* it got nowhere */
                              .old_cpl = exception->old_cpl,
                              .new_cpl = exception->old_cpl,
                              .kind = DS_BRANCH_JMP_INDIRECT};
}

void fault_event_remember(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    cpu->fault_memory.newest_from = branch->from;
    cpu->fault_memory.newest_to = branch->to;
}
