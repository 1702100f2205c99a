/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/features.h"

#include "arch/cpu/features.h"
#include "arch/cpu/identity.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/msr.h"
#include "arch/cpu/percpu.h"
#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/lbr_stacks.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/pmu.h"
#include "arch/trace/taken.h"

#define LEAF_PERFMON               0x0au
#define LEAF_FEATURES              0x07u
#define LEAF_PERFMON_OWN           0x23u
#define FEATURES_ARCHITECTURAL_LBR (1u << 19) /* EDX (F20.1) */

/* The features that a version of CPUID.0AH or a bit of IA32_PERF_CAPABILITIES tells. */
struct numbered {
    enum feature feature;
    uint8_t number;
};

static const struct numbered versions[] = {
    {FEATURE_PERFMON, 1},
    {FEATURE_PERFMON2, 2},
    {FEATURE_PERFMON4, 4},
    {FEATURE_PERFMON6, 6},
};

static const struct numbered capabilities[] = {
    {FEATURE_FREEZE_WHILE_SMM, 12},
    {FEATURE_FULL_WIDTH_WRITES, 13},
    {FEATURE_PERF_METRICS, 15},
};

#define FOR_EACH(row, rows)                                                                        \
    for (const struct numbered *row = (rows); row < (rows) + sizeof(rows) / sizeof((rows)[0]);     \
         row++)

static bool only_reads;

/* Bits that may be refused although everything says that they are there. */
struct trial {
    const char *name;    /* of the register */
    const char *feature; /* as the log says it */
    uint32_t number;
    uint64_t set, clear;
};

enum trial_id { TRIAL_BTS, TRIAL_LBR, TRIAL_BTF, TRIAL_PEBS, TRIALS };

static const struct trial trials[TRIALS] = {
    /* TR stays out of it: there is no DS save area yet that a record could go to (F1.4, F12.50). */
    [TRIAL_BTS] = {"IA32_DEBUGCTL", "BTS", IA32_DEBUGCTL, .set = DEBUGCTL_BTS | DEBUGCTL_BTINT,
                   .clear = DEBUGCTL_TR},
    [TRIAL_LBR] = {"IA32_DEBUGCTL", "LBR", IA32_DEBUGCTL, .set = DEBUGCTL_LBR},
    [TRIAL_BTF] = {"IA32_DEBUGCTL", "BTF", IA32_DEBUGCTL, .set = DEBUGCTL_BTF},
    [TRIAL_PEBS] = {"IA32_PEBS_ENABLE", "PEBS records", IA32_PEBS_ENABLE, .set = 1},
};

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

static struct findings all[PROCESSORS_MAX];

static struct findings *found(void)
{
    return &all[features_slot()];
}

struct trace_features *trace_features(void)
{
    return &found()->features;
}

static struct outcome *outcome_of(enum trial_id id)
{
    return &found()->outcomes[id];
}

void trace_features_only_read(void)
{
    only_reads = true;
}

/* Do the bits stick? Leaves the register as it was. */
static bool bits_stick(enum trial_id id)
{
    const struct trial *trial = &trials[id];
    struct outcome *outcome = outcome_of(id);
    uint64_t before = 0;

    outcome->tried = true;
    outcome->exception = rdmsr_safe(trial->number, &before);
    outcome->assumed = only_reads && !exception_happened(outcome->exception);
    if (only_reads || exception_happened(outcome->exception))
        return outcome->assumed;
    outcome->wrote = (before & ~trial->clear) | trial->set;
    outcome->exception = wrmsr_safe(trial->number, outcome->wrote);
    if (exception_happened(outcome->exception))
        return false;
    outcome->exception = rdmsr_safe(trial->number, &outcome->read);
    wrmsr_safe(trial->number, before);
    return !exception_happened(outcome->exception) && (outcome->read & trial->set) == trial->set;
}

static struct perfmon_own read_own(void)
{
    struct cpuid_result leaves[PERFMON_OWN_LEAVES];

    for (unsigned i = 0; i < PERFMON_OWN_LEAVES; i++)
        leaves[i] = insn_cpuid(LEAF_PERFMON_OWN, i);
    return perfmon_decode_own(leaves);
}

static void probe_structured(void)
{
    struct cpuid_result features[2] = {0};

    if (cpu_features()->identity.max_leaf >= LEAF_FEATURES)
        features[0] = insn_cpuid(LEAF_FEATURES, 0);
    if (features[0].eax >= 1)
        features[1] = insn_cpuid(LEAF_FEATURES, 1);
    trace_features()->architectural_lbr = features[0].edx & FEATURES_ARCHITECTURAL_LBR;
    trace_features()->counters_in_doubt =
        perfmon_is_in_doubt(features, cpu_features()->identity.max_leaf);
    if (trace_features()->perfmon.version &&
        perfmon_has_own(features, cpu_features()->identity.max_leaf))
        trace_features()->perfmon.own = read_own();
}

