// SPDX-License-Identifier: GPL-2.0-or-later
/* How a test gives an erratum its occasion, and sees whether it has happened. */
#ifndef TESTS_ERRATA_H
#define TESTS_ERRATA_H

#include "machine.h"

struct exhibit {
    const char *name;       /* of the erratum */
    uint8_t model, version; /* a processor that has it; with: */
    uint64_t perf_capabilities;
    void (*prepare)(void);  /* once, on the machine below, which has had its RESET */
    bool (*occasion)(void); /* one, and whether it happened */
};

extern struct machine errata_machine;

extern const struct exhibit branch_exhibits[], counter_exhibits[], pebs_exhibits[];
extern const struct exhibit state_exhibits[]; /* there all the time, however rare they are to be */

/* RESET, and back in long mode. */
void errata_restart(void);

/* One instruction of these bytes at MEMORY_BASE + offset, retired at this CPL. */
void errata_run(unsigned offset, unsigned bytes, uint8_t cpl);

/* By how much a register moves when that happens. */
uint64_t errata_moves(uint32_t msr, unsigned offset, unsigned bytes, uint8_t cpl);

#endif
