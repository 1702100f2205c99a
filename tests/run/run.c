/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/run.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/context.h"
#include "kernel/machine/time.h"
#include "tests/run/entry_points.h"
#include "tests/run/retry.h"
#include "tests/workloads/kinds/smi.h"

/*
 * An interrupt takes a while to come (F3.23). One that must come is waited for this long; that none
 * comes is believed after the shorter time.
 */
#define WAIT_FOR_WANTED_MICROSECONDS   1000000
#define LEAST_WAIT_MICROSECONDS        62500
#define WAIT_FOR_UNWANTED_MICROSECONDS 25 /* many times what one takes to come */

#define DRAINED_MAX 8192
#define EVENTS_MAX  1024

static struct bts_record drained[DRAINED_MAX];
static struct pmi_event events[EVENTS_MAX];
static struct pmi_log own_log = {
    .records = drained,
    .record_capacity = DRAINED_MAX,
    .events = events,
    .event_capacity = EVENTS_MAX,
};

static unsigned armed_of(const struct run *run)
{
    return run->armed | (run->layout.records ? PMI_CAUSE_BTS : 0);
}

static struct pmi_log *log_of(const struct run *run)
{
    return run->log ? run->log : &own_log;
}

/* The interrupt routine counts behind the compiler's back. */
static size_t interrupts_so_far(const struct pmi_log *log)
{
    return *(const volatile size_t *)&log->event_count;
}

/* Microseconds. Halved by each wait in vain: a processor that loses many interrupts would else cost
 * a second for each, and its test would be taken for one that hangs. */
static uint64_t patience = WAIT_FOR_WANTED_MICROSECONDS;

size_t run_wait(const struct pmi_log *log, size_t wanted)
{
    struct wait wait = time_wait(patience);

    while (interrupts_so_far(log) < wanted && wait_goes_on(&wait))
        ;
    if (interrupts_so_far(log) < wanted && patience > LEAST_WAIT_MICROSECONDS)
        patience /= 2;
    wait = time_wait(WAIT_FOR_UNWANTED_MICROSECONDS);
    while (wait_goes_on(&wait))
        ;
    return interrupts_so_far(log);
}

/* --- before --- */

static const char *lay_out(const struct run *run)
{
    const char *refusal = NULL;

    if (run->layout.records)
        refusal = run->keep_ds_area ? bts_prepare_fields(&run->layout) : bts_prepare(&run->layout);
    if (!refusal && run->pebs)
        refusal = pebs_prepare(run->pebs);
    if (!refusal && run->layout.records)
        bts_set_index(run->first);
    if (!refusal && run->fields)
        bts_set_fields(run->fields);
    return refusal;
}

static void open_log(const struct run *run)
{
    struct pmi_log *log = log_of(run);

    log->policy = run->policy;
    log->delivery = run->delivery;
    log->armed = armed_of(run);
    pmi_start(log);
    if (run->lvt_masked)
        apic_pmi_mask();
}

/* --- the program, and what is off or on right around it --- */

static const struct workload *entry_points_of(const struct program *program, const struct run *run)
{
    return program ? program->workload : run->entry_points;
}

/* Before or after the program. */
static void look_at_all(const struct run *run, struct facility_look *look)
{
    facility_look(look, !(run->debugctl & (DEBUGCTL_LBR | DEBUGCTL_TR)));
}

static void switch_on(const struct run *run, struct observation *seen)
{
    if (run->ahead)
        run->ahead(run, seen);
    if (run->lbr)
        lbr_capture(&seen->lbr.before);
    if (run->pebs_enable)
        pebs_enable(run->pebs_enable);
    look_at_all(run, &seen->before);
    seen->tsc_before = insn_rdtsc();
    if (run->control_last)
        debugctl_write_safe(run->debugctl);
    else if (run->control)
        pmu_set_global_control(run->control);
}

/* behind() may end counting. With a global control that changes no other register, and comes first;
 * without one it changes the selects. */
static void switch_off(const struct run *run, struct observation *seen, uint64_t found)
{
    bool has_global = feature_present(FEATURE_PERFMON2);

    seen->control_end = run->control_last            ? pmu_ours(found)
                        : has_global || run->control ? pmu_global_control()
                                                     : 0;
    seen->debugctl_end = run->control_last ? debugctl_read() : found;
    if (run->control_last)
        debugctl_write_safe(0);
    seen->tsc_after = insn_rdtsc();
    if (!has_global)
        look_at_all(run, &seen->after);
    if (run->behind)
        run->behind(run, seen);
    if (run->lbr)
        lbr_capture(&seen->lbr.after);
    if (has_global)
        look_at_all(run, &seen->after);
}

