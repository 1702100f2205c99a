/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which facilities are there, asked of each of them once. */
#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features_found.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/foreign_counters.h"

#define LEAF_PERFMON               0x0au
#define LEAF_FEATURES              0x07u
#define LEAF_PERFMON_OWN           0x23u
#define NOT_CANONICAL              (1ull << 63)
#define SOME_ADDRESS               0x1000u
#define FEATURES_ARCHITECTURAL_LBR (1u << 19) /* EDX (F20.1) */

static struct findings all[PROCESSORS_MAX];

struct findings *trace_findings(void)
{
    return &all[features_slot()];
}

struct trace_features *trace_features(void)
{
    return &trace_findings()->features;
}

const struct numbered trace_versions[] = {
    {FEATURE_PERFMON, 1}, {FEATURE_PERFMON2, 2}, {FEATURE_PERFMON4, 4}, {FEATURE_PERFMON6, 6}, {},
};

const struct numbered trace_capabilities[] = {
    {FEATURE_FREEZE_WHILE_SMM, 12},
    {FEATURE_FULL_WIDTH_WRITES, 13},
    {FEATURE_PERF_METRICS, 15},
    {},
};

static bool only_reads;

const struct trial trace_trials[TRIALS] = {
    [TRIAL_DS] = {"IA32_DS_AREA", FEATURE_DS, IA32_DS_AREA, .set = SOME_ADDRESS},
    [TRIAL_COUNTERS] = {"IA32_PERFEVTSEL0", FEATURE_PERFMON, IA32_PERFEVTSEL0,
                        .set = PERFEVTSEL_USR},
    /* TR stays out of it: there is no DS save area yet that a record could go to (F1.4, F12.50). */
    [TRIAL_BTS] = {"IA32_DEBUGCTL", FEATURE_BTS, IA32_DEBUGCTL,
                   .set = DEBUGCTL_BTS | DEBUGCTL_BTINT, .clear = DEBUGCTL_TR,
                   .companions = DEBUGCTL_TR | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR},
    [TRIAL_LBR] = {"IA32_DEBUGCTL", FEATURE_LBR, IA32_DEBUGCTL, .set = DEBUGCTL_LBR},
    [TRIAL_BTF] = {"IA32_DEBUGCTL", FEATURE_BTF, IA32_DEBUGCTL, .set = DEBUGCTL_BTF},
    [TRIAL_PEBS] = {"IA32_PEBS_ENABLE", FEATURE_PEBS_RECORDS, IA32_PEBS_ENABLE, .set = 1},
    [TRIAL_FREEZE] = {"IA32_DEBUGCTL", FEATURE_FREEZE, IA32_DEBUGCTL,
                      .set = DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI},
    [TRIAL_FREEZE_WHILE_SMM] = {"IA32_DEBUGCTL", FEATURE_FREEZE_WHILE_SMM, IA32_DEBUGCTL,
                                .set = DEBUGCTL_FREEZE_WHILE_SMM},
};

void trace_features_only_read(void)
{
    only_reads = true;
}

static bool is_guest(void)
{
    return identity_is_somebodys_guest(&cpu_features()->identity);
}

