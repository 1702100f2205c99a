/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the processor that asks has, probed once, before anything relies on it; the cores of a
 * hybrid machine differ (F24.8). A test names features as needs; a missing one is explained with
 * the register, the bit and its value. Rows: features.def.
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
 * Whose features the running processor asks for: its own, by its number, unless features_view()
 * has it look at those of another one, for which it prepares or concludes something. Also the place
 * in each array of PROCESSORS_MAX that has something for each processor.
 */
unsigned features_slot(void);
void features_view(unsigned processor);

/* Filled by features_probe() on that processor, which needs interrupts_init() there. */
struct cpu_features *cpu_features(void);
void features_probe(void);

bool features_are_probed(unsigned processor);

/* Of a processor that has been probed. */
const struct cpu_identity *features_identity(unsigned processor);

static inline bool feature_present(enum feature feature)
{
    return cpu_features()->present[feature];
}

/* The first of a list that ends in FEATURE_COUNT which is missing; FEATURE_COUNT: none is. */
enum feature feature_missing(const enum feature *needs);

/* "DS-CPL" */
const char *feature_name(enum feature feature);

/* Whether the tests are about it: features.def. */
bool feature_is_facility(enum feature feature);

/*
 * Why it is missing, with the register, bit and value read: "CPUID.01H:ECX[4].DS-CPL = 0".
 * Writes at most size bytes, terminating zero included.
 */
void feature_missing_reason(enum feature feature, char *text, size_t size);

/*
 * Features that no single bit of CPUID tells: their file registers how they are probed, after those
 * of CPUID and in any order, and why one is missing. explain answers false for a feature that is
 * not its own, or whose bit of CPUID says all; probe may be NULL where the file settles them
 * itself, later.
 */
struct feature_prober {
    void (*probe)(void);
    bool (*explain)(enum feature feature, char *text, size_t size);
    void (*describe)(char *text, size_t size); /* what else is enumerated; NULL: nothing */
};

/* Description number so much, "" where a prober has none; false past the last. */
bool features_describe(size_t number, char *text, size_t size);

#define FEATURE_PROBER(name, ...)                                                                  \
    static const struct feature_prober name                                                        \
        __attribute__((used, section(".feature_probers"), aligned(8))) = {__VA_ARGS__}

#endif
