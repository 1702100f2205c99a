/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a facility is not there: the bit that says so, or what became of a trial. */
#include "arch/trace/features_found.h"

#include "arch/cpu/identity/identity.h"
#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/foreign_counters.h"

static const struct outcome *outcome_of(enum trial_id id)
{
    return &trace_findings()->outcomes[id];
}

void trace_explain_lending(char *text, size_t size)
{
    const struct cpu_identity *identity = &cpu_features()->identity;

    if (identity_is_somebodys_guest(identity))
        format_append(text, size, "; not lent by this hypervisor (%s)", identity->hypervisor);
}

/* Of one bit alone. */
static void explain_trial(enum trial_id id, char *text, size_t size)
{
    const struct outcome *outcome = outcome_of(id);
    unsigned bit = (unsigned)__builtin_ctzll(trace_trials[id].set);

    if (exception_happened(outcome->exception))
        format_string(text, size, "%s: %s on setting bit %u", trace_trials[id].name,
                      exception_name(outcome->exception), bit);
    else
        format_string(text, size, "%s drops bit %u", trace_trials[id].name, bit);
    trace_explain_lending(text, size);
}

static void explain_version(unsigned version, char *text, size_t size)
{
    const struct cpu_identity *identity = &cpu_features()->identity;
    char others[FOREIGN_TEXT_SIZE];

    if (trace_features()->perfmon.version >= version)
        format_string(text, size, "others use counters: %s",
                      foreign_counters_describe(others, sizeof others));
    else if (trace_not_lent(FEATURE_PERFMON))
        explain_trial(TRIAL_COUNTERS, text, size);
    else if (!identity_is_intel(identity))
        format_string(text, size, "counters are tested on GenuineIntel alone; CPUID.0H says %s",
                      identity->vendor);
    else
        format_string(text, size, "CPUID.0AH:EAX[7:0] (perfmon version) = %u, not %u or more",
                      trace_features()->perfmon.version, version);
}

static void explain_freeze(char *text, size_t size)
{
    if (!feature_present(FEATURE_PDCM))
        feature_missing_reason(FEATURE_PDCM, text, size);
    else if (!feature_present(FEATURE_PERFMON2))
        feature_missing_reason(FEATURE_PERFMON2, text, size);
    else
        explain_trial(TRIAL_FREEZE, text, size);
}

static void explain_capability(const struct numbered *row, char *text, size_t size)
{
    if (!feature_present(FEATURE_PDCM))
        feature_missing_reason(FEATURE_PDCM, text, size);
    else if (!trace_features()->perf_capabilities_readable)
        format_string(text, size, "IA32_PERF_CAPABILITIES cannot be read");
    else if (trace_features()->perf_capabilities >> row->number & 1)
        explain_trial(TRIAL_FREEZE_WHILE_SMM, text, size);
    else
        format_string(text, size,
                      "IA32_PERF_CAPABILITIES[%u].%s = 0 (IA32_PERF_CAPABILITIES = %lXH)",
                      row->number, feature_name(row->feature), trace_features()->perf_capabilities);
}

/* What BTS and PEBS have in common; false when the reason lies elsewhere. */
static bool explain_ds(const char *name, unsigned bit, char *text, size_t size)
{
    if (!feature_present(FEATURE_DS))
        feature_missing_reason(FEATURE_DS, text, size);
    else if (!cpu_features()->misc_enable_readable)
        format_string(text, size, "IA32_MISC_ENABLE cannot be read");
    else if (cpu_features()->misc_enable & (1ull << bit))
        format_string(text, size, "IA32_MISC_ENABLE[%u].%s = 1 (IA32_MISC_ENABLE = %lXH)", bit,
                      name, cpu_features()->misc_enable);
    else
        return false;
    return true;
}

static void explain_bts(char *text, size_t size)
{
    if (explain_ds("BTS_UNAVAILABLE", 11, text, size))
        return;
    if (!outcome_of(TRIAL_BTS)->tried)
        format_string(text, size, "%s", debugctl_other_layout());
    else if (exception_happened(outcome_of(TRIAL_BTS)->exception))
        format_string(text, size,
                      "%s on IA32_DEBUGCTL with BTS and BTINT, although CPUID and "
                      "IA32_MISC_ENABLE offer them",
                      exception_name(outcome_of(TRIAL_BTS)->exception));
    else
        format_string(text, size, "IA32_DEBUGCTL drops BTS and BTINT: wrote %lXH, reads %lXH",
                      outcome_of(TRIAL_BTS)->wrote, outcome_of(TRIAL_BTS)->read);
    if (outcome_of(TRIAL_BTS)->tried)
        trace_explain_lending(text, size);
}

