/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of all facilities under test at one moment, except the LBR stack. */
#ifndef TESTS_RUN_FACILITY_H
#define TESTS_RUN_FACILITY_H

#include <stdint.h>
#include "arch/trace/pmu.h"

/* Registers that the processor lacks are 0. */
struct facility {
    uint64_t debugctl, select, ds_area;
    uint64_t pebs_enable, data_config;
    uint64_t control, status, fixed_control; /* status: under pmu_status_mask() */
    uint64_t lvt;                            /* the performance entry, its writable bits */
    uint64_t event_select[PMU_GENERAL_MAX];
    uint64_t general[PMU_GENERAL_MAX], fixed[PMU_FIXED_MAX]; /* the counters */
};

/* Does not branch between the registers, so reading one changes no other. */
void facility_read(struct facility *facility);

#endif
