// SPDX-License-Identifier: GPL-2.0-or-later
/* Facilities that are enumerated but not provided, as under a hypervisor (F12.54 to F12.58). */
#ifndef NOT_LENT_H
#define NOT_LENT_H

#include "debug_store.h"

static inline bool is_lent(const struct ds_cpu *cpu, enum ds_facility facility)
{
    return !(cpu->not_lent.facilities & facility);
}

/* Are writes to this facility, which is not lent, dropped? Otherwise they are refused. */
bool not_lent_drops(const struct ds_cpu *cpu, enum ds_facility facility);

/* Does the whole register belong to a facility that is not lent? If so, sets *result to what an
 * access does. */
bool not_lent_register(struct ds_cpu *cpu, uint32_t msr, enum ds_msr_result *result);

/* For a WRMSR of IA32_DEBUGCTL: does not_lent_take_out() for each facility that has bits there. */
bool not_lent_debugctl(const struct ds_cpu *cpu, uint64_t *value);

/*
 * For a WRMSR of a register in which these bits belong to the facility. If the facility is not lent
 * and its writes are dropped, clears the bits in *value. Returns false if its writes are refused
 * and one of the bits is set.
 */
bool not_lent_take_out(const struct ds_cpu *cpu, enum ds_facility facility, uint64_t bits,
                       uint64_t *value);

#endif
