/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/debugctl.h"

#include "arch/lib/printf.h"

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
