/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is enumerated of the facilities under test: CPUID.0AH and IA32_PERF_CAPABILITIES (F1.8 to
 * F1.34). Whether a facility is there as a whole is a feature (arch/cpu/identity/features.h).
 */
#ifndef ARCH_TRACE_FEATURES_H
#define ARCH_TRACE_FEATURES_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/trace/perfmon.h"

struct trace_features {
    struct perfmon_identity perfmon;
    uint64_t perf_capabilities; /* 0 without PDCM, or when it cannot be read */
    bool perf_capabilities_readable;
    uint64_t debugctl_not_lent; /* bits of IA32_DEBUGCTL whose facility a hypervisor keeps */
    uint64_t control_found;     /* IA32_PERF_GLOBAL_CTRL at boot; 0 before version 2 */
    bool architectural_lbr;     /* in the place of the LBR stack of the model (F20.1) */
    bool counters_in_doubt;     /* there may be more than perfmon says: perfmon_is_in_doubt() */
    bool counters_untouched;    /* no event was selected then, and no counter had counted */
    uint64_t taken;             /* counters that others use: taken.h */
    uint64_t taken_control;     /* what the control of the first of them became */
};

/* The running processor's own. Filled by features_probe(). */
struct trace_features *trace_features(void);

/*
 * Before features_probe(): it writes to no register of a facility. A feature that only a write
 * could settle then counts as there where it can be read, and its line in the log says so.
 */
void trace_features_only_read(void);

/* Whether others were found to use a counter since (arch/trace/taken.h): what needs it is gone
 * then. Switches the counters off. */
bool trace_features_look_again(void);

/* Enumerated, but a hypervisor keeps it: it refuses or drops what switches the feature on. */
bool trace_not_lent(enum feature feature);

/* Of PEBS records: IA32_PERF_CAPABILITIES[11:8] (F1.30). */
unsigned pebs_format(void);

#endif
