/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of all facilities under test at one moment. */
#ifndef TESTS_RUN_FACILITY_H
#define TESTS_RUN_FACILITY_H

#include <stdint.h>
#include "arch/trace/ds.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pmu.h"

/* All registers but those of the LBR stack. Those that the processor lacks are 0. */
struct facility {
    uint64_t debugctl, select, ds_area;
    uint64_t pebs_enable, data_config;
    uint64_t control, status, fixed_control; /* status: under pmu_status_mask() */
    uint64_t lvt;                            /* the performance entry, its writable bits */
    uint64_t event_select[PMU_GENERAL_MAX];
    uint64_t general[PMU_GENERAL_MAX], fixed[PMU_FIXED_MAX]; /* the counters */
};

static inline uint64_t facility_counter(const struct facility *facility, struct counter counter)
{
    return counter.fixed ? facility->fixed[counter.number] : facility->general[counter.number];
}

/* Once on each processor, before a workload takes the gate of #GP: what faults now is not read
 * again. */
void facility_try(void);

/* Does not branch between the registers, so reading one changes no other. */
void facility_read(struct facility *facility);

/* The same with memory and the LBR stack. */
struct facility_look {
    struct facility registers;
    struct ds_management_area area; /* of this processor, wherever IA32_DS_AREA points */
    uint64_t stack;                 /* a sum over the registers of the LBR stack; 0: not read */
    struct ler last_exception;      /* zeroes without FEATURE_LER */
    uint64_t misc_enable;           /* IA32_MISC_ENABLE; 0 if it cannot be read */
};

/* Reads all of it, and nothing that may raise an exception: a workload may have taken its gate. The
 * stack takes most of the time, and may be left out where it records anyway. */
void facility_look(struct facility_look *look, bool with_stack);

#endif
