/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/apic_off_risk.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/apic/smi.h"
#include "kernel/machine/smis.h"

static bool stands_still(void)
{
    static bool was_asked, found;

    if (!was_asked)
        found = smi_gap_look() > 0;
    was_asked = true;
    return found;
}

static bool smis_come(void)
{
    enum firmware_smis smis = firmware_smis();

    return smis == SMIS_COME || (smis == SMIS_NOT_COUNTED && stands_still());
}

const char *apic_off_risk(void)
{
    if (feature_present(FEATURE_HYPERVISOR) || smi_is_allowed_everywhere())
        return NULL;
    if (firmware_lvt(0) != NULL)
        return "the firmware has an interrupt raise SMIs, for which it may need the local APIC; "
               "smi=allow switches it off";
    return smis_come()
               ? "the firmware raises SMIs by itself, for which it may need the local APIC; "
                 "smi=allow switches it off"
               : NULL;
}

bool apic_may_go_off(struct test_context *t)
{
    const char *why = apic_off_risk();

    if (why != NULL)
        test_skip(t, "%s", why);
    return why == NULL;
}
