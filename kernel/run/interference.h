/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disturbances of a test: SMIs of the firmware, and interrupts that nobody claims. Both leave
 * records, entries and counts that are no fault of the processor.
 */
#ifndef KERNEL_RUN_INTERFERENCE_H
#define KERNEL_RUN_INTERFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/apic/smi.h"
#include "kernel/report/test.h"

struct interference {
    struct smi_mark smi_before;
    uint32_t unclaimed_before;
    uint32_t smis;      /* while it ran; 0 if SMIs are not counted (F10.7) */
    uint32_t unclaimed; /* interrupts and NMIs while it ran */
    uint32_t counters;  /* 1: somebody else uses a counter (arch/trace/foreign_counters.h) */
    uint32_t gaps;      /* of a second's watch (kernel/machine/smi_gap.h) */
};

struct interference interference_begin(void);

/* Has the test been disturbed so far? asks_for_smis: SMIs count as the test's own, unless other
 * tests have met some. */
bool interference_look(struct interference *interference, bool asks_for_smis);

/* For a test or subtest that failed: looks for other disturbances. */
bool interference_look_further(struct interference *interference);

/* Number of repeated runs; _add_ adds those of other processors. */
unsigned interference_repeated(void);
void interference_add_repeated(unsigned times);

/* Prints that number at the end of the log, unless it is 0. */
void interference_print(void);

/* Prints, for a test that failed, what disturbed it and whether it runs again. */
void interference_print_failure(const struct interference *interference, const struct test *test,
                                bool again);

#endif