/* Leaves the register as it was. */
static bool try_bits(enum trial_id id)
{
    const struct trial *trial = &trace_trials[id];
    struct outcome *outcome = &trace_findings()->outcomes[id];
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

/* Do they stick? Under a hypervisor what is enumerated may have nothing behind it. */
static bool bits_stick(enum trial_id id)
{
    const struct trial *trial = &trace_trials[id];
    bool stick = try_bits(id);

    if (!stick && trial->number == IA32_DEBUGCTL && is_guest())
        trace_features()->debugctl_not_lent |= trial->set | trial->companions;
    return stick;
}

/* On a board what is enumerated must be there: what is not fails its tests. */
static bool is_lent(enum trial_id id)
{
    return !is_guest() || bits_stick(id);
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

/* A leaf above the highest one has another's data (F1.7); the event codes of other vendors'
 * counters are not Intel's. */
static bool leaf_of_counters_holds(const struct cpu_identity *identity)
{
    return identity_is_intel(identity) && identity->max_leaf >= LEAF_PERFMON;
}

static void probe_perfmon(void)
{
    trace_features()->perfmon = (struct perfmon_identity){0};
    if (leaf_of_counters_holds(&cpu_features()->identity))
        trace_features()->perfmon = perfmon_decode(insn_cpuid(LEAF_PERFMON, 0));
    if (trace_features()->perfmon.version && !is_lent(TRIAL_COUNTERS))
        trace_features()->perfmon = (struct perfmon_identity){0};
}

static void probe_numbered(void)
{
    probe_perfmon();
    trace_features()->perf_capabilities_readable =
        feature_present(FEATURE_MSR) && feature_present(FEATURE_PDCM) &&
        !exception_happened(
            rdmsr_safe(IA32_PERF_CAPABILITIES, &trace_features()->perf_capabilities));
    FOR_EACH(row, trace_capabilities)
        cpu_features()->present[row->feature] =
            trace_features()->perf_capabilities >> row->number & 1;
}

/* Nearly every test counts with PMC0: where others do, none counts. */
static bool first_counter_is_taken(void)
{
    return foreign_counters() & 1;
}

static void probe_versions(void)
{
    FOR_EACH(row, trace_versions)
        cpu_features()->present[row->feature] =
            trace_features()->perfmon.version >= row->number && !first_counter_is_taken();
}

static bool ds_facility_available(uint64_t unavailable_bit)
{
    return feature_present(FEATURE_DS) && cpu_features()->misc_enable_readable &&
           (cpu_features()->misc_enable & unavailable_bit) == 0;
}

static void probe_freezes(void)
{
    bool *present = cpu_features()->present;

    present[FEATURE_FREEZE] =
        present[FEATURE_PDCM] && present[FEATURE_PERFMON2] && is_lent(TRIAL_FREEZE);
    if (present[FEATURE_FREEZE_WHILE_SMM])
        present[FEATURE_FREEZE_WHILE_SMM] = is_lent(TRIAL_FREEZE_WHILE_SMM);
}

static void probe_bts(void)
{
    cpu_features()->present[FEATURE_BTS] = ds_facility_available(MISC_ENABLE_BTS_UNAVAILABLE) &&
                                           !debugctl_other_layout() && bits_stick(TRIAL_BTS);
}

/* Some hypervisors lend an LBR stack, and registers in the record's place that are always 0: so
 * they are behind an exception, too. */
static bool keeps_no_record(const struct lbr_stack *stack)
{
    uint64_t from = 0;
    uint8_t ignored;

    if (!is_guest() || only_reads)
        return false;
    debugctl_write_safe(DEBUGCTL_LBR);
    probe_read((const void *)NOT_CANONICAL, &ignored);
    debugctl_clear();
    rdmsr_safe(stack->ler_from, &from);
    return !from;
}

static void probe_ler(const struct lbr_stack *stack)
{
    struct exception *exception = &trace_findings()->ler_exception;
    uint64_t ignored;

    *exception = rdmsr_safe(stack->ler_from, &ignored);
    if (!exception_happened(*exception))
        *exception = rdmsr_safe(stack->ler_to, &ignored);
    if (!exception_happened(*exception) && stack->ler_info)
        *exception = rdmsr_safe(stack->ler_info, &ignored);
    trace_findings()->ler_is_empty = !exception_happened(*exception) && keeps_no_record(stack);
    cpu_features()->present[FEATURE_LER] =
        !trace_findings()->ler_is_empty && !exception_happened(*exception);
}

static void probe_lbr_of_model(void)
{
    const struct lbr_stack *stack = lbr_stack_of(&cpu_features()->identity);

    if (!stack || !feature_present(FEATURE_MSR) || trace_features()->architectural_lbr ||
        !bits_stick(TRIAL_LBR))
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

static bool was_tried(enum feature feature)
{
    const struct findings *found = trace_findings();

    if (feature == FEATURE_ARCH_LBR)
        return lbr_arch();
    if (feature == FEATURE_LER)
        return found->ler_is_empty || exception_happened(found->ler_exception);
    for (enum trial_id id = 0; id < TRIALS; id++)
        if (trace_trials[id].feature == feature)
            return found->outcomes[id].tried;
    return false;
}

bool trace_not_lent(enum feature feature)
{
    return is_guest() && !feature_present(feature) && was_tried(feature);
}

unsigned pebs_format(void)
{
    return trace_features()->perf_capabilities >> PERF_CAPABILITIES_PEBS_FORMAT_SHIFT & 15u;
}

bool trace_lacks_baseline(void)
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
        !feature_present(FEATURE_PERFMON2) || format >= PEBS_FORMATS || trace_lacks_baseline() ||
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

/* Without its area nothing of BTS is lent. */
static void probe_ds(void)
{
    if (!feature_present(FEATURE_DS) || is_lent(TRIAL_DS))
        return;
    cpu_features()->present[FEATURE_DS] = false;
    trace_features()->debugctl_not_lent |=
        trace_trials[TRIAL_BTS].set | trace_trials[TRIAL_BTS].companions;
}

static void probe(void)
{
    probe_ds();
    probe_numbered();
    probe_structured();
    if (trace_features()->perfmon.version >= 2)
        look_at_counters();
    if (trace_features()->perfmon.version && !only_reads)
        foreign_counters_look();
    probe_versions();
    probe_freezes();
    probe_bts();
    probe_lbr();
    probe_btf();
    probe_pebs();
    probe_pebs_arch();
}

bool trace_features_look_again(void)
{
    bool more = trace_features()->perfmon.version && foreign_counters_look();

    if (more) {
        probe_versions();
        probe_freezes();
        probe_pebs();
        probe_pebs_arch();
    }
    return more;
}

FEATURE_PROBER(trace_features_prober, probe, trace_explain, trace_describe);
