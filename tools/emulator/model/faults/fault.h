// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults on demand. The patches beside this file put a question into the healthy sources wherever a
 * fault breaks something. With no fault chosen each question is one comparison.
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

/* Whether any fault was chosen, which is rare. */
static inline bool faults_are_on(const struct ds_cpu *cpu)
{
    return __builtin_expect(cpu->faults.some, false);
}

/*
 * Whether the fault happens now. To be called once for each occasion. Advances the generator, even
 * of a processor that is const.
 */
static inline bool fault(const struct ds_cpu *cpu, enum fault which)
{
    return faults_are_on(cpu) && cpu->faults.period[which] &&
           chance((struct ds_cpu *)cpu, cpu->faults.period[which]);
}

/* Whether the fault was chosen, for one that is a state and not an event: on all the time, whatever
 * its rate. */
static inline bool fault_is_on(const struct ds_cpu *cpu, enum fault which)
{
    return faults_are_on(cpu) && cpu->faults.period[which];
}

#endif
