/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features of the running processor, probed once before anything relies on them; the cores of a
 * hybrid machine differ (F24.8). A test names the features it needs; a missing one is explained
 * with the register, the bit and its value. features.def has a row for each feature.
 */
#ifndef ARCH_CPU_IDENTITY_FEATURES_H
#define ARCH_CPU_IDENTITY_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/identity/identity.h"

#define CPUID_FEATURE(name, ...) FEATURE_##name,
#define FEATURE(name, ...)       FEATURE_##name,
enum feature {
#include "arch/cpu/identity/features.def"
    FEATURE_COUNT,
};
#undef CPUID_FEATURE
#undef FEATURE

struct cpu_features {
    struct cpu_identity identity;
    uint64_t misc_enable; /* 0 when it cannot be read */
    bool misc_enable_readable;
    bool present[FEATURE_COUNT];
};

/*
 * Index of the processor whose features the functions below return. It is the running processor's
 * own, unless the running processor has selected another by features_view(), because it prepares or
 * evaluates something for that one. Arrays that keep what was found out about each processor are
 * indexed by features_slot() too.
 */
unsigned features_slot(void);
void features_view(unsigned processor);

/* The features of the selected processor. That processor fills them by features_probe(), after
 * interrupts_init(). */
struct cpu_features *cpu_features(void);
void features_probe(void);

bool features_are_probed(unsigned processor);

/* The processor must have been probed. */
const struct cpu_identity *features_identity(unsigned processor);

static inline bool feature_present(enum feature feature)
{
    return cpu_features()->present[feature];
}

/* First missing feature of a list that ends in FEATURE_COUNT; FEATURE_COUNT if none is missing. */
enum feature feature_missing(const enum feature *needs);

/* "DS-CPL" */
const char *feature_name(enum feature feature);

/* Is it a facility under test (FACILITY in features.def)? */
bool feature_is_facility(enum feature feature);

/*
 * Writes why the feature is missing, with register, bit and value: "CPUID.01H:ECX[4].DS-CPL = 0".
 * At most `size` bytes, terminating zero included.
 */
void feature_missing_reason(enum feature feature, char *text, size_t size);

/*
 * Features that no single CPUID bit enumerates. Their file registers how to probe them and how to
 * explain a missing one. `probe` runs after the CPUID features were probed; the probers run in no
 * defined order. `probe` is NULL if the file sets its features at another time. `explain` returns
 * false if the feature belongs to another file, or if its CPUID bit is the explanation.
 */
struct feature_prober {
    void (*probe)(void);
    bool (*explain)(enum feature feature, char *text, size_t size);
    void (*describe)(char *text, size_t size); /* what else is found, for the log; may be NULL */
};

/* Writes what prober `number`, from 0, describes; "" if nothing. Returns false if there is no such
 * prober. */
bool features_describe(size_t number, char *text, size_t size);

#define FEATURE_PROBER(name, ...)                                                                  \
    static const struct feature_prober name                                                        \
        __attribute__((used, section(".feature_probers"), aligned(8))) = {__VA_ARGS__}

#endif
