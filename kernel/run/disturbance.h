/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disturbances of a test: SMIs of the firmware, and interrupts that nobody claims. Both leave
 * records, entries and counts that are no fault of the processor.
 */
#ifndef KERNEL_RUN_DISTURBANCE_H
#define KERNEL_RUN_DISTURBANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/apic/smi.h"
#include "kernel/report/test.h"

struct disturbance {
    struct smi_mark smi_before;
    uint32_t unclaimed_before;
    uint32_t smis;      /* while it ran; 0 if SMIs are not counted (F10.7) */
    uint32_t unclaimed; /* interrupts and NMIs while it ran */
    uint32_t counters;  /* 1: somebody else uses a counter (arch/trace/taken.h) */
    uint32_t gaps;      /* of a second's watch (kernel/machine/standstill.h) */
};

struct disturbance disturbance_begin(void);

/* Has the test been disturbed so far? asks_for_smis: SMIs count as the test's own, unless other
 * tests have met some. */
bool disturbance_look(struct disturbance *disturbance, bool asks_for_smis);

/* For a test or subtest that failed: looks for other disturbances. */
bool disturbance_look_further(struct disturbance *disturbance);

/* Number of repeated runs; _add_ adds those of other processors. */
unsigned disturbance_repeated(void);
void disturbance_add_repeated(unsigned times);

/* Prints that number at the end of the log, unless it is 0. */
void disturbance_print(void);

/* Prints, for a test that failed, what disturbed it and whether it runs again. */
void disturbance_tell(const struct disturbance *disturbance, const struct test *test, bool again);

#endif
