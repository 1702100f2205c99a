/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/attempts.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/apic/unclaimed.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/user.h"
#include "kernel/machine/event.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"
#include "kernel/report/ktap.h"
#include "kernel/run/plan.h"
#include "kernel/run/worker.h"

#define TEXT_SIZE       256u
#define VALUE_SIZE      32u
#define WHY_SIZE        160u
#define CLEAN_UP_SECOND 5u /* to get quiet after a test, which takes microseconds */
#define PATIENCE        5u /* times timeout=: a test of many runs, or one that lacks its time */
#define MICROSECONDS    1000000u

/* A worker counts as hung this long after its announced time. */
#define GRACE_MICROSECONDS 3000000u

/* Why a body ended without returning. */
#define BACK_BY_WATCHDOG  1 /* what watchdog.c gives recovery_resume() */
#define BACK_BY_MSR_FAULT 2
#define BACK_BY_EXCEPTION 3

static struct recovery_point recovery;
static struct test_context *volatile running; /* its body is being executed */
static uint64_t seconds_given;                /* to a run, and to a test of one run */
static uint64_t seconds_in_all;               /* to all runs of a test */
static uint64_t began, next_renewal;          /* TSC */
static uint64_t seconds_to_end;               /* from `began` until the watchdog comes */
static volatile unsigned runs_begun[PROCESSORS_MAX];
static uint64_t half_times[PROCESSORS_MAX]; /* TSC of each processor at half of the time */

bool test_is_late(void)
{
    return time_passed(half_times[this_cpu()->index]);
}

void test_time_here(uint64_t microseconds)
{
    half_times[this_cpu()->index] = time_deadline_microseconds(microseconds / 2);
}

uint64_t test_time_given(void)
{
    return seconds_given * MICROSECONDS;
}

static void guard(uint64_t seconds_before)
{
    seconds_to_end = seconds_before + seconds_given;
    next_renewal = time_deadline_microseconds(seconds_given * MICROSECONDS / 4);
    watchdog_arm(seconds_given, &recovery);
    worker_lives(running_test, seconds_given * MICROSECONDS + GRACE_MICROSECONDS);
}

static void give_time(uint64_t seconds)
{
    seconds_given = seconds;
    began = time_now();
    test_time_here(seconds * MICROSECONDS);
    guard(0);
}

/* Seldom, since an alarm takes a while to set. */
void test_goes_on(void)
{
    uint64_t seconds;

    runs_begun[this_cpu()->index]++;
    if (running == NULL || this_cpu()->index != 0 || !time_passed(next_renewal))
        return;
    seconds = time_microseconds_since(began) / MICROSECONDS;
    if (seconds + seconds_given <= seconds_in_all)
        guard(seconds);
}

unsigned test_runs_begun(unsigned index)
{
    return runs_begun[index];
}

void test_time_anew(void)
{
    give_time(seconds_given);
}

/* Both functions fail the test, or its open subtest; no erratum explains that. */
static void lost_by_hanging(struct test_context *t)
{
    t->no_excuse = true;
    FIND(t, HANG, "hung: no end after %lu s, at %pS in ring %u on processor %u", seconds_to_end,
         (void *)watchdog_place(), watchdog_ring(), cpu_number());
}

static bool is_reported(const struct test_context *t, const struct msr_fault *fault)
{
    static struct msr_fault last;
    static unsigned last_part;
    bool same = t->no_excuse && t->sub.run == last_part && fault->place == last.place &&
                fault->number == last.number && fault->value == last.value;

    last = *fault;
    last_part = t->sub.run;
    return same;
}

static void lost_by_exception(struct test_context *t, const struct trap_frame *frame)
{
    char text[EVENT_TEXT_SIZE];

    t->no_excuse = true;
    FIND(t, EXCEPTION, "%s",
         event_format(frame, insn_read_cr2(), cpu_number(), text, sizeof(text)));
}

/* A repeated refusal is reported once in each part of a test. */
static void lost_by_msr_fault(struct test_context *t, const struct msr_fault *fault)
{
    char value[VALUE_SIZE];

    if (is_reported(t, fault))
        return;
    t->no_excuse = true;
    format_string(value, sizeof(value), " of 0x%lx", fault->value);
    FIND(t, REFUSAL, "%s %XH%s raised %s at %pS", fault->instruction, fault->number,
         fault->writes ? value : "", exception_name(fault->exception), (void *)fault->place);
}

static void begin_clean_up(void)
{
    watchdog_arm(CLEAN_UP_SECOND, NULL);
    worker_lives(NULL, CLEAN_UP_SECOND * MICROSECONDS + GRACE_MICROSECONDS);
}

/* The test may have lost control anywhere, with gates changed and an interrupt in service. */
static void clean_up(void)
{
    insn_cli();
    begin_clean_up();
    console_fresh_line();
    apic_end_all();
    for (unsigned vector = 0; vector < 256; vector++)
        interrupt_gate_reset((uint8_t)vector);
    user_set_syscall_entry(NULL);
    quiet_make(); /* what it leaves on is no second failure */
}

