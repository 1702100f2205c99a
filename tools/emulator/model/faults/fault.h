// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults on demand: one question wherever one breaks something, put into the healthy sources by the
 * patches beside this file. With no fault chosen each question is one comparison.
 */
#ifndef FAULT_H
#define FAULT_H

#include "../chance.h"

enum fault {
#define FAULT(identifier, name, claims, needs, help) FAULT_##identifier,
#include "fault_list.h"
#undef FAULT
    FAULT_COUNT
};

/* Whether any was chosen. Nearly always none was. */
static inline bool faults_are_on(const struct ds_cpu *cpu)
{
    return __builtin_expect(cpu->faults.some, false);
}

/*
 * Whether the fault happens now. To be asked once for each time that it could. A processor that is
 * only looked at has its generator all the same.
 */
static inline bool fault(const struct ds_cpu *cpu, enum fault which)
{
    return faults_are_on(cpu) && cpu->faults.period[which] &&
           chance((struct ds_cpu *)cpu, cpu->faults.period[which]);
}

/* For what is a state and no occurrence: there all the time, however rare it was asked for. */
static inline bool fault_is_on(const struct ds_cpu *cpu, enum fault which)
{
    return faults_are_on(cpu) && cpu->faults.period[which];
}

#endif