static void explain_lbr(char *text, size_t size)
{
    const struct cpu_identity *identity = &cpu_features()->identity;

    if (outcome_of(TRIAL_LBR)->tried)
        explain_trial(TRIAL_LBR, text, size);
    else
        format_string(text, size, "no LBR stack is known for %s family %02XH model %02XH",
                      identity->vendor, identity->family, identity->model);
}

static void explain_btf(char *text, size_t size)
{
    if (outcome_of(TRIAL_BTF)->tried)
        explain_trial(TRIAL_BTF, text, size);
    else if (!feature_present(FEATURE_MSR))
        feature_missing_reason(FEATURE_MSR, text, size);
    else
        format_string(text, size,
                      "IA32_DEBUGCTL.BTF is tested on GenuineIntel alone; CPUID.0H says %s",
                      cpu_features()->identity.vendor);
}

static void explain_ler(char *text, size_t size)
{
    if (trace_findings()->ler_is_empty)
        format_string(text, size, "the last-exception record is 0 behind an exception");
    else
        format_string(text, size, "%s on reading the last-exception record",
                      exception_name(trace_findings()->ler_exception));
    trace_explain_lending(text, size);
}

static void explain_lbr_part(enum feature feature, char *text, size_t size)
{
    if (feature == FEATURE_LBR_LEGACY && trace_features()->architectural_lbr)
        format_string(text, size,
                      "CPUID.07H.0:EDX[19] = 1: architectural LBRs are in the place of this stack");
    else if (!feature_present(FEATURE_LBR) && trace_features()->architectural_lbr)
        feature_missing_reason(FEATURE_ARCH_LBR, text, size);
    else if (!feature_present(FEATURE_LBR))
        explain_lbr(text, size);
    else if (feature == FEATURE_LER)
        explain_ler(text, size);
    else if (feature_present(FEATURE_ARCH_LBR))
        format_string(text, size, "CPUID.1CH:EBX[1:0] (filters) = %u%u", lbr_arch()->filters_kinds,
                      lbr_arch()->filters_rings);
    else
        format_string(text, size, "this family and model has no MSR_LBR_SELECT");
}

/* Whether it is this that PEBS is not there for. */
static bool explain_pebs_offer(char *text, size_t size)
{
    uint32_t wanted = pebs_microcode_wanted();

    if (explain_ds("PEBS_UNAVAILABLE", 12, text, size))
        return true;
    if (pebs_unusable())
        format_string(text, size, "%s", pebs_unusable());
    else if (wanted)
        format_string(text, size,
                      "microcode %#x: before %#x switching PEBS on or off may hang this processor "
                      "(erratum BJ106)",
                      cpu_features()->identity.microcode, wanted);
    return pebs_unusable() || wanted;
}

static void explain_pebs(char *text, size_t size)
{
    if (explain_pebs_offer(text, size))
        return;
    if (!feature_present(FEATURE_PDCM))
        format_string(text, size,
                      "CPUID.01H:ECX[15].PDCM = 0: the PEBS record format is not enumerated");
    else if (!feature_present(FEATURE_PERFMON2))
        feature_missing_reason(FEATURE_PERFMON2, text, size);
    else if (trace_lacks_baseline())
        format_string(text, size,
                      "IA32_PERF_CAPABILITIES[14].PEBS_BASELINE = 0 beside PEBS record format %u",
                      pebs_format());
    else if (outcome_of(TRIAL_PEBS)->tried && !feature_present(FEATURE_PEBS_RECORDS))
        explain_trial(TRIAL_PEBS, text, size);
    else
        format_string(text, size, "IA32_PERF_CAPABILITIES[11:8] (PEBS record format) = %u",
                      pebs_format());
}

static void explain_pebs_arch(char *text, size_t size)
{
    if (pebs_format() != PEBS_FORMAT_ARCH)
        format_string(text, size, "IA32_PERF_CAPABILITIES[11:8] (PEBS record format) = %u, not 15",
                      pebs_format());
    else if (!pebs_arch_enumerated())
        format_string(text, size, "CPUID.23H.0:EAX[5:4] (architectural PEBS) = %u, not 3",
                      trace_features()->perfmon.own.leaves >> 4 & 3);
    else if (!feature_present(FEATURE_PERFMON2))
        feature_missing_reason(FEATURE_PERFMON2, text, size);
    else
        format_string(text, size, "IA32_PEBS_INDEX cannot be read");
}

