/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/debugctl.h"

#include "arch/cpu/features.h"
#include "arch/cpu/identity.h"

struct debugctl_bit {
    uint64_t mask;
    const char *name;
};

static const struct debugctl_bit bits[] = {
    {DEBUGCTL_LBR, "LBR"},
    {DEBUGCTL_BTF, "BTF"},
    {DEBUGCTL_TR, "TR"},
    {DEBUGCTL_BTS, "BTS"},
    {DEBUGCTL_BTINT, "BTINT"},
    {DEBUGCTL_BTS_OFF_OS, "BTS_OFF_OS"},
    {DEBUGCTL_BTS_OFF_USR, "BTS_OFF_USR"},
    {DEBUGCTL_FREEZE_LBRS_ON_PMI, "FREEZE_LBRS_ON_PMI"},
    {DEBUGCTL_FREEZE_PERFMON_ON_PMI, "FREEZE_PERFMON_ON_PMI"},
    {DEBUGCTL_FREEZE_WHILE_SMM, "FREEZE_WHILE_SMM"},
};

uint64_t debugctl_enumerated(void)
{
    uint64_t mask = DEBUGCTL_LBR | DEBUGCTL_BTF;

    if (identity_other_debugctl(&cpu_features.identity))
        return mask;
    mask |= DEBUGCTL_TR;
    if (feature_present(FEATURE_DS) && !(cpu_features.misc_enable & MISC_ENABLE_BTS_UNAVAILABLE))
        mask |= DEBUGCTL_BTS | DEBUGCTL_BTINT;
    if (feature_present(FEATURE_DS_CPL))
        mask |= DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR;
    /* F2.2: the freeze bits want both, the SMM bit only its capability. */
    if (feature_present(FEATURE_PDCM) && feature_present(FEATURE_PERFMON2))
        mask |= DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (feature_present(FEATURE_FREEZE_WHILE_SMM))
        mask |= DEBUGCTL_FREEZE_WHILE_SMM;
    return mask;
}

bool debugctl_exists(void)
{
    uint64_t ignored;

    return feature_present(FEATURE_MSR) && !exception_happened(rdmsr_safe(IA32_DEBUGCTL, &ignored));
}

uint64_t debugctl_read(void)
{
    uint64_t value = 0;

    if (!feature_present(FEATURE_MSR))
        return 0;
    rdmsr_safe(IA32_DEBUGCTL, &value);
    return value;
}

struct exception debugctl_write_safe(uint64_t value)
{
    return wrmsr_safe(IA32_DEBUGCTL, value);
}

void debugctl_clear(void)
{
    if (debugctl_read())
        debugctl_write_safe(0);
}

static char *append(char *to, char *end, const char *text)
{
    while (*text && to + 1 < end)
        *to++ = *text++;
    *to = '\0';
    return to;
}

static char *append_unnamed(char *to, char *end, uint64_t value)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        char number[3] = {(char)('0' + bit / 10), (char)('0' + bit % 10), '\0'};

        if (!(value >> bit & 1))
            continue;
        to = append(to, end, " bit ");
        to = append(to, end, bit < 10 ? number + 1 : number);
    }
    return to;
}

char *debugctl_format(uint64_t value, char *text, size_t size)
{
    char *to = text, *end = text + size;

    if (size == 0)
        return text;
    *to = '\0';
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        if (!(value & bits[i].mask))
            continue;
        to = append(to, end, " ");
        to = append(to, end, bits[i].name);
        value &= ~bits[i].mask;
    }
    to = append_unnamed(to, end, value);
    if (to == text)
        append(to, end, " 0");
    return text + 1;
}
