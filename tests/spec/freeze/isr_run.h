/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raises the interrupt for any combination of its causes in one run of a program, and keeps what
 * the routine did.
 */
#ifndef TESTS_SPEC_FREEZE_ISR_RUN_H
#define TESTS_SPEC_FREEZE_ISR_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/run.h"

#define ISR_ALL_CAUSES (PMI_CAUSE_BTS | PMI_CAUSE_PEBS | PMI_CAUSE_COUNTER)

struct isr_run {
    unsigned causes; /* PMI_CAUSE_… that reach their threshold or overflow; the others are armed but
                        do not */
    enum apic_delivery delivery;
    bool hold_off_interrupts; /* all causes are pending before the routine runs */
};

struct isr_observation {
    struct observation run;
    uint64_t debugctl;                     /* while the program ran */
    uint64_t pebs_enable, pebs_enable_end; /* as programmed, and after the last interrupt */
    uint64_t control;                      /* IA32_PERF_GLOBAL_CTRL while the program ran */
    uint64_t status_end;
    uint64_t ds_area, ds_area_end; /* IA32_DS_AREA as programmed, and at the end */
    size_t pebs_index_end;
    unsigned reloads;       /* how many overflows were served */
    uint64_t reloaded;      /* the counters that were reloaded, as bits */
    struct counter counter; /* the one that overflows */
};

/* Returns false after a test_skip() if the processor has too few counters or samples no event, or
 * after a test_fail() if it refused to be armed. */
bool isr_run(struct test_context *t, const struct isr_run *run, struct isr_observation *seen);

#endif
