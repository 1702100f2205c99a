/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counter has overflowed, and its next event is due to store a record. Does it, whatever else
 * software writes meanwhile that leaves this counter and its enables as they are?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/workloads/armed_write.h"

#define FAR          0x11223344 /* for another counter: it stays as far from its overflow */
#define EVENTS_AFTER 2          /* the one of the record, perhaps, and the RET */

static void check_record(struct test_context *t)
{
    uint64_t ip = (uint64_t)(pebs_is_trap_like() ? armed_write_landing : armed_write_jump);
    struct pebs_record record;
    bool held = true;

    pebs_decode(0, &record);
    test_compared(t, 1);
    if (record.has_state_ip)
        held = EXPECT_EQUAL(t, PEBS_IP, "IP in the record", record.ip, ip);
    if (record.has_eventing_ip && record.eventing_ip != (uint64_t)armed_write_jump)
        test_find(t, &(struct finding){.kind = FINDING_PEBS_EVENTING_IP,
                                       .expected = (uint64_t)armed_write_jump,
                                       .got = record.eventing_ip,
                                       .same_record = !held});
}

static struct sampling sample_write(struct test_context *t, struct counter counter,
                                    const struct register_write *write)
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    sampling.entry = armed_write;
    sampling.argument = (uint64_t)write;
    sampling.count = 0;
    sampling_add(&sampling, counter, event, ARMED_WRITE_BRANCHES_BEFORE, SAMPLING_NEVER);
    return sampling;
}

static void check_write(struct test_context *t, struct counter counter,
                        const struct register_write *write)
{
    struct sampling sampling = sample_write(t, counter, write);
    uint64_t since;

    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_COUNT(t, PEBS, "records", sampling.index, 1)) {
        check_record(t);
        since = (sampling.counters[0].value + SAMPLING_NEVER) & pmu_counter_mask(counter);
        EXPECT(t, COUNT_LOW, since <= EVENTS_AFTER, "the counter went on at %#lx, not from %#lx",
               sampling.counters[0].value, -(uint64_t)SAMPLING_NEVER & pmu_counter_mask(counter));
    }
    sampling_expect_no_stray_write(t, sampling.index);
    if (test_has_failed(t))
        test_note(t, "between overflow and record: WRMSR of %#lx to register %#lx", write->value,
                  write->number);
}

/* Writes that change nothing, or nothing of this counter. */
static unsigned add_writes(struct counter counter, struct register_write *writes)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned all = pmu_counters(counters), count = 0;

    writes[count++] = (struct register_write){IA32_PEBS_ENABLE, sampling_bit(counter)};
    writes[count++] = (struct register_write){IA32_DEBUGCTL, 0};
    if (feature_present(FEATURE_PERFMON2))
        writes[count++] = (struct register_write){IA32_PERF_GLOBAL_CTRL, pmu_global_bit(counter)};
    for (unsigned i = 0; i < all; i++)
        if (counters[i].fixed != counter.fixed || counters[i].number != counter.number)
            writes[count++] = (struct register_write){pmu_counter_register(counters[i]), FAR};
    return count;
}

/* A counter whose overflow stores the record waits for none. */
static bool waits(struct test_context *t, struct counter counter)
{
    const struct sampling sampling = sample_write(t, counter, NULL);

    sample_learn_when(t, &sampling);
    return sample_delay(&sampling.counters[0], 0) > 0;
}

static void check_writes(struct test_context *t, struct counter counter)
{
    static struct register_write writes[PMU_COUNTERS_MAX + 3];
    unsigned count = waits(t, counter) ? add_writes(counter, writes) : 0;

    for (unsigned i = 0; i < count && !test_has_failed(t); i++)
        check_write(t, counter, &writes[i]);
}

static size_t records_behind_the_write(size_t count)
{
    struct pebs_record record;
    size_t behind = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t ip;

        pebs_decode(i, &record);
        ip = record.has_eventing_ip ? record.eventing_ip : record.ip;
        behind += ip < (uint64_t)armed_write || ip >= (uint64_t)armed_write_wrmsr;
    }
    return behind;
}

/* A counter removed from IA32_PEBS_ENABLE stores no record. The branch before the write may have
 * stored one already. */
static void check_taken_out(struct test_context *t, struct counter counter)
{
    const struct register_write none = {IA32_PEBS_ENABLE, 0};
    struct sampling sampling = sample_write(t, counter, &none);
    size_t behind;

    test_under(t, UNDER(DISABLED));
    if (!sampling_run(t, &sampling))
        return;
    behind = records_behind_the_write(sampling.index);
    EXPECT_COUNT(t, PEBS, "records behind the write of 0 to IA32_PEBS_ENABLE", behind, 0);
    EXPECT(t, PEBS_EXTRA, sampling.index - behind <= 1, "%zu records ahead of it, one may be due",
           sampling.index - behind);
    sampling_expect_no_stray_write(t, sampling.index);
}

static void check_each_counter(struct test_context *t,
                               void (*check)(struct test_context *t, struct counter counter))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);

    if (!sample_has_branches(t))
        return;
    for (unsigned i = 0; i < count && !counters[i].fixed && !test_has_failed(t); i++)
        check(t, counters[i]);
}

TEST(pebs, a_write_between_overflow_and_record, CLAIMS("PEBS-1"), NEEDS(PEBS_RECORDS, PMI))
{
    check_each_counter(t, check_writes);
}

TEST(pebs, taken_out_between_overflow_and_record, CLAIMS("PEBS-1"), NEEDS(PEBS_RECORDS, PMI))
{
    check_each_counter(t, check_taken_out);
}
