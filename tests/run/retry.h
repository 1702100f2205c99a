/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeats a run that an SMI of the firmware, or an interrupt that nobody claims, has disturbed.
 * Either leaves entries, records and counts that the program did not make. The handler counts such
 * interrupts, and MSR_SMI_COUNT counts SMIs (F10.7). Without that register no SMI is assumed, until
 * gaps in time were found (kernel/machine/smis.h). Then a run is repeated until it takes no
 * longer than the quickest.
 *
 *     struct retry run = retry_begin();
 *
 *     do
 *         run_once();
 *     while (retry_if_disturbed(&run));
 */
#ifndef TESTS_RUN_RETRY_H
#define TESTS_RUN_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/apic/smi.h"

struct retry {
    struct smi_mark mark;
    uint32_t unclaimed;       /* unclaimed interrupts on any processor, up to the mark */
    uint64_t start, quickest; /* TSC ticks; quickest: 0 at first, and where SMIs are counted */
    unsigned tries;
};

struct retry retry_begin(void);

/* Moves the mark to now: disturbances before it did no harm. */
void retry_mark(struct retry *run);

/* Has something disturbed the run since the mark? Returns true a bounded number of times, and moves
 * the mark. */
bool retry_if_disturbed(struct retry *run);

/* Has an interrupt that nobody claims come since the mark? */
bool retry_had_interrupt(const struct retry *run);

/*
 * After retry_if_disturbed() gave up: did an SMI or an interrupt come amid the last repetition as
 * well, and does one come while nothing runs? Then the run takes longer than the board leaves it
 * alone, and shows nothing. Waits twice as long as the run took, and moves the mark. False for a
 * run that was not repeated.
 */
bool retry_was_in_vain(struct retry *run);

#endif
