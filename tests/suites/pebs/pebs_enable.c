/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bits of IA32_PEBS_ENABLE beside those of the counters can be set? */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/choices/write_outcome.h"

/* Each alone; no counter runs. */
TEST_UNLESS(pebs, load_latency_bits_can_be_set, CLAIMS("PEBS-1", "DS-3"), NEEDS(PEBS_RECORDS),
            !pebs_latency_bits(),
            "IA32_PEBS_ENABLE[35:32] are no load latencies, or not known to be")
{
    uint64_t bits = pebs_latency_bits();

    test_under(t, UNDER(PEBS) | UNDER(DISABLED));
    for (; bits; bits &= bits - 1) {
        enum write_outcome outcome =
            write_and_look(t, "IA32_PEBS_ENABLE", IA32_PEBS_ENABLE, bits & -bits);

        EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK, "writing %#lx to IA32_PEBS_ENABLE: %s",
               bits & -bits, write_outcome_text(outcome));
    }
    pebs_disable();
}

TEST_UNLESS(pebs, enable_keeps_no_reserved_bit, CLAIMS("PEBS-1", "DS-3"), NEEDS(PEBS_RECORDS),
            !pebs_reserved_bits(),
            "it is not known which bits of IA32_PEBS_ENABLE this model reserves")
{
    static struct reserved_bits seen;
    const struct reserved_register enable = {"IA32_PEBS_ENABLE", IA32_PEBS_ENABLE,
                                             pebs_reserved_bits(), pebs_counters()};

    test_under(t, UNDER(PEBS) | UNDER(DISABLED));
    reserved_bits_check(t, &seen, &enable);
    reserved_bits_observe(t, &seen, "IA32_PEBS_ENABLE");
}
