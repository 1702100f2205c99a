/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enumeration of the facilities under test: CPUID.0AH and IA32_PERF_CAPABILITIES (F1.8 to F1.34).
 * Features (arch/cpu/identity/features.h) say whether a whole facility is usable.
 */
#ifndef ARCH_TRACE_FEATURES_H
#define ARCH_TRACE_FEATURES_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/trace/perfmon.h"

struct trace_features {
    struct perfmon_identity perfmon;
    uint64_t perf_capabilities; /* 0 without PDCM, or if unreadable */
    bool perf_capabilities_readable;
    uint64_t debugctl_not_lent; /* debugctl_not_lent() */
    uint64_t control_found;     /* IA32_PERF_GLOBAL_CTRL at boot; 0 before version 2 */
    bool architectural_lbr;     /* CPUID enumerates architectural LBRs (F20.1) */
    bool counters_in_doubt;     /* perfmon may not list all: perfmon_is_in_doubt() */
    bool counters_untouched;    /* at boot no event was selected and no counter had counted */
    uint64_t foreign;           /* counters that others use: foreign_counters.h */
    uint64_t foreign_control;   /* control of the first of these, as others rewrote it */
};

/* Those of the processor that features_slot() selects. features_probe() fills them. */
struct trace_features *trace_features(void);

/*
 * Call it before features_probe(), which then writes no register of a facility. A feature that
 * needs a trial write counts as present if its register is readable; the log says so.
 */
void trace_features_only_read(void);

/* Has somebody else begun to use a counter (arch/trace/foreign_counters.h)? Features that need the
 * counter are then gone. Switches all counters off. */
bool trace_features_look_again(void);

/* Is the feature enumerated, although a hypervisor refuses or ignores switching it on? */
bool trace_not_lent(enum feature feature);

/* Format of PEBS records: IA32_PERF_CAPABILITIES[11:8] (F1.30). */
unsigned pebs_format(void);

#endif
