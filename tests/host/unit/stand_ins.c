/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the pure parts call and a host program has not. A test that wants another defines it. */
#include <stddef.h>

#include "arch/lib/printf.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/foreign_counters.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/soak_stats.h"

#define STAND_IN __attribute__((weak))

/* An empty table of symbols. */
STAND_IN const uint32_t symbol_count = 0;
STAND_IN const uint32_t symbol_addresses[1];
STAND_IN const uint32_t symbol_names[1];
STAND_IN const char symbol_strings[1];

/* The one processor has the features that the test makes up. */
STAND_IN unsigned features_slot(void)
{
    return 0;
}

STAND_IN struct cpu_features *cpu_features(void)
{
    static struct cpu_features own;

    return &own;
}

STAND_IN struct trace_features *trace_features(void)
{
    static struct trace_features own;

    return &own;
}

/* No missing feature has a reason. */
STAND_IN void feature_missing_reason(enum feature feature, char *text, size_t size)
{
    (void)feature;
    if (size)
        text[0] = '\0';
}

/* Nobody looks at what a soak has done. */
STAND_IN void soak_stats_add(enum soak_stats_kind kind, uint64_t count)
{
    (void)kind;
    (void)count;
}

/* No register is there. */
STAND_IN struct exception rdmsr_safe(uint32_t msr, uint64_t *value)
{
    (void)msr;
    *value = 0;
    return (struct exception){0};
}

STAND_IN struct exception wrmsr_safe(uint32_t msr, uint64_t value)
{
    (void)msr;
    (void)value;
    return (struct exception){0};
}

/* Nobody else uses its counters. */
STAND_IN uint64_t foreign_counters(void)
{
    return 0;
}

STAND_IN uint64_t foreign_fixed_fields(void)
{
    return 0;
}

STAND_IN uint64_t lbr_arch_control(bool on)
{
    (void)on;
    return 0;
}

STAND_IN uint64_t lbr_arch_read_control(void)
{
    return 0;
}

/* One claim in each of the two ways in which tools/claims.toml writes their names. */
STAND_IN const char claim_table[] =
    "# BTS-1 = \"no\"\n[bts]\nBTS-11 = \"no\"\nBTS-1 = \"a record for every branch\"\n"
    "\"T17-6.4\" = \"only branches above CPL 0\"\n";
