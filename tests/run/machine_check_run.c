/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/machine_check_run.h"

#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "kernel/machine/time.h"
#include "tests/run/run.h"
#include "tests/workloads/machine_check.h"

/*
 * A lab answers within the time that a loaded host leaves it between two looks at the log. Once it
 * has not, it is not asked again.
 */
#define REASON_SIZE         120u
#define ANSWER_MICROSECONDS 5000000
#define LATE_MICROSECONDS   2000000

/* It may come before the rounds have filled the buffer: then it proves nothing, and is asked for
 * again. */
#define ATTEMPTS   10
#define ROUNDS_MIN MACHINE_CHECK_RECORDS

/* Enough instructions for a PEBS counter that is armed some of them after its overflow. */
#define ROUNDS_OF_BRANCHES 4

static struct {
    const struct machine_check_run *run;
    struct machine_check_observation *seen;
    volatile struct rounds_area *area;
    volatile bool came;
} current;

static bool lab_is_silent;

void machine_check_branches(void)
{
    for (unsigned round = 0; round < ROUNDS_OF_BRANCHES; round++)
        workload_near_branches.entry();
}

static void look(struct machine_check_observation *seen, const struct trap_frame *frame)
{
    seen->bts_index = bts_index(); /* first: were this code traced, it would move */
    __builtin_memcpy(seen->records, bts_records(), sizeof seen->records);
    seen->rip = frame->rip;
    seen->count = current.area->count;
    seen->debugctl = debugctl_read();
    seen->pebs_enable = 0;
    if (feature_present(FEATURE_PEBS))
        rdmsr_safe(IA32_PEBS_ENABLE, &seen->pebs_enable);
    seen->ds_area = 0;
    rdmsr_safe(IA32_DS_AREA, &seen->ds_area);
}

/* Starts at the base of both buffers, so that a full buffer does not look like a dead one. */
static bool on_machine_check(struct trap_frame *frame)
{
    struct machine_check_observation *seen = current.seen;

    look(seen, frame);
    seen->check = machine_check_take();
    bts_rewind();
    pebs_rewind();
    if (current.run->provoke)
        current.run->provoke();
    machine_check_branches();
    seen->bts_in_handler = bts_index();
    seen->pebs_in_handler = pebs_index();
    if (current.run->provoke)
        current.run->provoke(); /* for what comes after IRET */
    current.area->stop = 1;
    current.came = true;
    return (seen->check.global_status & MCG_STATUS_RIPV) != 0; /* else there is no way back */
}

static void start(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    if (current.run->start)
        current.run->start();
}

/* The request goes out first: its own branches do not belong in the trace. */
static void run_rounds(struct test_context *t, const struct machine_check_run *how)
{
    const struct run run = {
        .debugctl = how->debugctl,
        .hold_off_interrupts = how->hold_off_interrupts,
        .entry = how->user ? workload_sled_user.entry : rounds,
        .argument = (uint64_t)rounds_user,
        .entry_points = how->user ? &workload_sled_user : NULL,
        .ahead = start,
        .once = true, /* one machine check was asked for */
    };
    struct observation seen;

    *current.area = (struct rounds_area){0};
    current.came = false;
    current.area->deadline = time_deadline_microseconds(ANSWER_MICROSECONDS);
    test_ask_lab(t, LAB_MACHINE_CHECK);
    run_quietly(NULL, &run, &seen);
    current.seen->debugctl_after = seen.debugctl_end;
}

/* One that comes after all must not find the next test's buffers. */
static void wait_longer(void)
{
    uint64_t deadline = time_deadline_microseconds(LATE_MICROSECONDS);

    while (!current.came && !time_passed(deadline))
        ;
}

static bool is_in_rounds(const struct machine_check_run *run, uint64_t address)
{
    uint64_t start = run->user ? (uint64_t)rounds_user : (uint64_t)rounds;
    uint64_t end = run->user ? (uint64_t)rounds_user_end : (uint64_t)rounds_end;

    return address >= start && address < end;
}

static bool has_come_in_time(const struct machine_check_run *run)
{
    return current.came && is_in_rounds(run, current.seen->rip) && current.seen->count > ROUNDS_MIN;
}

static bool give_up(struct test_context *t)
{
    wait_longer();
    lab_is_silent = true;
    test_fail(
        t,
        "no machine check came in %u seconds, though lab= promises one: see what tools/lab/run"
        " says; where nobody injects any, take lab= away",
        ANSWER_MICROSECONDS / 1000000);
    return false;
}

static bool try_until_in_time(struct test_context *t, const struct machine_check_run *run)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        bts_rewind();
        if (run->prepare && !run->prepare(t))
            return false;
        run_rounds(t, run);
        if (has_come_in_time(run))
            return true;
        if (!current.came)
            return give_up(t);
    }
    test_skip(
        t,
        "%u machine checks came, none in the middle of the rounds: run it again on a host with"
        " less to do",
        ATTEMPTS);
    return false;
}

bool machine_check_has_no_lab(char *why, size_t size)
{
    bool has_none = !lab_can(LAB_MACHINE_CHECK);

    if (has_none)
        format_string(
            why, size,
            "nobody injects a machine check: no lab=machine-check; a board has no way to");
    return has_none;
}

bool machine_check_is_possible(struct test_context *t)
{
    char why[REASON_SIZE];

    if (machine_check_has_no_lab(why, sizeof why))
        test_skip(t, "%s", why);
    else if (lab_is_silent)
        test_fail(t, "the lab did not answer before and is not asked again");
    return lab_can(LAB_MACHINE_CHECK) && !lab_is_silent;
}

bool machine_check_run(struct test_context *t, const struct machine_check_run *run,
                       struct machine_check_observation *seen)
{
    bool in_time;

    if (!machine_check_is_possible(t))
        return false;
    current.run = run;
    current.seen = seen;
    current.area = run->user ? &rounds_user_area : &rounds_area;
    interrupt_set_handler(VECTOR_MC, on_machine_check);
    machine_check_report();
    in_time = try_until_in_time(t, run);
    machine_check_report_end();
    interrupt_set_handler(VECTOR_MC, NULL);
    seen->bts_after = bts_index();
    seen->pebs_after = pebs_index();
    seen->changed = __builtin_memcmp(seen->records, bts_records(), sizeof seen->records) != 0;
    return in_time;
}