/* Where more than one register is on, interrupts are held off around all of them. */
static void run_bracket(const struct program *program, const struct run *run,
                        struct observation *seen)
{
    bool around = run->hold_off_interrupts && (run->control || run->behind);
    struct bracket bracket = {
        .msr = IA32_PERF_GLOBAL_CTRL,
        .on = run->control,
        .entry = program ? program->entry : run->entry,
        .argument = program ? program->argument : run->argument,
        .hold_off_interrupts = run->hold_off_interrupts,
    };

    if (!run->control_last)
        bracket_set_debugctl(&bracket, run->debugctl);
    if (around)
        insn_cli();
    switch_on(run, seen);
    bracket_run(&bracket);
    switch_off(run, seen, run->control_last ? bracket.found : bracket_debugctl(&bracket));
    if (around)
        insn_sti();
    seen->refused = bracket.refused;
}

void run_fill_stack(void)
{
    struct bracket bracket = {.entry = stack_filler};

    if (!feature_present(FEATURE_LBR))
        return;
    bracket_set_debugctl(&bracket, DEBUGCTL_LBR);
    bracket_run(&bracket);
}

/* A stack of calls begins empty: a return leaves one entry, whoever's that is. */
static void begin_stack(uint64_t select)
{
    if (select & LBR_SELECT_EN_CALLSTACK)
        lbr_clear();
    else
        run_fill_stack();
    lbr_select(select);
}

static void run_set_up(const struct program *program, const struct run *run,
                       struct observation *seen)
{
    const struct workload *entry_points = entry_points_of(program, run);
    struct smi_mark mark = smi_mark();

    if (run->lbr)
        begin_stack(run->select);
    if (entry_points)
        entry_points_set(entry_points);
    if (armed_of(run))
        open_log(run);
    run_bracket(program, run, seen);
    if (armed_of(run)) {
        seen->interrupts = run_wait(log_of(run), seen->refused ? 0 : run->interrupts_wanted);
        seen->lvt_masked_end = apic_pmi_is_masked();
        pmi_stop();
    }
    if (entry_points)
        entry_points_reset(entry_points);
    if (run->lbr)
        lbr_select(0);
    seen->may_have_smi = smi_out != SMI_HARMLESS_PORT || smi_count_since(&mark);
}

/* --- after --- */

void run_stop_counting(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    pmu_set_global_control(0);
}

static void collect(const struct run *run, struct observation *seen)
{
    struct pmi_log *log = log_of(run);

    seen->index = bts_index();
    if (run->policy == PMI_SERVE) {
        pmi_drain_bts(log);
        seen->records = log->records;
        seen->count = log->record_count;
    } else {
        seen->records = bts_records();
        seen->count = seen->index;
    }
    /* Some processors set OvfBuf for a BTS interrupt as well (D 15), and nothing may be left. */
    if (!run->control)
        pmu_status_clear(pmu_status());
}

/* It records where others have laid out the buffer, or cleared the stack: twice is too much. */
static bool adds_to_what_is_there(const struct run *run)
{
    return run->debugctl & (DEBUGCTL_TR | DEBUGCTL_LBR) && !run->layout.records && !run->lbr;
}

/* What the log's routines keep is theirs to forget. */
static bool runs_once(const struct run *run)
{
    return run->once || adds_to_what_is_there(run) ||
           (run->log && (run->log->reload || run->log->observe));
}

static bool is_disturbed(const struct run *run, struct retry *retry, uint64_t status_before)
{
    if (runs_once(run) || !retry_if_disturbed(retry))
        return false;
    /* What a run has set in IA32_PERF_GLOBAL_STATUS would freeze the next one. */
    pmu_status_clear(pmu_status() & ~status_before);
    return true;
}

static volatile unsigned runs; /* begun so far */

const char *run_quietly(const struct program *program, const struct run *run,
                        struct observation *seen)
{
    struct retry retry = retry_begin();
    uint64_t status = pmu_status();
    const char *refusal;

    facility_try();
    do {
        runs++;
        test_goes_on();
        refusal = lay_out(run);
        *seen = (struct observation){.program = program, .log = log_of(run)};
        if (refusal)
            return refusal;
        retry_mark(&retry);
        run_set_up(program, run, seen);
    } while (is_disturbed(run, &retry, status));
    seen->had_interrupt = retry_had_interrupt(&retry);
    seen->in_vain = retry_was_in_vain(&retry);
    if (run->layout.records)
        collect(run, seen);
    return NULL;
}

/* --- with a test to speak to --- */

static void read_record(const void *from, size_t number, struct trace_step *step)
{
    const struct bts_record *record = (const struct bts_record *)from + number;

    step->mark = TRACE_ALONE;
    step->from = record->from;
    step->to = record->to;
    step->flags = record->flags;
}

