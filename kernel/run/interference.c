/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/interference.h"

#include "arch/cpu/apic/unclaimed.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/smis.h"

/* In a test that raises SMIs the firmware's cannot be told apart, so only other tests show whether
 * the firmware raises some. */
static bool firmware_has_some;
static unsigned repeated;

struct interference interference_begin(void)
{
    return (struct interference){.smi_before = smi_mark(),
                                 .unclaimed_before = unclaimed_disturbances(),
                                 .suspected_before = unclaimed_suspicions()};
}

bool interference_look(struct interference *interference, bool asks_for_smis)
{
    uint32_t smis = smi_count_since(&interference->smi_before);

    firmware_has_some |= !asks_for_smis && smis > 0;
    interference->smis = asks_for_smis && !firmware_has_some ? 0 : smis;
    interference->unclaimed = unclaimed_disturbances() - interference->unclaimed_before;
    interference->suspected = unclaimed_suspicions() - interference->suspected_before;
    return interference->smis > 0 || interference->unclaimed > 0 || interference->suspected > 0;
}

bool interference_look_further(struct interference *interference)
{
    interference->gaps = smi_gap_look();
    return interference->gaps > 0;
}

static void print_failure(const char *what, uint32_t count, const struct test *test, bool again)
{
    if (count > 0)
        ktap_comment(LEVEL_SUITE, "%s during %s.%s, which failed: %u; %s", what, test->suite,
                     test->name, count, again ? "once more" : "it may fail for them");
}

void interference_print_failure(const struct interference *interference, const struct test *test,
                                bool again)
{
    print_failure("SMIs that came", interference->smis, test, again);
    print_failure("interrupts that nobody claims that came", interference->unclaimed, test, again);
    print_failure("NMIs that may be the board's that came", interference->suspected, test, again);
    print_failure("counters that others were found to use", interference->counters, test, again);
    if (interference->gaps > 0)
        ktap_comment(LEVEL_SUITE,
                     "%s.%s failed where SMIs may come: no register counts them, and the processor "
                     "stood still %u times in a second; %s",
                     test->suite, test->name, interference->gaps,
                     again ? "once more" : "it may fail for them");
    repeated += again;
}

void interference_print(void)
{
    if (repeated > 0)
        ktap_comment(LEVEL_RUN,
                     "runs of tests that were repeated, since they failed amid these: %u",
                     repeated);
}

unsigned interference_repeated(void)
{
    return repeated;
}

void interference_add_repeated(unsigned times)
{
    repeated += times;
}