static void probe_numbered(void)
{
    /* A leaf above the highest one has another's data (F1.7). */
    if (cpu_features()->identity.max_leaf >= LEAF_PERFMON)
        trace_features()->perfmon = perfmon_decode(insn_cpuid(LEAF_PERFMON, 0));
    trace_features()->perf_capabilities_readable =
        feature_present(FEATURE_MSR) && feature_present(FEATURE_PDCM) &&
        !exception_happened(
            rdmsr_safe(IA32_PERF_CAPABILITIES, &trace_features()->perf_capabilities));
    FOR_EACH(row, capabilities)
        cpu_features()->present[row->feature] =
            trace_features()->perf_capabilities >> row->number & 1;
}

/* Nearly every test counts with PMC0: where others do, none counts. */
static bool first_counter_is_taken(void)
{
    return taken_counters() & 1;
}

static void probe_versions(void)
{
    FOR_EACH(row, versions)
        cpu_features()->present[row->feature] =
            trace_features()->perfmon.version >= row->number && !first_counter_is_taken();
}

static bool ds_facility_available(uint64_t unavailable_bit)
{
    return feature_present(FEATURE_DS) && cpu_features()->misc_enable_readable &&
           (cpu_features()->misc_enable & unavailable_bit) == 0;
}

static void probe_bts(void)
{
    cpu_features()->present[FEATURE_BTS] = ds_facility_available(MISC_ENABLE_BTS_UNAVAILABLE) &&
                                           !debugctl_other_layout() && bits_stick(TRIAL_BTS);
}

static const struct lbr_stack *stack_of_this(void)
{
    const struct cpu_identity *identity = &cpu_features()->identity;

    if (!feature_present(FEATURE_MSR) || !identity_is_intel(identity))
        return NULL;
    return lbr_stack_of(identity->family, identity->model);
}

/* KVM gives its guests an LBR stack, at times, and registers in the record's place that are 0. */
static void probe_ler(const struct lbr_stack *stack)
{
    struct exception *exception = &found()->ler_exception;
    uint64_t ignored;

    found()->ler_is_empty = identity_is_kvm(&cpu_features()->identity);
    *exception = rdmsr_safe(stack->ler_from, &ignored);
    if (!exception_happened(*exception))
        *exception = rdmsr_safe(stack->ler_to, &ignored);
    if (!exception_happened(*exception) && stack->ler_info)
        *exception = rdmsr_safe(stack->ler_info, &ignored);
    cpu_features()->present[FEATURE_LER] =
        !found()->ler_is_empty && !exception_happened(*exception);
}

static void probe_lbr_of_model(void)
{
    const struct lbr_stack *stack = stack_of_this();

    if (!stack || trace_features()->architectural_lbr || !bits_stick(TRIAL_LBR))
        return;
    cpu_features()->present[FEATURE_LBR_LEGACY] = true;
    cpu_features()->present[FEATURE_LBR_SELECT] = stack->has_select;
    probe_ler(stack);
}

static void probe_lbr(void)
{
    lbr_arch_probe(only_reads);
    if (feature_present(FEATURE_ARCH_LBR)) {
        cpu_features()->present[FEATURE_LBR_SELECT] =
            lbr_arch()->filters_rings && lbr_arch()->filters_kinds;
        probe_ler(lbr_arch_stack());
    } else {
        probe_lbr_of_model();
    }
    cpu_features()->present[FEATURE_LBR] =
        feature_present(FEATURE_ARCH_LBR) || feature_present(FEATURE_LBR_LEGACY);
}

/* AMD's register has BTF, too, but not the bits and the workloads that its tests use with it. */
static void probe_btf(void)
{
    cpu_features()->present[FEATURE_BTF] = feature_present(FEATURE_MSR) &&
                                           identity_is_intel(&cpu_features()->identity) &&
                                           bits_stick(TRIAL_BTF);
}

unsigned pebs_format(void)
{
    return trace_features()->perf_capabilities >> PERF_CAPABILITIES_PEBS_FORMAT_SHIFT & 15u;
}

/* A format that has groups and bits of its own in the controls, on a processor that denies them: a
 * hypervisor's (F21.31). What is stored then nothing says. */
static bool lacks_baseline(void)
{
    return pebs_format() >= PEBS_FORMAT_ADAPTIVE && pebs_format() < PEBS_FORMATS &&
           !(trace_features()->perf_capabilities & PERF_CAPABILITIES_PEBS_BASELINE);
}

static void probe_pebs(void)
{
    static const enum feature with_records[] = {FEATURE_PEBS_RECORDS, FEATURE_PEBS_EVENTING_IP,
                                                FEATURE_PEBS_TSC, FEATURE_PEBS_ADAPTIVE,
                                                FEATURE_PEBS_SNAPSHOT};
    unsigned format = pebs_format();

    for (size_t i = 0; i < sizeof(with_records) / sizeof(with_records[0]); i++)
        cpu_features()->present[with_records[i]] = false; /* probed again, where others took PMC0 */
    cpu_features()->present[FEATURE_PEBS] = ds_facility_available(MISC_ENABLE_PEBS_UNAVAILABLE) &&
                                            !pebs_unusable() && !pebs_microcode_wanted();
    if (!feature_present(FEATURE_PEBS) || !feature_present(FEATURE_PDCM) ||
        !feature_present(FEATURE_PERFMON2) || format >= PEBS_FORMATS || lacks_baseline() ||
        !bits_stick(TRIAL_PEBS))
        return;
    cpu_features()->present[FEATURE_PEBS_RECORDS] = true;
    cpu_features()->present[FEATURE_PEBS_EVENTING_IP] = format >= 2;
    cpu_features()->present[FEATURE_PEBS_TSC] = format >= 3;
    cpu_features()->present[FEATURE_PEBS_ADAPTIVE] = format >= PEBS_FORMAT_ADAPTIVE;
    cpu_features()->present[FEATURE_PEBS_SNAPSHOT] = format >= PEBS_FORMAT_COUNTERS;
}

