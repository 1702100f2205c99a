// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything that software can see of a processor, condensed to one number for each area.
 * Processors that behave alike in an area have the same number there.
 */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "debug_store.h"

enum scenario {
    SCENARIO_REGISTERS,
    SCENARIO_AREA,
    SCENARIO_SELECTION,
    SCENARIO_RECORDS,
    SCENARIO_BUFFER,
    SCENARIO_THRESHOLD,
    SCENARIO_OVERFLOW,
    SCENARIO_COUNTERS,
    SCENARIO_PEBS,
    SCENARIO_FREEZE,
    SCENARIO_SMM,
    SCENARIO_INIT,
    SCENARIO_LBR,
    SCENARIO_LER,
    SCENARIO_STEP,
    SCENARIO_NEIGHBOURS,
    SCENARIO_ARCH_LBR,
    SCENARIO_COUNT
};

/*
 * 0 Core 2, 1 Nehalem, 2 Haswell, 3 Skylake, 4 Goldmont, 5 Ice Lake,
 * 6 an invented one without a Debug Store, with two counters of perfmon 1,
 * 7 and 8 invented ones: Ice Lake with PEBS format 5, and with 6,
 * 9 Sapphire Rapids, 10 an invented one with the model number of Sierra Forest,
 * 11 the P-core and 12 the E-core of Lunar Lake, 13 the E-core of Arrow Lake-H,
 * 14 the first Atom, 15 the P-core of Panther Lake.
 */
#define SCENARIO_PROFILES 16
struct ds_profile scenario_profile(unsigned i);

/* A bit for each scenario in which two processors differ. */
unsigned scenario_changes(const uint64_t seen[SCENARIO_COUNT],
                          const uint64_t usual[SCENARIO_COUNT]);

/* Runs the scenarios whose bit is set in `which`, each on such a processor after RESET. */
#define SCENARIO_ALL (~0u)
void scenario_run(const struct ds_profile *profile, const struct ds_fault_settings *faults,
                  unsigned which, uint64_t seen[SCENARIO_COUNT]);

/* Runs all scenarios on a healthy processor with these variations. */
void scenario_run_variation(const struct ds_profile *profile, const struct ds_variation *variation,
                            uint64_t seen[SCENARIO_COUNT]);

#endif
