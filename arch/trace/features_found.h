/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of probing, for arch/trace/features*.c only. */
#ifndef ARCH_TRACE_FEATURES_FOUND_H
#define ARCH_TRACE_FEATURES_FOUND_H

#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"

/* Features enumerated by a version in CPUID.0AH or a bit of IA32_PERF_CAPABILITIES. Number 0 ends a
 * list. */
struct numbered {
    enum feature feature;
    uint8_t number;
};

extern const struct numbered trace_versions[], trace_capabilities[];

#define FOR_EACH(row, rows) for (const struct numbered *row = (rows); row->number; row++)

/* A trial write of bits that may be refused although they are enumerated. */
struct trial {
    const char *name; /* the register's */
    enum feature feature;
    uint32_t number;     /* MSR */
    uint64_t set, clear; /* bits */
    uint64_t companions; /* other bits of the same facility: if the trial fails, they count as
                            missing too */
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

/* Result of a trial. */
struct outcome {
    bool tried;
    bool assumed; /* writes were forbidden (trace_features_only_read()); the register could be read,
                     so the trial counts as passed */
    struct exception exception;
    uint64_t wrote, read;
};

/* For each processor: its enumeration, and the explanation of missing features. */
struct findings {
    struct trace_features features;
    struct outcome outcomes[TRIALS];
    struct exception ler_exception; /* of reading the last-exception record */
    bool ler_is_empty;              /* under a hypervisor its registers stay 0 after an exception */
};

/* Those of the processor that features_slot() selects. */
struct findings *trace_findings(void);

/* Is an adaptive PEBS record format enumerated while PEBS_BASELINE, which enumerates its groups and
 * control bits, is 0? A hypervisor causes this (F21.31). The content of records is then
 * undefined. */
bool trace_lacks_baseline(void);

/* Writes to `text`, of `size` bytes, why the selected processor lacks the feature. Returns false if
 * the feature belongs to another file, or if its CPUID bit is the explanation. */
bool trace_explain(enum feature feature, char *text, size_t size);

/* `text` says why a facility is missing. Under a hypervisor, appends that the hypervisor does not
 * lend the facility. */
void trace_explain_lending(char *text, size_t size);

/* Writes the lines for the head of the log. */
void trace_describe(char *text, size_t size);

#endif
