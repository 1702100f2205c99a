/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A system management interrupt of the firmware amid a run, or an interrupt that nobody claims,
 * leaves entries, records and counts that the program has not made: such a run is made again.
 * Interrupts are counted by their handler, SMIs in MSR_SMI_COUNT (F10.7). A processor without it is
 * believed to have none, until it was found to stand still (kernel/machine/standstill.h): then a
 * run is made until it takes no longer than the quickest.
 *
 *     struct undisturbed run = undisturbed_begin();
 *
 *     do
 *         run_once();
 *     while (undisturbed_again(&run));
 */
#ifndef TESTS_RUN_UNDISTURBED_H
#define TESTS_RUN_UNDISTURBED_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/apic/smi.h"

struct undisturbed {
    struct smi_mark mark;
    uint32_t unclaimed; /* interrupts that nobody claimed, of any processor, until the mark */
    uint64_t start,
        quickest; /* TSC ticks, where SMIs are not counted; quickest 0 before the first */
    unsigned tries;
};

struct undisturbed undisturbed_begin(void);

/* From here on: what came before did no harm. */
void undisturbed_mark(struct undisturbed *run);

/* Came something since the mark, that no test asked for? True a bounded number of times; marks
 * again. */
bool undisturbed_again(struct undisturbed *run);

#endif
