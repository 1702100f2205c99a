// SPDX-License-Identifier: GPL-2.0-or-later
/* Exhibits: each gives an erratum an occasion and sees whether it happened. */
#ifndef TESTS_ERRATA_H
#define TESTS_ERRATA_H

#include "machine.h"

struct exhibit {
    const char *name;       /* of the erratum */
    uint8_t model, version; /* a processor that has it */
    uint64_t perf_capabilities;
    void (*prepare)(void);  /* called once, on errata_machine after RESET */
    bool (*occasion)(void); /* makes one occasion; returns whether the erratum happened */
};

extern struct machine errata_machine;

extern const struct exhibit branch_exhibits[], counter_exhibits[], pebs_exhibits[];
extern const struct exhibit
    state_exhibits[]; /* errata that are a state: there all the time, whatever their rate */

/* RESET, then long mode again. */
void errata_restart(void);

/* One instruction of these bytes at MEMORY_BASE + offset, retired at this CPL. */
void errata_run(unsigned offset, unsigned bytes, uint8_t cpl);

/* By how much errata_run() with these arguments changes a register. */
uint64_t errata_moves(uint32_t msr, unsigned offset, unsigned bytes, uint8_t cpl);

#endif
