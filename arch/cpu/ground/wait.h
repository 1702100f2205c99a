/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounded waits that count only the time the processor was ours. A hypervisor or firmware may take
 * the processor away between two polls; the awaited event could not arrive in that time either.
 */
#ifndef ARCH_CPU_GROUND_WAIT_H
#define ARCH_CPU_GROUND_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/insn.h"

/* The time between two polls counts as this at most. A poll takes a microsecond or two. */
#define WAIT_LOOK_MICROSECONDS 50u

struct wait {
    uint64_t last, left, most; /* TSC of the last poll; ticks left; most that a poll takes off */
};

static inline struct wait wait_begin(uint64_t microseconds, uint64_t tsc_per_microsecond)
{
    return (struct wait){.last = insn_rdtsc(),
                         .left = microseconds * tsc_per_microsecond,
                         .most = WAIT_LOOK_MICROSECONDS * tsc_per_microsecond};
}

/* struct wait wait = time_wait(500); while (!done && wait_goes_on(&wait)) … */
static inline bool wait_goes_on(struct wait *wait)
{
    uint64_t now = insn_rdtsc(), passed = now - wait->last;

    wait->last = now;
    if (passed > wait->most)
        passed = wait->most;
    wait->left -= passed < wait->left ? passed : wait->left;
    return wait->left > 0;
}

#endif
