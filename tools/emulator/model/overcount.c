// SPDX-License-Identifier: GPL-2.0-or-later
#include "overcount.h"

#include "counter.h"
#include "errata.h"
#include "freeze.h"
#include "global_status.h"
#include "opcode.h"
#include "pebs.h"
#include "pmi.h"

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

/* What an overflow does, as at an instruction. */
static void overflow(struct ds_cpu *cpu, const struct ds_host *host, uint64_t wrapped)
{
    uint64_t arming = wrapped & pebs_counters(cpu);
    uint64_t signalling = counter_signalling(cpu, wrapped & ~arming);

    cpu->global_status |= errata_overflow_status(cpu, wrapped);
    cpu->global_status |= cpu->variation.condchgd ? STATUS_CONDCHGD : 0;
    pebs_arm(cpu, arming);
    if (signalling) {
        freeze_on_pmi(cpu);
        pmi_after_overflow(cpu, host);
        errata_after_overflow(cpu, signalling);
    }
}

void overcount_delivery(struct ds_cpu *cpu, const struct ds_host *host,
                        const struct ds_branch *branch)
{
    bool event = branch->kind >= DS_BRANCH_SOFTWARE_INTERRUPT;

    if (event && cpu->variation.delivery_counts) {
        uint64_t wrapped = counter_one_more(cpu, branch->new_cpl);
        if (wrapped) {
            overflow(cpu, host, wrapped);
        }
    }
}

void overcount_after_smm(struct ds_cpu *cpu)
{
    cpu->overcount_due = cpu->variation.far_overcount && cpu->counting ? 1 : 0;
}
