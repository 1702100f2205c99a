/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DS-4, PEBS: no record is stored in SMM, whatever the counter does there. A counter that
 * overflowed before the SMI or in it may store its record with the next event after RSM (AAJ73):
 * that one is an instruction of the program.
 */
#include "arch/cpu/apic/smi.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/smi_run.h"
#include "tests/run/smi_watch.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/suites/modes/smm_told.h"
#include "tests/workloads/kinds/smi.h"

#define PERIOD  7 /* short, so that a handler overflows the counter many times */
#define RECORDS 120

static unsigned smis; /* that came amid the run: those that it raises, and the firmware's own */

static void count_smis(const struct smi_mark *mark)
{
    uint32_t counted = smi_count_since(mark);

    smis = counted > SMI_ROUNDS ? counted : SMI_ROUNDS;
}

/*
 * The state shows where the processor was when it stored the record. RSM is open: it retires
 * outside SMM, so one record for each SMI may name it as its event.
 */
static bool check_record(struct test_context *t, size_t slot)
{
    struct pebs_record record;

    pebs_decode(slot, &record);
    EXPECT(t, PEBS_IP, record.has_state_ip, "record %zu has no instruction pointer", slot);
    EXPECT(t, PEBS_IP, is_ours(record.ip), "record %zu is of %#lx, where this kernel has no code",
           slot, record.ip);
    return record.has_eventing_ip && !is_ours(record.eventing_ip);
}

static bool check_records(struct test_context *t, size_t count)
{
    unsigned blame_rsm = 0;

    for (size_t slot = 0; slot < count && !test_has_failed(t); slot++)
        blame_rsm += check_record(t, slot);
    if (blame_rsm)
        choice_learn(t, CHOICE_RSM_BLAMED, VALUE_YES);
    return EXPECT(t, PEBS_EXTRA, blame_rsm <= smis,
                  "%u records blame an instruction that is none of this kernel's, after %u SMIs",
                  blame_rsm, smis) &&
           !test_has_failed(t);
}

/* The program's events in the shortest distance, and one that each SMI may leave behind. */
static uint64_t most_records(enum pmu_event event)
{
    const struct counting counting = {.workload = &workload_counted_smi, .iterations = SMI_ROUNDS};
    uint64_t slack = COUNT_SLACK + smis * SMI_COUNT_SLACK;

    return (counting_truth(&counting, event, COUNTER_OS) + slack) / PERIOD + 1 + smis;
}

static void check_counter(struct test_context *t, struct counter counter, uint64_t debugctl)
{
    enum pmu_event event = counter.fixed ? pmu_fixed_event(counter.number) : sample_any_event(t);
    struct sampling sampling = {
        .entry = workload_counted_smi.entry,
        .argument = SMI_ROUNDS,
        .records = RECORDS,
        .threshold = PEBS_NO_THRESHOLD,
        .data_config = feature_present(FEATURE_PEBS_ADAPTIVE) ? PEBS_DATA_GPRS : 0,
        .debugctl = debugctl,
    };
    struct smi_mark mark;
    bool good;

    if (sampling.records > pebs_records_max(sampling.data_config))
        sampling.records = pebs_records_max(sampling.data_config);
    sampling_add(&sampling, counter, event, PERIOD, PERIOD);
    smi_begin();
    mark = smi_mark();
    good = sampling_run(t, &sampling);
    count_smis(&mark);
    if (!smi_end(t) || !good)
        return;
    if (!EXPECT(t, PEBS_MISSING, sampling.index, "no record at all, of the program neither"))
        return;
    EXPECT(t, PEBS_EXTRA, sampling.index <= most_records(event),
           "%zu records; the program and %u SMIs can have left %lu", sampling.index, smis,
           most_records(event));
    if (!check_records(t, sampling.index))
        test_breaks(t, "DS-4");
    sampling_expect_no_stray_write(t, sampling.index);
}

static bool samples(struct counter counter)
{
    return pebs_counters() & sampling_bit(counter) &&
           (!counter.fixed || pmu_fixed_event(counter.number) == PMU_INSTRUCTIONS);
}

static unsigned choose(struct counter *chosen)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), found = 0;

    for (unsigned i = 0; i < count; i++)
        if (samples(counters[i]))
            chosen[found++] = counters[i];
    return found;
}

/* claim: what is broken where records are too few or too many. */
static void check_all(struct test_context *t, const char *claim, uint64_t debugctl)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = choose(counters);
    char name[16];

    if (!sample_is_possible(t, sample_any_event(t)) || !smi_test_begin(t))
        return;
    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        pmu_counter_name(counters[i], name, sizeof name);
        test_begin(t, claim, "%s", name);
        check_counter(t, counters[i], debugctl);
        test_end(t);
    }
    smi_test_end();
}

TEST(smm, pebs_records_are_the_programs_own, CLAIMS("DS-4"), NEEDS(PEBS_RECORDS, PMI))
{
    check_all(t, "DS-4", 0);
}

TEST(smm, pebs_records_under_the_freeze, CLAIMS("FRZ-14", "DS-4"),
     NEEDS(PEBS_RECORDS, PMI, FREEZE_WHILE_SMM))
{
    check_all(t, "FRZ-14", DEBUGCTL_FREEZE_WHILE_SMM);
}
