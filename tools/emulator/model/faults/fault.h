// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults on demand. Wherever a fault breaks something, a call of fault() or fault_is_on() stands in
 * the woven source (builder/wrong.py). If no fault is chosen, such a call is one comparison.
 */
#ifndef FAULT_H
#define FAULT_H

#include "../chance.h"

enum fault {
#define FAULT(identifier, name, claims, needs, help, kind) FAULT_##identifier,
#include "fault_list.h"
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

/* In a function that knows no processor. */
extern struct ds_fault_settings ds_faults_anywhere;

static inline bool fault_anywhere(enum fault which)
{
    return __builtin_expect(ds_faults_anywhere.some, false) && ds_faults_anywhere.period[which];
}

#endif
