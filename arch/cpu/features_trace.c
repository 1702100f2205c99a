/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/features_trace.h"

#include "arch/cpu/identity.h"
#include "arch/cpu/lbr_stacks.h"
#include "arch/cpu/msr.h"

#define PEBS_FORMAT_HIGHEST 4 /* that this kernel reads (F3.40) */

/* What trying to set a bit gave. */
struct trial {
    const char *name; /* of the register; NULL: not tried */
    uint32_t number;
    uint64_t bit;
    struct exception exception;
    uint64_t read;
};

static struct trial lbr_trial, btf_trial, pebs_trial;
static struct exception ler_fault; /* of reading the last-exception record */
static bool ler_is_empty;          /* a hypervisor reads the registers as 0 */

static bool try_bit(struct trial *trial, const char *name, uint32_t number, uint64_t bit)
{
    uint64_t before = 0;

    *trial = (struct trial){.name = name, .number = number, .bit = bit};
    trial->exception = rdmsr_safe(number, &before);
    if (exception_happened(trial->exception))
        return false;
    trial->exception = wrmsr_safe(number, before | bit);
    if (exception_happened(trial->exception))
        return false;
    trial->exception = rdmsr_safe(number, &trial->read);
    wrmsr_safe(number, before);
    return !exception_happened(trial->exception) && trial->read & bit;
}

static const struct lbr_stack *stack_of_this(void)
{
    const struct cpu_identity *identity = &cpu_features.identity;

    if (!feature_present(FEATURE_MSR) || !identity_is_intel(identity))
        return NULL;
    return lbr_stack_of(identity->family, identity->model);
}

/* KVM gives its guests an LBR stack, at times, and registers in the record's place that are 0. */
static bool is_kvm(void)
{
    return __builtin_memcmp(cpu_features.identity.hypervisor, "KVMKVMKVM", 10) == 0;
}

static void probe_ler(const struct lbr_stack *stack)
{
    uint64_t ignored;

    ler_is_empty = is_kvm();
    ler_fault = rdmsr_safe(stack->ler_from, &ignored);
    if (!exception_happened(ler_fault))
        ler_fault = rdmsr_safe(stack->ler_to, &ignored);
    cpu_features.present[FEATURE_LER] = !ler_is_empty && !exception_happened(ler_fault);
}

static void probe_lbr(void)
{
    const struct lbr_stack *stack = stack_of_this();

    if (!stack || !try_bit(&lbr_trial, "IA32_DEBUGCTL", IA32_DEBUGCTL, DEBUGCTL_LBR))
        return;
    cpu_features.present[FEATURE_LBR] = true;
    cpu_features.present[FEATURE_LBR_SELECT] = stack->has_select;
    probe_ler(stack);
}

/* AMD's register has BTF, too, but not the bits and the workloads that its tests use with it. */
static void probe_btf(void)
{
    cpu_features.present[FEATURE_BTF] =
        feature_present(FEATURE_MSR) && identity_is_intel(&cpu_features.identity) &&
        try_bit(&btf_trial, "IA32_DEBUGCTL", IA32_DEBUGCTL, DEBUGCTL_BTF);
}

static unsigned pebs_format(void)
{
    return cpu_features.perf_capabilities >> PERF_CAPABILITIES_PEBS_FORMAT_SHIFT & 15u;
}

static void probe_pebs(void)
{
    unsigned format = pebs_format();

    if (!feature_present(FEATURE_PEBS) || !feature_present(FEATURE_PDCM) ||
        !feature_present(FEATURE_PERFMON2) || format > PEBS_FORMAT_HIGHEST ||
        !try_bit(&pebs_trial, "IA32_PEBS_ENABLE", IA32_PEBS_ENABLE, 1))
        return;
    cpu_features.present[FEATURE_PEBS_RECORDS] = true;
    cpu_features.present[FEATURE_PEBS_EVENTING_IP] = format >= 2; /* F3.44 */
    cpu_features.present[FEATURE_PEBS_TSC] = format >= 3;         /* F3.45 */
    cpu_features.present[FEATURE_PEBS_ADAPTIVE] = format == 4;    /* F3.46 */
}

void features_trace_probe(void)
{
    probe_lbr();
    probe_btf();
    probe_pebs();
}

static void explain_trial(struct text *text, const struct trial *trial)
{
    text_add(text, trial->name);
    if (exception_happened(trial->exception)) {
        text_add(text, ": ");
        text_add(text, exception_name(trial->exception));
        text_add(text, " on setting bit ");
    } else {
        text_add(text, " drops bit ");
    }
    text_add_decimal(text, (uint64_t)__builtin_ctzll(trial->bit));
}

static void explain_lbr(struct text *text)
{
    const struct cpu_identity *identity = &cpu_features.identity;

    if (lbr_trial.name) {
        explain_trial(text, &lbr_trial);
        return;
    }
    text_add(text, "no LBR stack is known for ");
    text_add(text, identity->vendor);
    text_add(text, " family ");
    text_add_hex(text, identity->family, 2);
    text_add(text, "H model ");
    text_add_hex(text, identity->model, 2);
    text_add(text, "H");
}

static void explain_btf(struct text *text)
{
    if (btf_trial.name) {
        explain_trial(text, &btf_trial);
    } else if (!feature_present(FEATURE_MSR)) {
        text_add(text, "CPUID.01H:EDX[5].MSR = 0");
    } else {
        text_add(text, "IA32_DEBUGCTL.BTF is tested on GenuineIntel alone; CPUID.0H says ");
        text_add(text, cpu_features.identity.vendor);
    }
}

static void explain_ler(struct text *text)
{
    if (ler_is_empty && !exception_happened(ler_fault)) {
        text_add(text, "KVM keeps no last-exception record for its guests");
        return;
    }
    text_add(text, exception_name(ler_fault));
    text_add(text, " on reading the last-exception record");
}

static void explain_pebs_format(struct text *text)
{
    text_add(text, "IA32_PERF_CAPABILITIES[11:8] (PEBS record format) = ");
    text_add_decimal(text, pebs_format());
}

static bool explain_pebs(struct text *text)
{
    if (!feature_present(FEATURE_PEBS))
        return false;
    if (!feature_present(FEATURE_PDCM))
        text_add(text, "CPUID.01H:ECX[15].PDCM = 0: the PEBS record format is not enumerated");
    else if (!feature_present(FEATURE_PERFMON2))
        text_add(text, "no IA32_PERF_GLOBAL_CTRL to start and stop PEBS counters with "
                       "(perfmon version below 2)");
    else if (pebs_trial.name)
        explain_trial(text, &pebs_trial);
    else
        explain_pebs_format(text);
    return true;
}

bool features_trace_explain(struct text *text, enum feature feature)
{
    if (feature == FEATURE_LBR_SELECT && feature_present(FEATURE_LBR))
        text_add(text, "this family and model has no MSR_LBR_SELECT");
    else if (feature == FEATURE_LER && feature_present(FEATURE_LBR))
        explain_ler(text);
    else if (feature == FEATURE_LBR || feature == FEATURE_LBR_SELECT || feature == FEATURE_LER)
        explain_lbr(text);
    else if (feature == FEATURE_BTF)
        explain_btf(text);
    else if (feature_present(FEATURE_PEBS_RECORDS))
        explain_pebs_format(text);
    else
        return explain_pebs(text);
    return true;
}
