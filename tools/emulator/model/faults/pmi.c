// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam: the interrupt is requested. It may do more than that, elsewhere, or again. */
#include "../debugctl.h"
#include "../pmi.h"
#include "seams.h"

#define AGAIN_AFTER 5000 /* instructions: the routine that serves the first is over */

void fault_pmi_out(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (fault(cpu, FAULT_PMI_CLEARS_DS_AREA)) {
        cpu->ds_area = 0;
        fault_share_area(cpu);
    }
    if (fault(cpu, FAULT_PMI_CLEARS_BTS)) {
        cpu->debugctl &= ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS);
    }
    if (host->raise_neighbours_pmi && fault(cpu, FAULT_PMI_TO_NEIGHBOUR)) {
        host->raise_neighbours_pmi(host->opaque);
    } else {
        pmi_request(cpu, host);
    }
}

void fault_overflow_out(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_OVERFLOW_PMI_TWICE)) {
        cpu->fault_memory.pmi_again = AGAIN_AFTER;
    }
}

void fault_repeat_pmi(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (cpu->fault_memory.pmi_again && --cpu->fault_memory.pmi_again == 0) {
        fault_pmi_out(cpu, host);
    }
}

bool fault_pmi_comes_again(const struct ds_cpu *cpu)
{
    return cpu->fault_memory.pmi_again;
}

bool ds_redirects_pmi(const struct ds_cpu *cpu)
{
    return fault_is_on(cpu, FAULT_LVT_REWRITE_REDIRECTS);
}
