/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/isr_run.h"

#include "arch/cpu/insn.h"
#include "arch/cpu/msr.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "kernel/time.h"
#include "tests/oracle/sample_events.h"

#define TRANSFERS         1500
#define BTS_RECORDS       2000
#define BTS_THRESHOLD     1000
#define PEBS_RECORDS      20  /* within the 4 KiB that format 0 may have (F3.70) */
#define PEBS_PERIOD       450 /* more events than the end of the routine has */
#define COUNTER_PERIOD    700
#define FAR_PERIOD        (1u << 24) /* never reached in a run */
#define WAIT_MICROSECONDS 1000

static struct pmi_event events[16];
static struct bts_record records[2 * BTS_RECORDS];
static uint8_t pebs_bytes[0x8000];
static struct pmi_log log;
static struct isr_seen *current;

static void reload(uint64_t overflowed)
{
    current->reloads++;
    current->reloaded |= overflowed;
    pmu_write_period(current->counter, FAR_PERIOD);
}

/* PEBS samples on general-purpose counter 0; the overflow is some other counter's. */
static bool choose_counter(struct test_context *t, struct counter *counter)
{
    const struct counter candidates[] = {{.number = 1}, {.fixed = true, .number = 0}};

    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        if (!pmu_counter_exists(candidates[i]))
            continue;
        *counter = candidates[i];
        return true;
    }
    test_skip(t, "CPUID.0AH: no counter besides the one that PEBS takes");
    return false;
}

static const char *arm(const struct isr_run *run, enum pmu_event event, struct counter counter)
{
    const struct counter sampler = {.number = 0};
    const struct bts_layout bts = {.records = BTS_RECORDS,
                                   .threshold = run->causes & PMI_CAUSE_BTS ? BTS_THRESHOLD
                                                                            : BTS_RECORDS - 1};
    struct pebs_layout pebs = {.records = PEBS_RECORDS,
                               .threshold = run->causes & PMI_CAUSE_PEBS ? 1 : PEBS_RECORDS - 1};
    const char *refusal = bts_prepare(&bts);

    pebs.reset[0] = -(uint64_t)PEBS_PERIOD & pmu_counter_mask(sampler);
    if (!refusal)
        refusal = pebs_prepare(&pebs);
    if (refusal)
        return refusal;
    pmu_program(sampler, event, COUNTER_OS | COUNTER_USR);
    pmu_write(sampler, pebs.reset[0]);
    pmu_program(counter, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR | COUNTER_PMI);
    pmu_write_period(counter, run->causes & PMI_CAUSE_COUNTER ? COUNTER_PERIOD : FAR_PERIOD);
    pebs_make_adaptive(PEBS_GENERAL(0));
    return NULL;
}

static void open_log(const struct isr_run *run)
{
    log = (struct pmi_log){
        .policy = PMI_SERVE,
        .delivery = run->delivery,
        .armed = ISR_ALL_CAUSES,
        .events = events,
        .event_capacity = sizeof events / sizeof events[0],
        .records = records,
        .record_capacity = sizeof records / sizeof records[0],
        .pebs_bytes = pebs_bytes,
        .pebs_capacity = sizeof pebs_bytes,
        .reload = reload,
    };
    pmi_start(&log);
}

static uint64_t read_register(uint32_t number)
{
    uint64_t value = 0;

    rdmsr_safe(number, &value);
    return value;
}

static void settle(void)
{
    struct wait wait = time_wait(WAIT_MICROSECONDS);

    while (wait_goes_on(&wait))
        ;
}

/*
 * Counting ends with the program, before the wait for an interrupt that comes late, and before one
 * that was held off is let in: neither must overflow anything.
 */
static void run_program(const struct isr_run *run, struct isr_seen *seen)
{
    struct bracket bracket = {.on = seen->debugctl, .entry = seen->program->entry};

    if (run->hold_off_interrupts)
        insn_cli();
    pebs_enable(seen->pebs_enable);
    pmu_set_global_control(seen->control);
    bracket_run(&bracket);
    seen->control_end = pmu_global_control();
    pmu_set_global_control(0);
    insn_sti();
    settle();
    seen->debugctl_end = bracket.found;
}

static void collect(struct isr_seen *seen)
{
    seen->pebs_enable_end = pebs_disable();
    seen->status_end = pmu_status() & pmu_all_counters() & ~seen->pebs_enable;
    seen->lvt_masked_end = apic_pmi_is_masked();
    pmi_stop();
    seen->ds_area_end = read_register(IA32_DS_AREA);
    seen->bts_index_end = bts_index();
    seen->pebs_index_end = pebs_index();
}

bool isr_run(struct test_context *t, const struct isr_run *run, struct isr_seen *seen)
{
    enum pmu_event event = sample_any_event(t);
    const char *refusal;

    *seen = (struct isr_seen){.program = program_of_length(TRANSFERS), .log = &log};
    current = seen;
    pmu_reset();
    if (!sample_is_possible(t, event) || !choose_counter(t, &seen->counter))
        return false;
    refusal = arm(run, event, seen->counter);
    if (refusal) {
        test_fail(t, "the causes were not programmed: %s", refusal);
        return false;
    }
    seen->debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;
    seen->pebs_enable = PEBS_GENERAL(0);
    seen->control = pmu_global_bit(seen->counter) | 1;
    seen->ds_area = read_register(IA32_DS_AREA);
    open_log(run);
    run_program(run, seen);
    collect(seen);
    pmi_drain_bts(&log);
    pmi_drain_pebs(&log);
    pmu_reset();
    return true;
}
