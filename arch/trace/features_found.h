/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What probing found (features_probe.c) and what explains it (features_explain.c). For these two
 * alone.
 */
#ifndef ARCH_TRACE_FEATURES_FOUND_H
#define ARCH_TRACE_FEATURES_FOUND_H

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"

/* The features that a version of CPUID.0AH or a bit of IA32_PERF_CAPABILITIES tells; ends with
 * number 0. */
struct numbered {
    enum feature feature;
    uint8_t number;
};

extern const struct numbered trace_versions[], trace_capabilities[];

#define FOR_EACH(row, rows) for (const struct numbered *row = (rows); row->number; row++)

/* Bits that may be refused although everything says that they are there. */
struct trial {
    const char *name; /* of the register */
    enum feature feature;
    uint32_t number;
    uint64_t set, clear;
    uint64_t companions; /* they are of the same facility, and go with it */
};

enum trial_id {
    TRIAL_DS,
    TRIAL_COUNTERS,
    TRIAL_BTS,
    TRIAL_LBR,
    TRIAL_BTF,
    TRIAL_PEBS,
    TRIAL_FREEZE,
    TRIAL_FREEZE_WHILE_SMM,
    TRIALS,
};

extern const struct trial trace_trials[TRIALS];

/* What trying them gave. */
struct outcome {
    bool tried;
    bool assumed; /* the register can be read; nothing was written */
    struct exception exception;
    uint64_t wrote, read;
};

/* Of each processor: what it has, and what explains what it has not. */
struct findings {
    struct trace_features features;
    struct outcome outcomes[TRIALS];
    struct exception ler_exception; /* of reading the last-exception record */
    bool ler_is_empty;              /* a hypervisor reads the registers as 0 */
};

/* The running processor's own. */
struct findings *trace_findings(void);

/* PEBS of a format that has groups and bits of its own in the controls, on a processor that denies
 * them: a hypervisor's (F21.31). What is stored then nothing says. */
bool trace_lacks_baseline(void);

/* Why the running processor has not got the feature, into text of size bytes; false: it is another
 * prober's. */
bool trace_explain(enum feature feature, char *text, size_t size);

/* At the end of what became of a trial: whether a hypervisor keeps it. */
void trace_explain_lending(char *text, size_t size);

/* The lines at the head of the log. */
void trace_describe(char *text, size_t size);

#endif
