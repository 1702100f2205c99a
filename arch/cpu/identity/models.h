/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties that only the model (CPUID.01H) tells, because no leaf enumerates them. Rows of
 * models.def give each processor its core, and each core its properties.
 */
#ifndef ARCH_CPU_IDENTITY_MODELS_H
#define ARCH_CPU_IDENTITY_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/identity/features.h"

enum core {
    CORE_UNKNOWN, /* another vendor's, or a model that is not in the table */
#define CORE(id, ...) CORE_##id,
#include "arch/cpu/identity/models.def"
#undef CORE
    CORES,
};

/* A set of cores: ON(HASWELL) | ON(BROADWELL). */
#define ON(core) (1ull << CORE_##core)

/* Which LBR stack; arch/trace/lbr_format.c has its registers. */
enum lbr_kind {
    LBR_BY_LEAF, /* architectural LBRs, or none */
    LBR_WILLAMETTE,
    LBR_PRESCOTT,
    LBR_PENTIUM_M,
    LBR_YONAH,
    LBR_MEROM,
    LBR_BONNELL,
    LBR_SILVERMONT,
    LBR_KNIGHTS_LANDING,
    LBR_NEHALEM,
    LBR_HASWELL,
    LBR_SKYLAKE,
    LBR_GOLDMONT,
    LBR_KINDS,
};

/* Which counters can sample (F3.60). */
enum pebs_on {
    PEBS_BY_FORMAT, /* PMC0 in format 0, PMC0 to PMC3 in 1 to 3, all from 4 on */
    PEBS_ON_PMC0,
    PEBS_ON_ALL, /* fixed ones too, though not enumerated (F22.17) */
};

enum core_trait {
    MINDS_FREQUENCY = 1 << 0,    /* a branch after a change of frequency has a wrong FROM (F4.15) */
    SAMPLES_LATENCIES = 1 << 1,  /* of loads, PMC0 to PMC3: IA32_PEBS_ENABLE[35:32] (F22.16) */
    UNCORE_AT_391H = 1 << 2,     /* MSR 391H belongs to the uncore; do not write it */
    NEEDS_A_FLUSH = 1 << 3,      /* counters count wrongly until they are flushed (F25.1) */
    SHARES_COUNTERS = 1 << 4,    /* a core has eight, each of two threads four (F1.14) */
    HAS_RTM = 1 << 5,            /* some of these have it; a control may hide it (F21.19) */
    OVERCOUNTS_FAR = 1 << 6,     /* a far transfer may count as two instructions (F21.32) */
    HAS_MSR_C7 = 1 << 7,         /* an undocumented register (F6.52) */
    IS_CORE_2 = 1 << 8,          /* early perfmon version 2: counters not enumerated (F1.13) */
    COUNTS_THE_CHIPSET = 1 << 9, /* Xeon 7400: RDPMC reads chipset counters too */
    PEBS_IS_UNUSABLE = 1 << 10,  /* because of errata (F22.42) */
    SAMPLES_EVERY_EVENT = 1 << 11,  /* even before format 4 (F1.31, F22.17) */
    DISTRIBUTES_ON_FIXED = 1 << 12, /* precise distribution on fixed counter 0 only (F22.19) */
    LBR_FREEZE_IS_OPEN = 1 << 13,   /* the manual says legacy and streamlined (D 12) */
    LEAVES_BANK_0 = 1 << 14,        /* IA32_MC0_CTL is the firmware's: family 6 before Nehalem */
    FREEZE_OR_TR = 1 << 15, /* FREEZE_LBRS_ON_PMI clears TR; the moment is undefined (F7.13) */
};

struct core_facts {
    enum lbr_kind lbr;
    enum pebs_on pebs;
    unsigned traits;
};

/* Pure. On a hybrid machine the result is for the core that the identity describes. */
enum core core_of(const struct cpu_identity *identity);
const struct core_facts *core_facts(const struct cpu_identity *identity);
const char *processor_name(const struct cpu_identity *identity); /* NULL: not in the table */

/* Has the running core this trait? */
static inline bool core_has(enum core_trait trait)
{
    return core_facts(&cpu_features()->identity)->traits & trait;
}

#endif