/* The first test may find what the firmware left on, later ones only what could not be switched
 * off. */
static bool begins_quiet(struct test_context *t)
{
    char why[TEXT_SIZE];

    if (quiet_is(why, sizeof(why)))
        return true;
    ktap_comment(LEVEL_SUITE, "before %s.%s, switched off: %s", t->test->suite, t->test->name, why);
    quiet_make();
    if (quiet_is(why, sizeof(why)))
        return true;
    test_fail(t, "the processor could not be made quiet before the test: %s", why);
    return false;
}

static void check_quiet_after(struct test_context *t)
{
    char why[TEXT_SIZE];

    if (!quiet_is(why, sizeof(why)))
        test_fail(t, "the processor is not quiet after the test: %s", why);
    quiet_make();
}

/* Reports a refused register access. Code with a fixup continues, other code is left. */
bool test_run_refused(struct trap_frame *frame, const struct msr_fault *fault, bool goes_on)
{
    if (running == NULL || this_cpu()->index != 0)
        return false;
    lost_by_msr_fault(running, fault);
    if (!goes_on)
        recovery_resume(&recovery, frame, BACK_BY_MSR_FAULT);
    return true;
}

/* #DF and #MC concern more than the interrupted code. */
static bool is_of_ring_3(const struct trap_frame *frame)
{
    return (frame->cs & 3) == 3 && frame->vector != VECTOR_DF && frame->vector != VECTOR_MC;
}

bool test_run_unexpected(struct trap_frame *frame)
{
    if (running == NULL || !(worker_is_here() || is_of_ring_3(frame)))
        return false;
    lost_by_exception(running, frame);
    recovery_resume(&recovery, frame, BACK_BY_EXCEPTION);
    return true;
}

/* Sets t->hung if the time was up before the end. */
static void run_body(struct test_context *t, uint64_t timeout)
{
    int way;

    if (!begins_quiet(t))
        return;
    give_time(timeout);
    way = recovery_point_set(&recovery);
    recovery.rflags &= ~RFLAGS_IF; /* pending interrupts must wait for the clean-up */
    running = way == 0 ? t : NULL;
    if (way == 0) {
        test_run_body(t);
        running = NULL;
        begin_clean_up();
        check_quiet_after(t);
    } else {
        clean_up();
        t->hung = way == BACK_BY_WATCHDOG;
    }
    watchdog_disarm();
}

/* If the processor did not get its time, the test is repeated once with more. */
void test_run(struct test_context *t, uint64_t timeout)
{
    unsigned percent;

    seconds_in_all = timeout * PATIENCE;
    run_body(t, timeout);
    percent = t->hung ? pace_percent() : 100;
    if (percent < PACE_STARVED) {
        ktap_comment(
            LEVEL_SUITE,
            "starved: %s.%s had not ended after %lu s, and the processor gets %u %% of its "
            "time; once more, for %lu s",
            t->test->suite, t->test->name, seconds_to_end, percent, seconds_in_all);
        context_again(t);
        run_body(t, seconds_in_all);
        percent = t->hung ? pace_percent() : 100;
    }
    if (t->hung && percent < PACE_STARVED)
        context_starve(t,
                       "starved: no end after %lu s, in which the processor had %u %% of its time",
                       seconds_to_end, percent);
    else if (t->hung)
        lost_by_hanging(t);
}

extern const struct quiet_check __quiet_checks_start[], __quiet_checks_end[];

bool quiet_is(char *text, size_t size)
{
    char why[WHY_SIZE] = "";

    for (const struct quiet_check *check = __quiet_checks_start; check < __quiet_checks_end;
         check++) {
        if (!check->is_quiet(why, sizeof(why))) {
            format_string(text, size, "%s: %s", check->name, why);
            return false;
        }
    }
    return true;
}

/* In reverse order, so that interrupts are enabled after their sources are off. */
void quiet_make(void)
{
    for (const struct quiet_check *check = __quiet_checks_end; check > __quiet_checks_start;)
        (--check)->make_quiet();
}

/* Tests begin and end with interrupts enabled and single-stepping off. */
static bool flags_are_quiet(char *why, size_t size)
{
    uint64_t flags = insn_read_rflags();

    if ((flags & RFLAGS_IF) == 0)
        format_string(why, size, "interrupts are off (RFLAGS = 0x%lx)", flags);
    else if ((flags & RFLAGS_TF) != 0)
        format_string(why, size, "single-stepping is on (RFLAGS = 0x%lx)", flags);
    else
        return true;
    return false;
}

/* First ends interrupts that waited for a test's gate, and now have no handler. */
static void make_flags_quiet(void)
{
    if (insn_read_rflags() & RFLAGS_IF)
        return;
    stale_interrupts_end();
    insn_sti();
}

QUIET_CHECK(processor_flags, flags_are_quiet, make_flags_quiet);
