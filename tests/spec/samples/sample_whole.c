/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_whole.h"

#include "arch/trace/debugctl.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_counters.h"

static bool has_extended(const struct sampling *sampling)
{
    bool extended = false;

    for (unsigned i = 0; i < sampling->count; i++)
        extended |= sample_counter_is_extended(sampling->counters[i].counter);
    return extended;
}

/* A counter, or several, and none besides those that sample (F3.45). */
static bool names_samplers(struct test_context *t, const struct sampling *sampling, size_t slot)
{
    uint64_t bits = sampling_enabled(sampling);
    static struct pebs_record record; /* large, and the stack is not */

    sampling_decode(slot, &record);
    if (!record.has_applicable || (record.applicable && !(record.applicable & ~bits)))
        return true;
    test_find_as(t,
                 &(struct finding){.kind = FINDING_PEBS_APPLICABLE,
                                   .where = "applicable counters",
                                   .slot = slot,
                                   .expected = bits,
                                   .got = record.applicable},
                 "record %zu names counters %#lx, of %#lx that sample", slot, record.applicable,
                 bits);
    return false;
}

static void check_records(struct test_context *t, const struct sampling *sampling)
{
    size_t slot = 0;

    while (slot < sampling->index && slot < sampling->records && names_samplers(t, sampling, slot))
        slot++;
    if (slot < sampling->index && slot < sampling->records)
        test_breaks(t, has_extended(sampling) ? "PEBS-6" : "PEBS-4");
}

static bool is_reached(const struct sampling *sampling)
{
    return sampling->index && sampling->index >= sampling->threshold;
}

static unsigned under_of(const struct sampling *sampling)
{
    return sampling->index >= sampling->records ? UNDER(FULL) : 0;
}

/* Bit 62 goes with the interrupt (F3.64). Format 0 alone may leave it out while IA32_DEBUGCTL[12]
 * is clear (F7.11). */
static void check_bit(struct test_context *t, const struct sampling *sampling)
{
    bool set = sampling->status & PERF_GLOBAL_STATUS_OVF_BUF, reached = is_reached(sampling);
    bool may_lack = pebs_format() == 0 && !(sampling->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    const struct finding finding = {.kind = set ? FINDING_OVERFLOW_EXTRA : FINDING_OVERFLOW_MISSING,
                                    .where = "IA32_PERF_GLOBAL_STATUS",
                                    .expected = reached * PERF_GLOBAL_STATUS_OVF_BUF,
                                    .got = set * PERF_GLOBAL_STATUS_OVF_BUF,
                                    .under = under_of(sampling)};

    if (reached && !(sampling->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
        choice_learn(t, CHOICE_PEBS_OVFBUF, set ? VALUE_YES : VALUE_NO);
    if (reached ? !set && may_lack : sampling->bts_threshold != 0)
        return;
    test_checked(t);
    if (set != reached && !test_find_as(t, &finding, "OvfBuf: %zu records, threshold %zu",
                                        sampling->index, sampling->threshold))
        test_breaks(t, "PEBS-3");
}

static void expect_interrupts(struct test_context *t, const struct sampling *sampling, size_t least,
                              size_t most)
{
    bool few = sampling->interrupts < least;
    const struct finding finding = {.kind = few ? FINDING_PMI_MISSING : FINDING_PMI_EXTRA,
                                    .expected = few ? least : most,
                                    .got = sampling->interrupts,
                                    .under = under_of(sampling)};

    test_checked(t);
    if (!few && sampling->interrupts <= most)
        return;
    test_find_as(t, &finding, "%zu interrupts; %zu records, threshold %zu", sampling->interrupts,
                 sampling->index, sampling->threshold);
    test_breaks(t, "PEBS-3");
}

/* The entry of the local APIC stays masked behind the first one. */
static void check_interrupts(struct test_context *t, const struct sampling *sampling)
{
    size_t most = is_reached(sampling), least = sampling->interrupts_wanted ? most : 0;

    for (unsigned i = 0; i < sampling->count; i++)
        if (sampling->counters[i].flags & COUNTER_PMI)
            most = 1;
    expect_interrupts(t, sampling, least, most);
}

/* The threshold of BTS may bring both as well (D 15), and software may have set the bit. */
void sample_check_whole(struct test_context *t, const struct sampling *sampling)
{
    check_records(t, sampling);
    if (!(sampling->frozen & PERF_GLOBAL_STATUS_OVF_BUF))
        check_bit(t, sampling);
    if (!sampling->bts_threshold)
        check_interrupts(t, sampling);
}