static void probe_pebs_arch(void)
{
    uint64_t ignored;

    cpu_features()->present[FEATURE_PEBS_ARCH] =
        pebs_arch_enumerated() && feature_present(FEATURE_PERFMON2) &&
        !exception_happened(rdmsr_safe(IA32_PEBS_INDEX, &ignored));
}

static bool reads_0(uint32_t number)
{
    uint64_t value = 0;

    return !exception_happened(rdmsr_safe(number, &value)) && !value;
}

/* Before this kernel writes to any of them: what the firmware left, or RESET. */
static void look_at_counters(void)
{
    bool untouched = reads_0(IA32_FIXED_CTR_CTRL);

    PMU_EACH_GENERAL(i)
        untouched &= reads_0(pmu_select_register(i)) &&
                     reads_0(pmu_counter_register((struct counter){.number = i}));
    trace_features()->counters_untouched =
        untouched &&
        !exception_happened(rdmsr_safe(IA32_PERF_GLOBAL_CTRL, &trace_features()->control_found));
}

static void probe(void)
{
    probe_numbered();
    probe_structured();
    if (trace_features()->perfmon.version >= 2)
        look_at_counters();
    if (trace_features()->perfmon.version && !only_reads)
        taken_look();
    probe_versions();
    probe_bts();
    probe_lbr();
    probe_btf();
    probe_pebs();
    probe_pebs_arch();
}

bool trace_features_look_again(void)
{
    bool more = trace_features()->perfmon.version && taken_look();

    if (more) {
        probe_versions();
        probe_pebs();
        probe_pebs_arch();
    }
    return more;
}

static void explain_version(unsigned version, char *text, size_t size)
{
    char others[TAKEN_TEXT_SIZE];

    if (trace_features()->perfmon.version >= version) {
        format_string(text, size, "others use counters: %s", taken_describe(others, sizeof others));
        return;
    }
    format_string(text, size, "CPUID.0AH:EAX[7:0] (perfmon version) = %u, not %u or more",
                  trace_features()->perfmon.version, version);
}

static void explain_capability(const struct numbered *row, char *text, size_t size)
{
    if (!feature_present(FEATURE_PDCM))
        feature_missing_reason(FEATURE_PDCM, text, size);
    else if (!trace_features()->perf_capabilities_readable)
        format_string(text, size, "IA32_PERF_CAPABILITIES cannot be read");
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
}

/* Of one bit alone. */
static void explain_trial(enum trial_id id, char *text, size_t size)
{
    const struct outcome *outcome = outcome_of(id);
    unsigned bit = (unsigned)__builtin_ctzll(trials[id].set);

    if (exception_happened(outcome->exception))
        format_string(text, size, "%s: %s on setting bit %u", trials[id].name,
                      exception_name(outcome->exception), bit);
    else
        format_string(text, size, "%s drops bit %u", trials[id].name, bit);
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
    if (found()->ler_is_empty && !exception_happened(found()->ler_exception))
        format_string(text, size, "KVM keeps no last-exception record for its guests");
    else
        format_string(text, size, "%s on reading the last-exception record",
                      exception_name(found()->ler_exception));
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
    else if (lacks_baseline())
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
    if (feature == FEATURE_BTS)
        explain_bts(text, size);
    else if (feature == FEATURE_LBR || feature == FEATURE_LBR_LEGACY ||
             feature == FEATURE_LBR_SELECT || feature == FEATURE_LER)
        explain_lbr_part(feature, text, size);
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

static bool explain(enum feature feature, char *text, size_t size)
{
    FOR_EACH(row, versions)
        if (row->feature == feature)
            return explain_version(row->number, text, size), true;
    FOR_EACH(row, capabilities)
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
        format_append(text, size, "%s%s", between, trials[i].feature);
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

static void describe(char *text, size_t size)
{
    char others[TAKEN_TEXT_SIZE];

    describe_perfmon(text, size);
    if (taken_counters())
        format_append(text, size, "\nothers use counters, which are left alone: %s",
                      taken_describe(others, sizeof others));
    if (pebs_format() == PEBS_FORMAT_ARCH)
        format_append(text, size,
                      "\nPEBS: architectural (IA32_PERF_CAPABILITIES[11:8] = 15), "
                      "nothing of the DS save area is used for it");
    describe_assumed(text, size);
}

FEATURE_PROBER(trace_features_prober, probe, explain, describe);
