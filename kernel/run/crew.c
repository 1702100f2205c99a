/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On the processor that booted. */
#include "kernel/run/crew.h"

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/memory/kernel_map.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/memory/world.h"
#include "arch/lib/printf.h"
#include "boot/boot_info.h"
#include "boot/memory_map.h"
#include "kernel/run/crew_choose.h"
#include "kernel/run/crew_log.h"
#include "kernel/run/crew_member.h"
#include "kernel/run/disturbance.h"
#include "kernel/report/machine.h"
#include "kernel/run/plan.h"
#include "kernel/screen/progress.h"
#include "kernel/run/soak.h"
#include "kernel/report/summary.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"

#define LOG_BYTES          (512u << 10)
#define START_MICROSECONDS 2000000u
#define FIRST_MICROSECONDS 10000000u /* for a worker's first sign */
#define CALL_MICROSECONDS  2000000u  /* from one call to the next */
#define CALLS              2u        /* that one which hangs is given */
#define NAP_MICROSECONDS   200u

static bool is_foreseen;

/* Data of workers for this processor only. */
static struct attended {
    struct crew_log log;
    unsigned signs;    /* of life that were seen */
    uint64_t deadline; /* this processor's TSC: for the next sign, or the effect of a call */
    unsigned calls;    /* since the last sign */
    char suffix[MEMBER_SUFFIX_SIZE];
} attended[CREW_MAX];

/* --- worlds --- */

static bool make_world(struct member *member, uint64_t *from)
{
    uint64_t size = world_size() + LOG_BYTES;
    uint64_t at = memory_map_find(&boot_info, *from, UINT64_MAX, size);

    if (at == 0)
        return false;
    *from = at + size;
    member->world = at;
    member->log = paging_map_physical(at + world_size(), LOG_BYTES, PAGE_WRITE_BACK);
    if (member->log == NULL)
        return false;
    ktap_ring_open(member->log, LOG_BYTES);
    return world_make(at);
}

static void take_in(unsigned number, uint64_t *from, const struct options *options)
{
    struct member *member = &crew_members()[crew_count()];

    if (crew_count() == CREW_MAX || !make_world(member, from)) {
        ktap_comment(LEVEL_RUN, "processor %u, APIC id %u: no tests there: no memory for a world",
                     number, crew_id(number));
        return;
    }
    member->slot = crew_count() + 1;
    member->number = number;
    member->options = options;
    member->apic_id = crew_id(number);
    attended[crew_count()].log.ring = member->log;
    crew_add();
}

void crew_gather(const struct options *options, member_run run)
{
    uint64_t from = kernel_map_extent().end;

    member_runs(run);

    for (unsigned number = 1; crew_id(number) != UINT32_MAX; number++)
        if (crew_wants(options, number))
            take_in(number, &from, options);
}

void crew_foresee(const struct options *options)
{
    is_foreseen = crew_wants_anybody(options);
}

bool crew_is_there(void)
{
    return crew_count() > 0 || is_foreseen;
}

/* --- one member --- */

static bool is_at_work(const struct member *member)
{
    enum member_state state = member_state(member);

    return state == MEMBER_STARTS || state == MEMBER_RUNS;
}

static bool is_starting(const struct member *member)
{
    return member_state(member) == MEMBER_STARTS;
}

/* sharers: number of workers that share the rest of the time, one after another. */
static void send(struct member *member, struct attended *own, unsigned sharers)
{
    struct wait wait = time_wait(START_MICROSECONDS);

    member->processors = crew_count() + 1;
    member->soak = soak_left() == SOAK_FOREVER ? SOAK_FOREVER : soak_left() / sharers;
    own->deadline = time_deadline_microseconds(FIRST_MICROSECONDS);
    member_set_state(member, MEMBER_STARTS);
    member->wrong = processor_send_off(member->apic_id, member->world, member_main, member);
    while (member->wrong == NULL && is_starting(member) && wait_goes_on(&wait))
        watchdog_nap(NAP_MICROSECONDS);
    member->tsc_ahead = processor_tsc_ahead();
    if (member->wrong == NULL && is_starting(member))
        member->wrong = "it started in real-address mode and did not come to its world";
    if (member->wrong != NULL)
        member_set_state(member, MEMBER_REFUSED);
}

void crew_send_all(void)
{
    for (unsigned i = 0; i < crew_count(); i++)
        send(&crew_members()[i], &attended[i], 1);
}

