// SPDX-License-Identifier: GPL-2.0-or-later
/* Seams of PEBS: when a record is made, and what it holds. */
#include "../pebs.h"
#include "seams.h"

uint64_t fault_late_assists(struct ds_cpu *cpu, uint64_t ready)
{
    uint64_t seen = cpu->fault_memory.pebs_seen;

    if (ready && fault_is_on(cpu, FAULT_PEBS_LATE)) {
        cpu->fault_memory.pebs_seen ^= ready;
        ready &= seen;
    }
    return ready;
}

unsigned fault_pebs_format(const struct ds_cpu *cpu)
{
    unsigned format = pebs_format(&cpu->profile);

    if (fault_is_on(cpu, FAULT_PEBS_FORMAT_WRONG)) {
        format = format == 4 ? 3 : format ^ 1;
    }
    return format;
}

void fault_cut_registers(const struct ds_cpu *cpu, unsigned cpl, struct ds_registers *registers)
{
    bool cut = cpl > 0 && fault_is_on(cpu, FAULT_PEBS_USER_REGISTERS);

    for (unsigned i = 8; cut && i < 16; i++) {
        registers->general[i] = 0;
    }
}
