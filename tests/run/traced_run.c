/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/traced_run.h"

#include "arch/cpu/features.h"
#include "arch/cpu/interrupts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/time.h"
#include "tests/run/landings.h"

/*
 * An interrupt takes a while to come (F3.23). One that must come is waited for this long; that none
 * comes is believed after the shorter time.
 */
#define WAIT_FOR_WANTED_MICROSECONDS   1000000
#define WAIT_FOR_UNWANTED_MICROSECONDS 100

#define DRAINED_MAX 8192
#define EVENTS_MAX  1024

static struct bts_record drained[DRAINED_MAX];
static struct pmi_event events[EVENTS_MAX];
static struct pmi_log log;

static void open_log(const struct traced_run *run)
{
    log = (struct pmi_log){
        .policy = run->policy,
        .delivery = run->delivery,
        .armed = PMI_CAUSE_BTS,
        .records = drained,
        .record_capacity = DRAINED_MAX,
        .events = events,
        .event_capacity = EVENTS_MAX,
    };
    pmi_start(&log);
    if (run->lvt_masked)
        apic_pmi_mask();
}

/* The interrupt routine counts behind the compiler's back. */
static size_t interrupts_so_far(void)
{
    return *(volatile size_t *)&log.event_count;
}

static void wait_for_interrupts(size_t wanted)
{
    struct wait wait = time_wait(WAIT_FOR_WANTED_MICROSECONDS);

    while (interrupts_so_far() < wanted && wait_goes_on(&wait))
        ;
    wait = time_wait(WAIT_FOR_UNWANTED_MICROSECONDS);
    while (wait_goes_on(&wait))
        ;
}

static void collect(const struct traced_run *run, struct traced_result *result)
{
    result->index = bts_index();
    result->interrupts = interrupts_so_far();
    result->log = &log;
    if (run->policy == PMI_SERVE) {
        pmi_drain_bts(&log);
        result->records = drained;
        result->count = log.record_count;
    } else {
        result->records = bts_records();
        result->count = result->index;
    }
}

/* Some processors set OvfBuf for a BTS interrupt as well (D 15), and nothing may be left behind. */
static void acknowledge(void)
{
    if (feature_present(FEATURE_PERFMON2))
        pmu_status_clear(pmu_status());
}

static bool check_bookkeeping(struct test_context *t, const struct traced_result *result)
{
    bool index_is_off = result->index > BTS_RECORDS_MAX + 1;
    bool too_many = result->interrupts > EVENTS_MAX;

    if (index_is_off)
        FIND(t, INDEX, "the BTS index points at no record of the buffer");
    if (log.records_lost)
        FIND(t, INDEX,
             "records were lost: BTS index off the records, or more than a test can hold");
    if (too_many)
        FIND(t, PMI_EXTRA, "%zu interrupts, more than a test can hold", result->interrupts);
    return !index_is_off && !log.records_lost && !too_many;
}

/*
 * While a workload has the gate of #GP nobody would hear that IA32_DEBUGCTL refuses a value: it is
 * tried before, but for the bits that record at once, each of which is known to be there.
 */
static bool takes_debugctl(struct test_context *t, const struct program *program, uint64_t debugctl)
{
    const struct workload *workload = program->workload;
    struct exception exception;

    if (!workload->gate_landing || workload->gate_vector != VECTOR_GP)
        return true;
    exception =
        debugctl_write_safe(debugctl & ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_LBR | DEBUGCTL_BTF));
    debugctl_clear();
    return EXPECT(t, MSR_REFUSES, !exception_happened(exception), "WRMSR IA32_DEBUGCTL raised %s",
                  exception_name(exception));
}

bool traced_run(struct test_context *t, const struct program *program, const struct traced_run *run,
                struct traced_result *result)
{
    struct bracket bracket = {
        .on = run->debugctl,
        .entry = program->entry,
        .argument = program->argument,
        .hold_off_interrupts = run->hold_off_interrupts,
    };
    const char *refusal =
        run->keep_ds_area ? bts_prepare_fields(&run->layout) : bts_prepare(&run->layout);

    if (refusal) {
        test_fail(t, "the DS save area was not programmed: %s", refusal);
        return false;
    }
    if (!takes_debugctl(t, program, run->debugctl))
        return false;
    bts_set_index(run->first);
    landings_set(program->workload);
    open_log(run);
    bracket_run(&bracket);
    wait_for_interrupts(bracket.refused ? 0 : run->interrupts_wanted);
    result->debugctl_end = bracket.found;
    result->lvt_masked_end = apic_pmi_is_masked();
    pmi_stop();
    landings_reset(program->workload);
    collect(run, result);
    acknowledge();
    return !bracket.refused && check_bookkeeping(t, result);
}

bool traced_expect_no_stray_write(struct test_context *t, size_t records)
{
    const char *stray = bts_find_stray_write(records);

    if (stray)
        FIND(t, STRAY_WRITE, "written to although out of bounds: %s", stray);
    return !stray;
}
