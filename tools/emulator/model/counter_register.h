// SPDX-License-Identifier: GPL-2.0-or-later
/* Which register of the counters a number is, whether this processor has it or not. */
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

/* A register and, where there are several of a kind, the number of its counter. */
struct place {
    enum kind kind;
    unsigned number;
    bool block; /* of version 6 */
};

/* kind NONE where it is none of them. */
struct place counter_register(uint32_t msr);

#endif
