// SPDX-License-Identifier: GPL-2.0-or-later
#include "overcount.h"

#include "opcode.h"

uint8_t overcount(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction)
{
    uint8_t extra = cpu->overcount_due;

    cpu->overcount_due = 0;
    if (cpu->variation.far_overcount && instruction->branch &&
        opcode_is_far(cpu, host, instruction->ip)) {
        extra++;
    }
    return extra;
}

void overcount_after_smm(struct ds_cpu *cpu)
{
    cpu->overcount_due = cpu->variation.far_overcount ? 1 : 0;
}
