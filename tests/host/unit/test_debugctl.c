/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bits of IA32_DEBUGCTL does the enumeration promise, and what are their names? */
#include "arch/trace/debugctl.h"

#include "arch/cpu/identity/features.h"
#include "arch/trace/features.h"
#include "arch/trace/lbr_arch.h"
#include "check.h"

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    (void)number;
    *value = 0;
    return (struct exception){.vector = EXCEPTION_NO_VECTOR};
}

struct exception wrmsr_safe(uint32_t number, uint64_t value)
{
    (void)number, (void)value;
    return (struct exception){.vector = EXCEPTION_NO_VECTOR};
}

uint64_t lbr_arch_control(bool on)
{
    return LBR_CTL_KINDS | LBR_CTL_RINGS | (on ? LBR_CTL_LBREN : 0);
}

uint64_t lbr_arch_read_control(void)
{
    return 0;
}

static void test_enumerated(void)
{
    cpu_features()->identity.family = 6;
    CHECK(debugctl_enumerated() == (DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR), "without DS");
    cpu_features()->present[FEATURE_DS] = cpu_features()->present[FEATURE_DS_CPL] = true;
    CHECK((debugctl_enumerated() & DEBUGCTL_TABLE_17_6) == DEBUGCTL_TABLE_17_6, "DS, DS-CPL");
    cpu_features()->misc_enable = MISC_ENABLE_BTS_UNAVAILABLE;
    CHECK(!(debugctl_enumerated() & DEBUGCTL_BTS), "BTS is unavailable");
    cpu_features()->identity.family = 0xf;
    CHECK(debugctl_enumerated() == (DEBUGCTL_LBR | DEBUGCTL_BTF), "NetBurst");
}

/* F1.3, F2.23: base family 0FH with an extended one is no NetBurst. */
static void test_families(void)
{
    static const uint8_t families[] = {6, 18, 19};

    for (size_t i = 0; i < sizeof families; i++) {
        cpu_features()->identity.family = families[i];
        CHECK(!debugctl_other_layout() && debugctl_enumerated() & DEBUGCTL_TR, "family %u",
              families[i]);
    }
    cpu_features()->identity.family = 0xf;
    CHECK(debugctl_other_layout(), "NetBurst");
}

static void test_bus_lock_detect(void)
{
    cpu_features()->identity.family = 6;
    CHECK(!(debugctl_enumerated() & DEBUGCTL_BUS_LOCK_DETECT), "not enumerated");
    cpu_features()->present[FEATURE_BUS_LOCK_DETECT] = true;
    CHECK(debugctl_enumerated() & DEBUGCTL_BUS_LOCK_DETECT, "CPUID.07H.0:ECX[24]");
    cpu_features()->present[FEATURE_BUS_LOCK_DETECT] = false;
}

/* F1.16: bit 0 is not what enables them. */
static void test_architectural_lbr(void)
{
    char text[64];

    cpu_features()->identity.family = 6;
    trace_features()->architectural_lbr = true;
    CHECK(!(debugctl_enumerated() & DEBUGCTL_LBR), "LBR");
    CHECK(debugctl_enumerated() & DEBUGCTL_BTF, "BTF is still there");
    CHECK_TEXT(debugctl_format(DEBUGCTL_LBR | 1u << 13, text, sizeof text), "LBR bit 13");
    CHECK(debugctl_itself(DEBUGCTL_LBR) == DEBUGCTL_LBR, "what is not found has no switch");
    cpu_features()->present[FEATURE_ARCH_LBR] = true;
    CHECK(debugctl_enumerated() & DEBUGCTL_LBR, "the switch of the architectural ones");
    CHECK(debugctl_itself(DEBUGCTL_LBR | DEBUGCTL_TR) == DEBUGCTL_TR, "the register itself");
    CHECK(debugctl_lbr_control(DEBUGCTL_LBR) & LBR_CTL_LBREN, "on");
    CHECK(debugctl_lbr_control(DEBUGCTL_TR) == 0, "nothing to write");
    CHECK(debugctl_with_lbr(DEBUGCTL_LBR | DEBUGCTL_TR, 0) == DEBUGCTL_TR, "bit 0 tells nothing");
    CHECK(debugctl_with_lbr(DEBUGCTL_TR, lbr_arch_control(true)) == (DEBUGCTL_LBR | DEBUGCTL_TR),
          "LBREn in its place");
}

int main(void)
{
    cpu_features()->identity = (struct cpu_identity){.vendor = "GenuineIntel"};
    test_enumerated();
    test_families();
    test_bus_lock_detect();
    test_architectural_lbr();
    return check_result();
}
