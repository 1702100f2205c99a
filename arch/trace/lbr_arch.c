/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr_arch.h"

#include "arch/lib/printf.h"
#include "arch/trace/features_found.h"
#include "arch/trace/trace_state.h"

#define LEAF 0x1cu

uint32_t lbr_switch = IA32_DEBUGCTL;

/* Of each processor. */
static struct own {
    struct lbr_leaf leaf;
    struct exception refused; /* what the registers raised, if anything */
    uint64_t wrote, found;    /* of IA32_LBR_CTL, where LBREn did not stick */
} all[PROCESSORS_MAX];

static struct own *own(void)
{
    return &all[features_slot()];
}

/* A leaf above the highest one has another's data: two conditions (F20.1). */
const struct lbr_leaf *lbr_arch(void)
{
    bool there = trace_features()->architectural_lbr && cpu_features()->identity.max_leaf >= LEAF;

    return there ? &own()->leaf : NULL;
}

uint64_t lbr_arch_info(void)
{
    return lbr_leaf_info(lbr_arch(), feature_present(FEATURE_RTM));
}

uint64_t lbr_arch_last_exception_info(void)
{
    return lbr_leaf_last_exception_info(lbr_arch(), feature_present(FEATURE_RTM));
}

const struct lbr_stack *lbr_arch_stack(void)
{
    static const struct lbr_stack stack = {
        .architectural = true,
        .depth = LBR_DEPTH_MAX,
        .has_select = true,
        .from = LBR_STACK_ARCH_FROM,
        .to = LBR_STACK_ARCH_TO,
        .info = LBR_STACK_ARCH_INFO,
        .top_of_stack = IA32_LBR_DEPTH,
        .ler_from = IA32_LER_FROM_IP,
        .ler_to = IA32_LER_TO_IP,
        .ler_info = IA32_LER_INFO,
    };

    return &stack;
}

/* --- probing --- */

/* Writes LBREn alone, which records nothing (F20.14), and the largest depth. */
static bool answers_writes(void)
{
    own()->wrote = LBR_CTL_LBREN;
    own()->refused = wrmsr_safe(IA32_LBR_DEPTH, lbr_leaf_largest(&own()->leaf));
    if (!exception_happened(own()->refused))
        own()->refused = wrmsr_safe(IA32_LBR_CTL, own()->wrote);
    if (exception_happened(own()->refused))
        return false;
    own()->refused = rdmsr_safe(IA32_LBR_CTL, &own()->found);
    wrmsr_safe(IA32_LBR_CTL, 0);
    return !exception_happened(own()->refused) && own()->found == own()->wrote;
}

static bool registers_answer(bool only_reads)
{
    uint64_t ignored;

    own()->refused = rdmsr_safe(IA32_LBR_CTL, &ignored);
    if (!exception_happened(own()->refused))
        own()->refused = rdmsr_safe(IA32_LBR_DEPTH, &ignored);
    return !exception_happened(own()->refused) && (only_reads || answers_writes());
}

void lbr_arch_probe(bool only_reads)
{
    bool there;

    if (lbr_arch())
        own()->leaf = lbr_leaf_decode(insn_cpuid(LEAF, 0));
    there = lbr_arch() && feature_present(FEATURE_MSR) && lbr_leaf_largest(&own()->leaf) &&
            registers_answer(only_reads);
    cpu_features()->present[FEATURE_ARCH_LBR] = there;
    cpu_features()->present[FEATURE_LBR_CALL_STACK] = there && own()->leaf.has_call_stack;
    lbr_switch = there ? IA32_LBR_CTL : IA32_DEBUGCTL;
}

static void explain_arch(char *text, size_t size)
{
    if (!trace_features()->architectural_lbr)
        format_string(text, size, "CPUID.07H.0:EDX[19] = 0");
    else if (!lbr_arch())
        format_string(text, size, "CPUID.07H.0:EDX[19] = 1, but the highest leaf is %02XH",
                      cpu_features()->identity.max_leaf);
    else if (exception_happened(own()->refused))
        format_string(text, size, "%s on IA32_LBR_CTL or IA32_LBR_DEPTH, although CPUID has them",
                      exception_name(own()->refused));
    else if (!lbr_leaf_largest(&own()->leaf))
        format_string(text, size, "CPUID.1CH:EAX[7:0] (depths) = %#x", own()->leaf.depths);
    else
        format_string(text, size, "IA32_LBR_CTL: wrote %#lx, reads %#lx", own()->wrote,
                      own()->found);
    if (lbr_arch())
        trace_explain_lending(text, size);
}

static bool explain(enum feature feature, char *text, size_t size)
{
    if (feature != FEATURE_ARCH_LBR && feature != FEATURE_LBR_CALL_STACK)
        return false;
    if (feature_present(FEATURE_ARCH_LBR))
        format_string(text, size, "CPUID.1CH:EBX[2] (call-stack mode) = 0");
    else
        explain_arch(text, size);
    return true;
}

static void describe(char *text, size_t size)
{
    if (feature_present(FEATURE_ARCH_LBR))
        format_string(text, size, "architectural LBRs: up to %u, %s addresses",
                      lbr_leaf_largest(&own()->leaf), own()->leaf.linear ? "linear" : "effective");
}

FEATURE_PROBER(lbr_arch_prober, NULL, explain, describe);

/* --- the registers --- */

unsigned lbr_arch_depth(void)
{
    uint64_t depth = 0;

    rdmsr_safe(IA32_LBR_DEPTH, &depth);
    return lbr_leaf_has_depth(&own()->leaf, depth) ? (unsigned)depth
                                                   : lbr_leaf_smallest(&own()->leaf);
}

struct exception lbr_arch_set_depth(unsigned depth)
{
    trace_state()->lbr_depth = depth;
    return wrmsr_safe(IA32_LBR_DEPTH, depth ? depth : lbr_leaf_largest(&own()->leaf));
}

uint64_t lbr_arch_control(bool on)
{
    return lbr_leaf_filter(&own()->leaf, trace_state()->lbr_left_out) | (on ? LBR_CTL_LBREN : 0);
}

uint64_t lbr_arch_read_control(void)
{
    uint64_t control = 0;

    if (feature_present(FEATURE_ARCH_LBR))
        rdmsr_safe(IA32_LBR_CTL, &control);
    return control;
}