static void call(struct member *member, struct attended *own)
{
    own->calls++;
    own->deadline = time_deadline_microseconds(CALL_MICROSECONDS);
    member->is_called = true;
    apic_send_nmi(member->apic_id);
}

/* Reported at once, because a soak ends late. */
static void lose(struct member *member)
{
    char name[TEST_NAME_SIZE];

    member_set_state(member, MEMBER_LOST);
    processor_call_back(member->apic_id);
    ktap_comment(LEVEL_RUN,
                 "processor %u, APIC id %u, hung%s%s and could not be called back: it is left "
                 "behind",
                 member->number, member->apic_id, member->test != NULL ? " in " : "",
                 member->test != NULL ? test_full_name(member->test, name) : "");
    soak_end_by_failure();
}

/* An NMI ends the test there, and the next begins; if that fails, the worker is lost. */
static void look_at(struct member *member, struct attended *own)
{
    unsigned signs = __atomic_load_n(&member->signs, __ATOMIC_ACQUIRE);

    if (signs != own->signs) {
        own->signs = signs;
        own->deadline = time_deadline_microseconds(member->patience);
        own->calls = 0;
    } else if (time_passed(own->deadline)) {
        if (own->calls < CALLS)
            call(member, own);
        else
            lose(member);
    }
}

void crew_look(void)
{
    if (member_is_here())
        return;
    for (unsigned i = 0; i < crew_count(); i++)
        if (member_state(&crew_members()[i]) == MEMBER_RUNS)
            look_at(&crew_members()[i], &attended[i]);
    for (unsigned i = 0; i < crew_count(); i++)
        crew_log_follow_remarks(&attended[i].log);
    soak_beat();
    progress_soak(NULL);
}

/* --- its tests in the log --- */

/* A worker writes all of its log before it sets its state to done. */
static void follow(const struct member *member, struct crew_log *log, unsigned *number)
{
    bool is_over;

    do {
        is_over = !is_at_work(member);
        if (crew_log_follow(log, number))
            continue;
        crew_look();
        if (!is_over)
            watchdog_nap(NAP_MICROSECONDS);
    } while (!is_over);
}

static void tell_refused(const struct member *member)
{
    if (member_state(member) == MEMBER_REFUSED)
        ktap_comment(LEVEL_RUN, "processor %u, APIC id %u, runs no tests: %s", member->number,
                     member->apic_id, member->wrong);
}

bool crew_read(const struct member *member, const void *variable, void *out, size_t size)
{
    return world_read(member->world, variable, out, size);
}

/* Reads counts and names, valid whatever a lost worker was doing. */
static void take_summary(const struct member *member, struct attended *own)
{
    static struct summary its;

    if (crew_read(member, summary(), &its, sizeof(its)))
        summary_add_all(&its, member_suffix(member, own->suffix));
}

static void take_over(const struct member *member, struct attended *own)
{
    take_summary(member, own);
    outcome_add(outcome(), &member->outcome);
    for (size_t row = 0; row < ERRATA_MAX; row++)
        errata_count(row, member->errata[row]);
    disturbance_add_repeated(member->repeated);
}

static void run_member(struct member *member, struct attended *own, unsigned *number)
{
    if (member_state(member) == MEMBER_WAITS)
        send(member, own, crew_count() - (unsigned)(member - crew_members()));
    machine_print_processor(member->number, member->apic_id, member_identity(member));
    machine_print_tsc(member->apic_id, member->tsc_ahead);
    follow(member, &own->log, number);
    if (member_state(member) != MEMBER_LOST)
        processor_call_back(member->apic_id);
    if (member_state(member) != MEMBER_DONE) {
        tell_refused(member);
        crew_log_complete(&own->log, plan_of_member(member->number), member, number);
    }
    take_over(member, own);
}

void crew_tell_tests(unsigned *number)
{
    for (unsigned i = 0; !member_is_here() && i < crew_count(); i++)
        if (is_at_work(&crew_members()[i]) &&
            !crew_log_follow_tests(&attended[i].log,
                                   plan_of_member(crew_members()[i].number)->count, number))
            return;
}

void crew_run(unsigned *number)
{
    for (unsigned i = 0; i < crew_count(); i++)
        run_member(&crew_members()[i], &attended[i], number);
}

bool crew_lost_lines(void)
{
    for (unsigned i = 0; i < crew_count(); i++)
        if (crew_members()[i].log->lost > 0)
            return true;
    return false;
}

void crew_sum_up(void)
{
    for (unsigned i = 0; i < crew_count(); i++)
        crew_log_finish(&attended[i].log);
}
