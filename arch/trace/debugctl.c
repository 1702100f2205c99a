/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/debugctl.h"

#include "arch/cpu/identity/identity.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "arch/trace/lbr_arch.h"

#define FAMILY_NETBURST 0x0fu

struct debugctl_bit {
    uint64_t mask;
    const char *name;
};

static const struct debugctl_bit bits[] = {
    {DEBUGCTL_LBR, "LBR"},
    {DEBUGCTL_BTF, "BTF"},
    {DEBUGCTL_BUS_LOCK_DETECT, "BUS_LOCK_DETECT"},
    {DEBUGCTL_TR, "TR"},
    {DEBUGCTL_BTS, "BTS"},
    {DEBUGCTL_BTINT, "BTINT"},
    {DEBUGCTL_BTS_OFF_OS, "BTS_OFF_OS"},
    {DEBUGCTL_BTS_OFF_USR, "BTS_OFF_USR"},
    {DEBUGCTL_FREEZE_LBRS_ON_PMI, "FREEZE_LBRS_ON_PMI"},
    {DEBUGCTL_FREEZE_PERFMON_ON_PMI, "FREEZE_PERFMON_ON_PMI"},
    {DEBUGCTL_FREEZE_WHILE_SMM, "FREEZE_WHILE_SMM"},
    {DEBUGCTL_RTM, "RTM_DEBUG"},
};

const char *debugctl_other_layout(void)
{
    const struct cpu_identity *identity = &cpu_features()->identity;

    /* NetBurst has TR, BTS and BTINT in bits 2 to 4 (F2.20). */
    if (identity->family == FAMILY_NETBURST && identity_is_intel(identity))
        return "family 0FH keeps BTS in MSR_DEBUGCTLA, at other bits";
    return NULL;
}

uint64_t debugctl_not_lent(void)
{
    return trace_features()->debugctl_not_lent;
}

static uint64_t promised(void)
{
    uint64_t mask = DEBUGCTL_BTF;

    /* Bit 0 itself does nothing where LBRs are architectural (F1.16). */
    if (!trace_features()->architectural_lbr || feature_present(FEATURE_ARCH_LBR))
        mask |= DEBUGCTL_LBR;
    if (debugctl_other_layout())
        return mask;
    mask |= DEBUGCTL_TR;
    if (feature_present(FEATURE_DS) && !(cpu_features()->misc_enable & MISC_ENABLE_BTS_UNAVAILABLE))
        mask |= DEBUGCTL_BTS | DEBUGCTL_BTINT;
    if (feature_present(FEATURE_DS_CPL))
        mask |= DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR;
    /* F2.2: the freeze bits want both, the SMM bit only its capability. */
    if (feature_present(FEATURE_PDCM) && trace_features()->perfmon.version >= 2)
        mask |= DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (feature_present(FEATURE_BUS_LOCK_DETECT))
        mask |= DEBUGCTL_BUS_LOCK_DETECT;
    if (feature_present(FEATURE_FREEZE_WHILE_SMM))
        mask |= DEBUGCTL_FREEZE_WHILE_SMM;
    return mask;
}

uint64_t debugctl_enumerated(void)
{
    return promised() & ~debugctl_not_lent();
}

bool debugctl_exists(void)
{
    uint64_t ignored;

    return feature_present(FEATURE_MSR) && !exception_happened(rdmsr_safe(IA32_DEBUGCTL, &ignored));
}

uint64_t debugctl_itself(uint64_t value)
{
    return feature_present(FEATURE_ARCH_LBR) ? value & ~(uint64_t)DEBUGCTL_LBR : value;
}

uint64_t debugctl_lbr_control(uint64_t value)
{
    return feature_present(FEATURE_ARCH_LBR) && value & DEBUGCTL_LBR ? lbr_arch_control(true) : 0;
}

uint64_t debugctl_with_lbr(uint64_t itself, uint64_t lbr_control)
{
    return debugctl_itself(itself) | (lbr_control & LBR_CTL_LBREN ? DEBUGCTL_LBR : 0);
}

uint64_t debugctl_read(void)
{
    uint64_t value = 0;

    if (!feature_present(FEATURE_MSR))
        return 0;
    rdmsr_safe(IA32_DEBUGCTL, &value);
    return debugctl_with_lbr(value, lbr_arch_read_control());
}

/* What records goes on last and off first. */
static struct exception write_both(uint64_t value)
{
    bool on = value & DEBUGCTL_LBR;
    struct exception exception;

    if (!on)
        wrmsr_safe(IA32_LBR_CTL, lbr_arch_control(false));
    exception = wrmsr_safe(IA32_DEBUGCTL, debugctl_itself(value));
    if (on && !exception_happened(exception))
        exception = wrmsr_safe(IA32_LBR_CTL, lbr_arch_control(true));
    return exception;
}

struct exception debugctl_write_safe(uint64_t value)
{
    if (feature_present(FEATURE_ARCH_LBR))
        return write_both(value);
    return wrmsr_safe(IA32_DEBUGCTL, value);
}

void debugctl_clear(void)
{
    if (debugctl_read())
        debugctl_write_safe(0);
}

char *debugctl_format(uint64_t value, char *text, size_t size)
{
    if (size > 0)
        *text = '\0';
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (value & bits[i].mask)
            format_append(text, size, " %s", bits[i].name);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        value &= ~bits[i].mask;
    for (unsigned bit = 0; bit < 64; bit++)
        if (value >> bit & 1)
            format_append(text, size, " bit %u", bit);
    if (size > 0 && *text == '\0')
        format_append(text, size, " 0");
    return text + (size > 1);
}
