/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which boards is a local APIC not switched off? */
#include "tests/run/apic_off_risk.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/apic/smi.h"
#include "kernel/machine/smis.h"
#include "tests/host/unit/check.h"

static enum firmware_smis smis;
static bool is_allowed, is_left, was_skipped;
static unsigned gaps, watches;

enum firmware_smis firmware_smis(void)
{
    return smis;
}

bool smi_is_allowed_everywhere(void)
{
    return is_allowed;
}

const struct firmware_lvt *firmware_lvt(size_t number)
{
    static const struct firmware_lvt one = {"local APIC entry", 0x330, 0x200};

    return is_left && number == 0 ? &one : NULL;
}

uint32_t smi_gap_look(void)
{
    watches++;
    return gaps;
}

void test_skip(struct test_context *t, const char *format, ...)
{
    (void)t, (void)format;
    was_skipped = true;
}

static void expect(const char *begins)
{
    const char *why = apic_off_risk();

    CHECK((why == NULL) == (begins == NULL), "%s", why ? why : "goes on");
    CHECK(why == NULL || strncmp(why, begins, strlen(begins)) == 0, "%s", why);
    was_skipped = false;
    CHECK(apic_may_go_off(NULL) == (begins == NULL) && was_skipped == (begins != NULL), "skip");
}

int main(void)
{
    expect(NULL);
    smis = SMIS_COME;
    expect("the firmware raises SMIs by itself");
    is_allowed = true;
    expect(NULL);
    is_allowed = false;
    cpu_features()->present[FEATURE_HYPERVISOR] = true;
    expect(NULL);
    cpu_features()->present[FEATURE_HYPERVISOR] = false;
    smis = SMIS_NONE;
    is_left = true;
    expect("the firmware has an interrupt raise SMIs");
    is_left = false;
    CHECK(watches == 0, "they are counted");
    smis = SMIS_NOT_COUNTED;
    gaps = 2;
    expect("the firmware raises SMIs by itself");
    CHECK(watches == 1, "%u seconds", watches);
    return check_result();
}
