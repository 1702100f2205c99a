// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults on demand. What breaks stands where the behaviour lives: if (fault(cpu, FAULT_X)) ...
 * In a healthy processor each of these questions is one comparison.
 */
#ifndef FAULT_H
#define FAULT_H

#include "debug_store.h"

enum fault {
#define FAULT(identifier, name, claims, needs, help) FAULT_##identifier,
#include "fault_list.h"
#undef FAULT
    FAULT_COUNT
};

/* True once in n times, by the processor's own generator. */
bool fault_chance(struct ds_cpu *cpu, uint32_t n);

/* Whether the fault happens now. To be asked once for each time that it could. */
static inline bool fault(struct ds_cpu *cpu, enum fault which)
{
    return cpu->faults.some && cpu->faults.period[which] &&
           fault_chance(cpu, cpu->faults.period[which]);
}

/* For what is a state and no occurrence: there all the time, however rare it was asked for. */
static inline bool fault_is_on(const struct ds_cpu *cpu, enum fault which)
{
    return cpu->faults.some && cpu->faults.period[which];
}

#endif
