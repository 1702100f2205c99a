/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this folder's tests do with workloads: the interrupt that some of them wait for, and whether
 * a kind of transfer is in one. */
#ifndef TESTS_SUITES_LBR_LBR_WORKLOADS_H
#define TESTS_SUITES_LBR_LBR_WORKLOADS_H

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "kernel/machine/time.h"
#include "tests/workloads/workload.h"

/* At most, from sending an interrupt to its being pending. */
#define PENDING_MICROSECONDS 1000000

/* IF = 0 from here on, and an interrupt waits that leads to the workload's handler. */
static inline void hold_off_and_send(void)
{
    uint64_t deadline = time_deadline_microseconds(PENDING_MICROSECONDS);

    interrupt_gate_direct(VECTOR_WORKLOAD_INT, interrupted_handler, 0);
    insn_cli();
    apic_self_ipi(VECTOR_WORKLOAD_INT);
    while (!apic_is_pending(VECTOR_WORKLOAD_INT) && !time_passed(deadline))
        ;
}

/* If the workload did not run, the interrupt comes while it may. */
static inline void let_in_and_end(void)
{
    insn_sti();
    apic_eoi();
    interrupt_gate_reset(VECTOR_WORKLOAD_INT);
}

static inline bool has_kind(const struct workload *workload, uint32_t kind)
{
    for (const struct transfer *row = workload->truth; row < workload->truth_end; row++)
        if (row->kind == kind)
            return true;
    return false;
}

#endif
