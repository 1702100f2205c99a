/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of all the facilities under test at one moment, but for the LBR stack. */
#ifndef TESTS_RUN_FACILITY_H
#define TESTS_RUN_FACILITY_H

#include <stdint.h>
#include "arch/trace/pmu.h"

/* What the processor does not have reads as 0. */
struct facility {
    uint64_t debugctl, select, ds_area;
    uint64_t pebs_enable, data_config;
    uint64_t control, status, fixed_control; /* status: under pmu_status_mask() */
    uint64_t lvt;                            /* the performance entry, as far as it is written */
    uint64_t event_select[PMU_GENERAL_MAX];
    uint64_t general[PMU_GENERAL_MAX], fixed[PMU_FIXED_MAX]; /* the counters */
};

/* Straight code as far as the registers go: nothing that it reads is changed by reading. */
void facility_read(struct facility *facility);

#endif
