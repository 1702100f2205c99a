/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the bits of IA32_DEBUGCTL that leaf 07H enumerates (F2.1, F23.14, F23.15) be set, alone and
 * with others, without changing those? */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"

static void check_settable(struct test_context *t, uint64_t bit)
{
    const uint64_t beside[] = {0, debugctl_enumerated() & DEBUGCTL_BTF,
                               debugctl_enumerated() & DEBUGCTL_LBR,
                               debugctl_enumerated() & DEBUGCTL_TABLE_17_6 & ~DEBUGCTL_TR};
    char names[128];

    for (size_t i = 0; i < COUNT_OF(beside); i++) {
        uint64_t value = bit | beside[i], found;
        struct exception exception = debugctl_write_safe(value);

        found = debugctl_read();
        debugctl_clear();
        EXPECT(t, MSR_REFUSES, !exception_happened(exception) && found == value,
               "IA32_DEBUGCTL, setting %s: %s, it is %#lx",
               debugctl_format(value, names, sizeof names), exception_name(exception), found);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL when it was cleared", debugctl_read(), 0);
    }
}

TEST(probe, bus_lock_detect_can_be_set, CLAIMS(), NEEDS(BUS_LOCK_DETECT))
{
    check_settable(t, DEBUGCTL_BUS_LOCK_DETECT);
}

TEST(probe, rtm_debug_can_be_set, CLAIMS(), NEEDS(RTM))
{
    check_settable(t, DEBUGCTL_RTM);
}