static bool explain_facility(enum feature feature, char *text, size_t size)
{
    if (feature == FEATURE_DS && outcome_of(TRIAL_DS)->tried)
        explain_trial(TRIAL_DS, text, size);
    else if (feature == FEATURE_BTS)
        explain_bts(text, size);
    else if (feature == FEATURE_LBR || feature == FEATURE_LBR_LEGACY ||
             feature == FEATURE_LBR_SELECT || feature == FEATURE_LER)
        explain_lbr_part(feature, text, size);
    else if (feature == FEATURE_FREEZE)
        explain_freeze(text, size);
    else if (feature == FEATURE_BTF)
        explain_btf(text, size);
    else if (feature >= FEATURE_PEBS_RECORDS && feature <= FEATURE_PEBS_SNAPSHOT)
        explain_pebs(text, size);
    else if (feature == FEATURE_PEBS)
        explain_pebs_offer(text, size);
    else if (feature == FEATURE_PEBS_ARCH)
        explain_pebs_arch(text, size);
    else
        return false;
    return true;
}

bool trace_explain(enum feature feature, char *text, size_t size)
{
    FOR_EACH(row, trace_versions)
        if (row->feature == feature)
            return explain_version(row->number, text, size), true;
    FOR_EACH(row, trace_capabilities)
        if (row->feature == feature)
            return explain_capability(row, text, size), true;
    return explain_facility(feature, text, size);
}

static void describe_assumed(char *text, size_t size)
{
    const char *between = "\nnot tried, so taken to be there: ";

    for (enum trial_id i = 0; i < TRIALS; i++) {
        if (!outcome_of(i)->assumed)
            continue;
        format_append(text, size, "%s%s", between, feature_name(trace_trials[i].feature));
        between = ", ";
    }
}

static void describe_perfmon(char *text, size_t size)
{
    const struct perfmon_identity *pmu = &trace_features()->perfmon;

    if (pmu->version == 0) {
        format_string(text, size, "perfmon: none");
        return;
    }
    format_string(text, size, "perfmon: version %u, %u counters of %u bits, %u fixed of %u bits",
                  pmu->version, perfmon_count(perfmon_general_bitmap(pmu)), pmu->counter_bits,
                  perfmon_count(perfmon_fixed_bitmap(pmu)), pmu->fixed_counter_bits);
    if (pmu->own.leaves & PERFMON_OWN_COUNTERS)
        format_append(text, size, " (CPUID.23H: %XH, fixed %XH)", perfmon_general_bitmap(pmu),
                      perfmon_fixed_bitmap(pmu));
}

/* All that is decided by, as a processor that is not known yet can be looked at elsewhere. */
static void describe_leaves(char *text, size_t size)
{
    static const struct {
        uint8_t leaf, subleaf;
    } told[] = {{0x00, 0}, {0x01, 0}, {0x07, 0}, {0x07, 1}, {0x0a, 0}, {0x1a, 0}, {0x1c, 0},
                {0x23, 0}, {0x23, 1}, {0x23, 2}, {0x23, 3}, {0x23, 4}, {0x23, 5}};

    format_append(text, size, "\nleaves:");
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        struct cpuid_result r = insn_cpuid(told[i].leaf, told[i].subleaf);

        if (told[i].leaf <= cpu_features()->identity.max_leaf)
            format_append(text, size, " %x.%x=%x.%x.%x.%x", told[i].leaf, told[i].subleaf, r.eax,
                          r.ebx, r.ecx, r.edx);
    }
    format_append(text, size, " msr345=%lx msr1a0=%lx", trace_features()->perf_capabilities,
                  cpu_features()->misc_enable);
}

void trace_describe(char *text, size_t size)
{
    char others[FOREIGN_TEXT_SIZE];

    describe_perfmon(text, size);
    if (foreign_counters())
        format_append(text, size, "\nothers use counters, which are left alone: %s",
                      foreign_counters_describe(others, sizeof others));
    if (pebs_format() == PEBS_FORMAT_ARCH)
        format_append(text, size,
                      "\nPEBS: architectural (IA32_PERF_CAPABILITIES[11:8] = 15), "
                      "nothing of the DS save area is used for it");
    describe_assumed(text, size);
    describe_leaves(text, size);
}
