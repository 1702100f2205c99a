/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/disturbance.h"

#include "arch/cpu/apic/unclaimed.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/standstill.h"

/* In a test that raises SMIs the firmware's cannot be told apart, so only other tests show whether
 * the firmware raises some. */
static bool firmware_has_some;
static unsigned repeated;

struct disturbance disturbance_begin(void)
{
    return (struct disturbance){.smi_before = smi_mark(),
                                .unclaimed_before = unclaimed_disturbances()};
}

bool disturbance_look(struct disturbance *disturbance, bool asks_for_smis)
{
    uint32_t smis = smi_count_since(&disturbance->smi_before);

    firmware_has_some |= !asks_for_smis && smis > 0;
    disturbance->smis = asks_for_smis && !firmware_has_some ? 0 : smis;
    disturbance->unclaimed = unclaimed_disturbances() - disturbance->unclaimed_before;
    return disturbance->smis > 0 || disturbance->unclaimed > 0;
}

bool disturbance_look_further(struct disturbance *disturbance)
{
    disturbance->gaps = standstill_look();
    return disturbance->gaps > 0;
}

static void tell(const char *what, uint32_t count, const struct test *test, bool again)
{
    if (count > 0)
        ktap_comment(LEVEL_SUITE, "%s during %s.%s, which failed: %u; %s", what, test->suite,
                     test->name, count, again ? "once more" : "it may fail for them");
}

void disturbance_tell(const struct disturbance *disturbance, const struct test *test, bool again)
{
    tell("SMIs that came", disturbance->smis, test, again);
    tell("interrupts that nobody claims that came", disturbance->unclaimed, test, again);
    tell("counters that others were found to use", disturbance->counters, test, again);
    if (disturbance->gaps > 0)
        ktap_comment(LEVEL_SUITE,
                     "%s.%s failed where SMIs may come: no register counts them, and the processor "
                     "stood still %u times in a second; %s",
                     test->suite, test->name, disturbance->gaps,
                     again ? "once more" : "it may fail for them");
    repeated += again;
}

void disturbance_print(void)
{
    if (repeated > 0)
        ktap_comment(LEVEL_RUN,
                     "runs of tests that were repeated, since they failed amid these: %u",
                     repeated);
}

unsigned disturbance_repeated(void)
{
    return repeated;
}

void disturbance_add_repeated(unsigned times)
{
    repeated += times;
}
