/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loops of known branches for a machine check to interrupt (machine_check.S). */
#ifndef TESTS_WORKLOADS_MACHINE_CHECK_H
#define TESTS_WORKLOADS_MACHINE_CHECK_H

/* Offsets of struct rounds_area, for machine_check.S. Usable from assembly. */
#define ROUNDS_STOP     0
#define ROUNDS_COUNT    8
#define ROUNDS_DEADLINE 16
#define ROUNDS_SIZE     24

#define ROUNDS_JUMPS_AFTER 24 /* from the last round to the way out */

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

struct rounds_area {   /* written by the loop and by an exception's handler: volatile */
    uint64_t stop;     /* nonzero: leave */
    uint64_t count;    /* rounds begun */
    uint64_t deadline; /* TSC ticks: leave at this time */
};

_Static_assert(offsetof(struct rounds_area, count) == ROUNDS_COUNT, "machine_check.S");
_Static_assert(offsetof(struct rounds_area, deadline) == ROUNDS_DEADLINE, "machine_check.S");
_Static_assert(sizeof(struct rounds_area) == ROUNDS_SIZE, "machine_check.S");

/* Ring 0: called, and returns. Uses RAX, RDX and the stack. */
void rounds(void);
extern volatile struct rounds_area rounds_area;

/* Ring 3: an argument for workload_sled_user; leaves by SYSCALL. Its area lies in user pages. */
extern const char rounds_user[];
extern volatile struct rounds_area rounds_user_area;

/* The branches of one round, in order. */
extern const struct transfer rounds_round[], rounds_round_end[];
extern const struct transfer rounds_user_round[], rounds_user_round_end[];

/* The ends of the code of rounds() and rounds_user. */
extern const char rounds_end[], rounds_user_end[];

#endif
#endif
