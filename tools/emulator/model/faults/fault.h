// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults on demand. Wherever a fault breaks something, a patch beside this file inserts a call of
 * fault() or fault_is_on() into the healthy source. If no fault is chosen, such a call is one
 * comparison.
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

/* Was any fault chosen? That is rare. */
static inline bool faults_are_on(const struct ds_cpu *cpu)
{
    return __builtin_expect(cpu->faults.some, false);
}

/* Does the fault happen now? Call fault() once on each occasion. It advances the processor's random
 * generator, although `cpu` is const. */
static inline bool fault(const struct ds_cpu *cpu, enum fault which)
{
    return faults_are_on(cpu) && cpu->faults.period[which] &&
           chance((struct ds_cpu *)cpu, cpu->faults.period[which]);
}

/* Was the fault chosen? For a fault that is a state and not an event, so that it is there all the
 * time, whatever its rate. */
static inline bool fault_is_on(const struct ds_cpu *cpu, enum fault which)
{
    return faults_are_on(cpu) && cpu->faults.period[which];
}

#endif
