/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUID decides before any MSR is touched. An emulator may answer for MSRs that do not exist
 * (F12.1, F12.2), so the absence of an exception proves nothing.
 */
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/lib/printf.h"

struct feature_row {
    const char *name;
    bool is_facility;
    struct cpuid_bit cpuid; /* leaf 0: its prober knows */
};

#define FACILITY true
#define AID      false
#define CPUID_FEATURE(id, kind, name, leaf, reg, bit)                                              \
    [FEATURE_##id] = {name, kind, {leaf, CPUID_##reg, bit}},
#define FEATURE(id, kind, name) [FEATURE_##id] = {name, kind, {0, CPUID_EAX, 0}},
static const struct feature_row rows[FEATURE_COUNT] = {
#include "arch/cpu/identity/features.def"
};

static struct cpu_features all[PROCESSORS_MAX];

/* Makes no call, because it is used while branches are recorded. */
unsigned features_slot(void)
{
    uint32_t view;
    __asm__ volatile("movl %%gs:%c1, %0" : "=r"(view) : "i"(CPU_VIEW));
    return view;
}

void features_view(unsigned processor)
{
    this_cpu()->view = processor;
}

struct cpu_features *cpu_features(void)
{
    return &all[features_slot()];
}

const struct cpu_identity *features_identity(unsigned processor)
{
    return &all[processor].identity;
}

extern const struct feature_prober __feature_probers_start[], __feature_probers_end[];

static void probe_cpuid_rows(void)
{
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (rows[i].cpuid.leaf)
            cpu_features()->present[i] = cpuid_bit_value(rows[i].cpuid);
}

bool features_are_probed(unsigned processor)
{
    return all[processor].identity.signature != 0;
}

void features_probe(void)
{
    features_view(this_cpu()->index);
    probe_cpuid_rows();
    identity_probe(&cpu_features()->identity, feature_present(FEATURE_MSR),
                   feature_present(FEATURE_HYPERVISOR));
    cpu_features()->misc_enable_readable =
        feature_present(FEATURE_MSR) &&
        !exception_happened(rdmsr_safe(IA32_MISC_ENABLE, &cpu_features()->misc_enable));
    for (const struct feature_prober *p = __feature_probers_start; p < __feature_probers_end; p++)
        if (p->probe)
            p->probe();
}

enum feature feature_missing(const enum feature *needs)
{
    while (*needs != FEATURE_COUNT && feature_present(*needs))
        needs++;
    return *needs;
}

const char *feature_name(enum feature feature)
{
    return feature < FEATURE_COUNT ? rows[feature].name : "?";
}

bool feature_is_facility(enum feature feature)
{
    return feature < FEATURE_COUNT && rows[feature].is_facility;
}

bool features_describe(size_t number, char *text, size_t size)
{
    const struct feature_prober *prober = &__feature_probers_start[number];

    if (prober >= __feature_probers_end)
        return false;
    *text = '\0';
    if (prober->describe)
        prober->describe(text, size);
    return true;
}

static void explain_cpuid(enum feature feature, char *text, size_t size)
{
    static const char *const registers[] = {"EAX", "EBX", "ECX", "EDX"};
    struct cpuid_bit bit = rows[feature].cpuid;

    format_string(text, size, "CPUID.%02XH:%s[%u].%s = %u", bit.leaf, registers[bit.reg], bit.bit,
                  rows[feature].name, feature_present(feature));
}

void feature_missing_reason(enum feature feature, char *text, size_t size)
{
    for (const struct feature_prober *p = __feature_probers_start; p < __feature_probers_end; p++)
        if (p->explain(feature, text, size))
            return;
    if (feature < FEATURE_COUNT && rows[feature].cpuid.leaf)
        explain_cpuid(feature, text, size);
    else
        format_string(text, size, "no such feature");
}
