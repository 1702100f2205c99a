// SPDX-License-Identifier: GPL-2.0-or-later
/* Which register of the counters an MSR number means, whether or not this processor has it. */
#ifndef COUNTER_REGISTER_H
#define COUNTER_REGISTER_H

#include <stdbool.h>
#include <stdint.h>

enum kind {
    NONE,
    VALUE,
    FULL_WIDTH,
    SELECT,
    FIXED,
    CONFIG_B,
    CONFIG_C,
    METRICS,
    FIXED_CONTROL,
    STATUS,
    CONTROL,
    RESET,
    SET,
    INUSE,
    NOTHING
};

/* A register, and the number of its counter if there are several of the kind. */
struct place {
    enum kind kind;
    unsigned number;
    bool block; /* the MSR number is one of perfmon 6 */
};

/* Returns kind NONE if `msr` is no register of the counters. */
struct place counter_register(uint32_t msr);

#endif