/* The log of the last run that was reported to a test. */
static unsigned told;
static size_t left_in_buffer;

/* One that was cut off, or made without a word, has left some of its own. */
static bool drained_is_there(void)
{
    return runs == told;
}

static bool buffer_is_there(void)
{
    return runs == told && bts_index() == left_in_buffer;
}

/* In the buffer: what was there before the run is poison. */
static size_t first_written(const struct run *run, const struct observation *seen)
{
    size_t first = run->first < seen->count ? run->first : 0;

    while (first < seen->count && bts_record_is_poison(first))
        first++;
    return first;
}

/* The last records. Those in a log that is not the runs' own are whoever's it is. */
static void report_trace(struct test_context *t, const struct run *run,
                         const struct observation *seen)
{
    struct trace_of_run trace = {
        .head.source = "bts",
        .read = read_record,
        .still_there = run->policy == PMI_COUNT ? buffer_is_there : drained_is_there,
    };
    bool in_buffer = run->policy == PMI_COUNT;
    size_t begin = 0, count = seen->count;

    if (!run->layout.records || count > BTS_RECORDS_MAX || (!in_buffer && seen->log != &own_log))
        trace.read = NULL;
    else if (in_buffer)
        begin = first_written(run, seen);
    count -= begin;
    told = runs;
    left_in_buffer = seen->index;
    trace.head.steps = trace.head.got = count;
    trace.head.shown = count < TRACE_STEPS ? count : TRACE_STEPS;
    trace.head.first = trace.head.got_first = count - trace.head.shown;
    trace.from = seen->records + begin + trace.head.first;
    test_trace_run(t, &trace);
}

static bool writes_debugctl(const struct program *program)
{
    struct program_write write = program_write(program);

    return program->workload->flags & WORKLOAD_DEBUGCTL ||
           (write.before != SIZE_MAX && write.what.number == IA32_DEBUGCTL);
}

static void report_run(struct test_context *t, const struct run *run,
                       const struct observation *seen)
{
    const struct run_conditions conditions = {
        .debugctl = run->debugctl,
        .changes = seen->program && writes_debugctl(seen->program),
        .program = seen->program ? seen->program->workload->name : NULL,
        .records = run->layout.records,
        .threshold = run->layout.threshold,
        .causes = armed_of(run),
    };

    test_run_is(t, &conditions);
}

static bool is_a_result(struct test_context *t, const struct run *run,
                        const struct observation *seen)
{
    size_t most = run->layout.large ? BTS_LARGE_RECORDS_MAX : BTS_RECORDS_MAX;
    bool is_off = !run->fields && seen->index > most + 1, lost = seen->log->records_lost;
    bool too_many = seen->interrupts > seen->log->event_capacity;

    if (!armed_of(run))
        return true;
    if (is_off)
        FIND(t, INDEX, "the BTS index points at no record of the buffer");
    if (lost)
        FIND(t, INDEX,
             "records were lost: BTS index off the records, or more than a test can hold");
    if (too_many)
        FIND(t, PMI_EXTRA, "%zu interrupts, more than a test can hold", seen->interrupts);
    return !is_off && !lost && !too_many;
}

bool expect_debugctl_taken(struct test_context *t, const struct workload *entry_points,
                           uint64_t debugctl)
{
    struct exception exception;

    if (!entry_points || !entry_points->gate_landing || entry_points->gate_vector != VECTOR_GP)
        return true;
    exception = debugctl_write_safe(debugctl & ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_LBR));
    debugctl_clear();
    return EXPECT(t, MSR_REFUSES, !exception_happened(exception), "WRMSR IA32_DEBUGCTL raised %s",
                  exception_name(exception));
}

bool expect_programmed(struct test_context *t, const char *refusal)
{
    return EXPECT(t, SETUP, !refusal, "the DS save area was not programmed: %s", refusal);
}

bool run_program(struct test_context *t, const struct program *program, const struct run *run,
                 struct observation *seen)
{
    const char *refusal;

    if (!expect_debugctl_taken(t, entry_points_of(program, run), run->debugctl))
        return false;
    refusal = run_quietly(program, run, seen);
    if (!expect_programmed(t, refusal))
        return false;
    if (seen->in_vain) {
        test_skip(t, "an SMI or an interrupt that nobody claims came amid each of its runs");
        return false;
    }
    report_run(t, run, seen);
    report_trace(t, run, seen);
    return !seen->refused && is_a_result(t, run, seen);
}

bool expect_no_stray_write(struct test_context *t, size_t records)
{
    const char *stray = bts_find_stray_write(records);

    if (stray)
        FIND(t, STRAY_WRITE, "written to although out of bounds: %s", stray);
    return !stray;
}
