// SPDX-License-Identifier: GPL-2.0-or-later
/* Which mutant this processor is, and which points it has reached. Only in the mutants' build. */
#ifndef MUTANTS_H
#define MUTANTS_H

#include <stdbool.h>
#include <stdint.h>

extern uint32_t ds_mutant; /* 0: the healthy processor */
extern bool ds_mutants_record;

void ds_mutants_reached(uint32_t point);

static inline bool mutant_between(uint32_t first, uint32_t last)
{
    return ds_mutant - first <= last - first;
}

#define REACHED(point)                                                                             \
    do {                                                                                           \
        if (__builtin_expect(ds_mutants_record, false)) {                                          \
            ds_mutants_reached(point);                                                             \
        }                                                                                          \
    } while (0)

#endif
