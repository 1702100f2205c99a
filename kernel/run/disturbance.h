/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What came while a test ran and was not the test's: SMIs of the firmware, and interrupts that
 * nobody claims. Both leave records, entries and counts that the processor is not to blame for.
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
    uint32_t smis;      /* that came; 0 where none are counted (F10.7) */
    uint32_t unclaimed; /* likewise, interrupts and NMIs */
    uint32_t counters;  /* 1: others were found to use one (arch/trace/taken.h) */
    uint32_t
        gaps; /* how often the processor stood still in a second (kernel/machine/standstill.h) */
};

struct disturbance disturbance_begin(void);

/* Whether any came until now. asks_for_smis: SMIs are the test's own, unless other tests have met
 * some. */
bool disturbance_look(struct disturbance *disturbance, bool asks_for_smis);

/* For a test, or a subtest, that failed: what else may have disturbed it. */
bool disturbance_look_further(struct disturbance *disturbance);

/* How often a test ran once more; and elsewhere, where it is counted here as well. */
unsigned disturbance_repeated(void);
void disturbance_add_repeated(unsigned times);

/* The same at the end of the log; nothing where none did. */
void disturbance_print(void);

/* Lines for a test that failed: what came, and whether it runs once more for it. */
void disturbance_tell(const struct disturbance *disturbance, const struct test *test, bool again);

#endif
