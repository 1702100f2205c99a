/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUID decides before any MSR is touched: an emulator may answer for MSRs that do not exist
 * (F12.1, F12.2), so "it did not fault" proves nothing.
 */
#include "arch/cpu/features.h"
#include "arch/cpu/features_trace.h"
#include "arch/cpu/identity.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/msr.h"
#include "arch/cpu/perfmon.h"
#include "arch/cpu/processors.h"
#include "arch/cpu/text.h"

#define LEAF_PERFMON 0x0au
#define BTS_PROBE    (DEBUGCTL_BTS | DEBUGCTL_BTINT)

enum source {
    SOURCE_CPUID,      /* one bit of one register */
    SOURCE_PERFMON,    /* CPUID.0AH version of at least .bit */
    SOURCE_CAPABILITY, /* IA32_PERF_CAPABILITIES[.bit] */
    SOURCE_BTS,
    SOURCE_PEBS,
    SOURCE_TRACE,      /* features_trace.c */
    SOURCE_PROCESSORS, /* processors.c */
};

struct feature_row {
    const char *name;
    enum source source;
    struct cpuid_bit cpuid;
};

#define CPUID_ROW(name_, leaf_, register_, bit_)                                                   \
    {                                                                                              \
        .name = name_, .source = SOURCE_CPUID, .cpuid = { leaf_, CPUID_##register_, bit_ }         \
    }
#define PERFMON_ROW(name_, version_)                                                               \
    {                                                                                              \
        .name = name_, .source = SOURCE_PERFMON, .cpuid = { LEAF_PERFMON, CPUID_EAX, version_ }    \
    }
#define CAPABILITY_ROW(name_, bit_)                                                                \
    {                                                                                              \
        .name = name_, .source = SOURCE_CAPABILITY, .cpuid = {.bit = bit_ }                        \
    }

static const struct feature_row rows[FEATURE_COUNT] = {
    /* F1.1, F1.2, F1.12, F1.15, F1.18 */
    [FEATURE_MSR] = CPUID_ROW("MSR", 0x01, EDX, 5),
    [FEATURE_MCE] = CPUID_ROW("MCE", 0x01, EDX, 7),
    [FEATURE_APIC] = CPUID_ROW("APIC", 0x01, EDX, 9),
    [FEATURE_SEP] = CPUID_ROW("SEP", 0x01, EDX, 11),
    [FEATURE_PGE] = CPUID_ROW("PGE", 0x01, EDX, 13),
    [FEATURE_MCA] = CPUID_ROW("MCA", 0x01, EDX, 14),
    [FEATURE_PAT] = CPUID_ROW("PAT", 0x01, EDX, 16),
    [FEATURE_DS] = CPUID_ROW("DS", 0x01, EDX, 21),
    [FEATURE_DTES64] = CPUID_ROW("DTES64", 0x01, ECX, 2),
    [FEATURE_DS_CPL] = CPUID_ROW("DS-CPL", 0x01, ECX, 4),
    [FEATURE_PDCM] = CPUID_ROW("PDCM", 0x01, ECX, 15),
    [FEATURE_X2APIC] = CPUID_ROW("x2APIC", 0x01, ECX, 21),
    [FEATURE_HYPERVISOR] = CPUID_ROW("hypervisor", 0x01, ECX, 31),
    [FEATURE_SMEP] = CPUID_ROW("SMEP", 0x07, EBX, 7),
    [FEATURE_RTM] = CPUID_ROW("RTM", 0x07, EBX, 11),
    [FEATURE_NX] = CPUID_ROW("NX", 0x80000001, EDX, 20),
    [FEATURE_SYSCALL] = CPUID_ROW("SYSCALL", 0x80000001, EDX, 11),
    [FEATURE_BTS] = {.name = "BTS", .source = SOURCE_BTS},
    [FEATURE_PEBS] = {.name = "PEBS", .source = SOURCE_PEBS},
    [FEATURE_PERFMON] = PERFMON_ROW("perfmon", 1),
    [FEATURE_PERFMON2] = PERFMON_ROW("perfmon version 2", 2),
    [FEATURE_PERFMON4] = PERFMON_ROW("perfmon version 4", 4),
    [FEATURE_FREEZE_WHILE_SMM] = CAPABILITY_ROW("FREEZE_WHILE_SMM", 12), /* F1.30 */
    [FEATURE_FULL_WIDTH_WRITES] = CAPABILITY_ROW("full-width writes", 13),
    [FEATURE_LBR] = {.name = "LBR", .source = SOURCE_TRACE},
    [FEATURE_LBR_SELECT] = {.name = "LBR_SELECT", .source = SOURCE_TRACE},
    [FEATURE_LER] = {.name = "LER", .source = SOURCE_TRACE},
    [FEATURE_BTF] = {.name = "BTF", .source = SOURCE_TRACE},
    [FEATURE_PEBS_RECORDS] = {.name = "PEBS records", .source = SOURCE_TRACE},
    [FEATURE_PEBS_EVENTING_IP] = {.name = "PEBS eventing IP", .source = SOURCE_TRACE},
    [FEATURE_PEBS_TSC] = {.name = "PEBS time stamp", .source = SOURCE_TRACE},
    [FEATURE_SECOND_PROCESSOR] = {.name = "second processor", .source = SOURCE_PROCESSORS},
    [FEATURE_PEBS_ADAPTIVE] = {.name = "PEBS adaptive records", .source = SOURCE_TRACE},
};

struct cpu_features cpu_features;

/* What trying BTS and BTINT in IA32_DEBUGCTL gave. */
static struct {
    bool tried;
    struct exception exception;
    uint64_t wrote, read;
} bts_probe;

static void probe_cpuid_rows(void)
{
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (rows[i].source == SOURCE_CPUID)
            cpu_features.present[i] = cpuid_bit_value(rows[i].cpuid);
}

static void probe_perfmon_rows(void)
{
    if (cpu_features.identity.max_leaf >= LEAF_PERFMON) /* F1.7 */
        cpu_features.perfmon = perfmon_decode(insn_cpuid(LEAF_PERFMON, 0));
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (rows[i].source == SOURCE_PERFMON)
            cpu_features.present[i] = cpu_features.perfmon.version >= rows[i].cpuid.bit;
}

static void probe_capability_registers(void)
{
    if (!feature_present(FEATURE_MSR))
        return;
    cpu_features.misc_enable_readable =
        !exception_happened(rdmsr_safe(IA32_MISC_ENABLE, &cpu_features.misc_enable));
    cpu_features.perf_capabilities_readable =
        feature_present(FEATURE_PDCM) &&
        !exception_happened(rdmsr_safe(IA32_PERF_CAPABILITIES, &cpu_features.perf_capabilities));
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        if (rows[i].source == SOURCE_CAPABILITY)
            cpu_features.present[i] = cpu_features.perf_capabilities >> rows[i].cpuid.bit & 1;
}

/*
 * The bits may be refused although everything says that BTS is there (F1.4, F12.50). TR stays out
 * of it: there is no DS save area yet that a record could go to.
 */
static void try_bts_bits(void)
{
    uint64_t before = 0;
    bts_probe.tried = true;
    bts_probe.exception = rdmsr_safe(IA32_DEBUGCTL, &before);
    if (exception_happened(bts_probe.exception))
        return;
    bts_probe.wrote = (before & ~(uint64_t)DEBUGCTL_TR) | BTS_PROBE;
    bts_probe.exception = wrmsr_safe(IA32_DEBUGCTL, bts_probe.wrote);
    if (exception_happened(bts_probe.exception))
        return;
    bts_probe.exception = rdmsr_safe(IA32_DEBUGCTL, &bts_probe.read);
    wrmsr_safe(IA32_DEBUGCTL, before);
}

static bool ds_facility_available(uint64_t unavailable_bit)
{
    return feature_present(FEATURE_DS) && cpu_features.misc_enable_readable &&
           (cpu_features.misc_enable & unavailable_bit) == 0;
}

static void probe_ds_rows(void)
{
    cpu_features.present[FEATURE_PEBS] = ds_facility_available(MISC_ENABLE_PEBS_UNAVAILABLE);
    if (!ds_facility_available(MISC_ENABLE_BTS_UNAVAILABLE) ||
        identity_other_debugctl(&cpu_features.identity))
        return;
    try_bts_bits();
    cpu_features.present[FEATURE_BTS] =
        !exception_happened(bts_probe.exception) && (bts_probe.read & BTS_PROBE) == BTS_PROBE;
}

void features_probe(void)
{
    probe_cpuid_rows();
    identity_probe(&cpu_features.identity, feature_present(FEATURE_MSR),
                   feature_present(FEATURE_HYPERVISOR));
    probe_perfmon_rows();
    probe_capability_registers();
    probe_ds_rows();
    features_trace_probe();
}

const char *feature_name(enum feature feature)
{
    return feature < FEATURE_COUNT ? rows[feature].name : "?";
}

static void explain_cpuid(struct text *text, enum feature feature)
{
    cpuid_bit_format(text, rows[feature].cpuid);
    text_add(text, ".");
    text_add(text, rows[feature].name);
    text_add(text, feature_present(feature) ? " = 1" : " = 0");
}

static void explain_perfmon(struct text *text, enum feature feature)
{
    text_add(text, "CPUID.0AH:EAX[7:0] (perfmon version) = ");
    text_add_decimal(text, cpu_features.perfmon.version);
    text_add(text, ", not ");
    text_add_decimal(text, rows[feature].cpuid.bit);
    text_add(text, " or more");
}

static void explain_capability(struct text *text, enum feature feature)
{
    if (!feature_present(FEATURE_PDCM)) {
        explain_cpuid(text, FEATURE_PDCM);
        return;
    }
    if (!cpu_features.perf_capabilities_readable) {
        text_add(text, "IA32_PERF_CAPABILITIES cannot be read");
        return;
    }
    text_add(text, "IA32_PERF_CAPABILITIES[");
    text_add_decimal(text, rows[feature].cpuid.bit);
    text_add(text, "].");
    text_add(text, rows[feature].name);
    text_add(text, " = 0 (IA32_PERF_CAPABILITIES = ");
    text_add_hex(text, cpu_features.perf_capabilities, 1);
    text_add(text, "H)");
}

/* What BTS and PEBS have in common; false when the reason lies elsewhere. */
static bool explain_ds(struct text *text, const char *name, unsigned bit)
{
    if (!feature_present(FEATURE_DS)) {
        explain_cpuid(text, FEATURE_DS);
    } else if (!cpu_features.misc_enable_readable) {
        text_add(text, "IA32_MISC_ENABLE cannot be read");
    } else if (cpu_features.misc_enable & (1ull << bit)) {
        text_add(text, "IA32_MISC_ENABLE[");
        text_add_decimal(text, bit);
        text_add(text, "].");
        text_add(text, name);
        text_add(text, " = 1 (IA32_MISC_ENABLE = ");
        text_add_hex(text, cpu_features.misc_enable, 1);
        text_add(text, "H)");
    } else {
        return false;
    }
    return true;
}

static void explain_bts_probe(struct text *text)
{
    if (!bts_probe.tried) {
        text_add(text, identity_other_debugctl(&cpu_features.identity));
    } else if (exception_happened(bts_probe.exception)) {
        text_add(text, exception_name(bts_probe.exception));
        text_add(text, " on IA32_DEBUGCTL with BTS and BTINT, although CPUID and "
                       "IA32_MISC_ENABLE offer them");
    } else {
        text_add(text, "IA32_DEBUGCTL drops BTS and BTINT: wrote ");
        text_add_hex(text, bts_probe.wrote, 1);
        text_add(text, "H, reads ");
        text_add_hex(text, bts_probe.read, 1);
        text_add(text, "H");
    }
}

void feature_missing_reason(enum feature feature, char *buffer, size_t size)
{
    if (size == 0)
        return;
    struct text text = text_start(buffer, size);
    if (feature >= FEATURE_COUNT)
        text_add(&text, "no such feature");
    else if (rows[feature].source == SOURCE_TRACE && features_trace_explain(&text, feature))
        return;
    else if (rows[feature].source == SOURCE_PROCESSORS)
        processors_explain(&text);
    else if (rows[feature].source == SOURCE_PERFMON)
        explain_perfmon(&text, feature);
    else if (rows[feature].source == SOURCE_CAPABILITY)
        explain_capability(&text, feature);
    else if (rows[feature].source == SOURCE_PEBS || rows[feature].source == SOURCE_TRACE)
        explain_ds(&text, "PEBS_UNAVAILABLE", 12);
    else if (rows[feature].source == SOURCE_CPUID)
        explain_cpuid(&text, feature);
    else if (!explain_ds(&text, "BTS_UNAVAILABLE", 11))
        explain_bts_probe(&text);
}
