// SPDX-License-Identifier: GPL-2.0-or-later
/* What is enumerated and has nothing behind it, as under a hypervisor (F12.54 to F12.58). */
#ifndef NOT_LENT_H
#define NOT_LENT_H

#include "debug_store.h"

static inline bool is_lent(const struct ds_cpu *cpu, enum ds_facility facility)
{
    return !(cpu->not_lent.facilities & facility);
}

/* Whether writes of a facility that is not lent are dropped; else they are refused. */
bool not_lent_drops(const struct ds_cpu *cpu, enum ds_facility facility);

/* Whether there is nothing behind the register as a whole; *result: what an access comes to then.
 */
bool not_lent_register(struct ds_cpu *cpu, uint32_t msr, enum ds_msr_result *result);

/* WRMSR of IA32_DEBUGCTL, as not_lent_take_out() for each facility that has bits there. */
bool not_lent_debugctl(const struct ds_cpu *cpu, uint64_t *value);

/*
 * WRMSR of a register in which these bits are the facility's: takes them out of value where they
 * are dropped. False where they are set and refused.
 */
bool not_lent_take_out(const struct ds_cpu *cpu, enum ds_facility facility, uint64_t bits,
                       uint64_t *value);

#endif
