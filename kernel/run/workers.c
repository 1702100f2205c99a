/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On the processor that booted. */
#include "kernel/run/workers.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/identity/topology.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/memory/private_image.h"
#include "arch/cpu/smp/processors.h"
#include "arch/lib/printf.h"
#include "boot/boot_info.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"
#include "kernel/run/interference.h"
#include "kernel/run/plan.h"
#include "kernel/run/soak.h"
#include "kernel/screen/dashboard.h"

#define LOG_BYTES          (512u << 10)
#define START_MICROSECONDS 2000000u
#define FIRST_MICROSECONDS 10000000u /* for a worker's first sign */
#define CALL_MICROSECONDS  2000000u  /* from one call to the next */
#define CALLS              2u        /* that one which hangs is given */
#define NAP_MICROSECONDS   200u

static bool is_foreseen;

/* Data of workers for this processor only. */
static struct attended {
    struct worker_log log;
    unsigned signs;    /* of life that were seen */
    uint64_t deadline; /* this processor's TSC: for the next sign, or the effect of a call */
    unsigned calls;    /* since the last sign */
    char suffix[WORKER_SUFFIX_SIZE];
} attended[WORKERS_MAX];

/* --- their choice --- */

static bool has_low_number(uint32_t id)
{
    unsigned i = 0;

    while (i < processor_count() && processor_apic_id(i) != id)
        i++;
    return i < processor_count();
}

/* The APIC id of the processor with this number, from 1 on; UINT32_MAX past the last. Processors
 * without a number in processors.h follow, in the order in which they were found. */
static uint32_t id_of(unsigned number)
{
    unsigned behind = number - processor_count();
    uint32_t id;

    if (number < processor_count())
        return processor_apic_id(number);
    for (unsigned i = 0; (id = processor_found(i)) != UINT32_MAX; i++)
        if (!has_low_number(id) && behind-- == 0)
            return id;
    return UINT32_MAX;
}

static bool is_first_of_kind(unsigned number)
{
    return number < processor_count() && features_are_probed(number) &&
           cpu_first_of_kind(number) == number;
}

static bool shares_the_core(unsigned number)
{
    struct topology topology = topology_read(cpu_features()->identity.max_leaf, insn_cpuid);

    return topology.leaf != 0 &&
           topology_kinship(&topology, processor_apic_id(0), id_of(number)) == KIN_CORE;
}

/* Does cpu= ask for tests on this processor? */
static bool wants(const struct options *options, unsigned number)
{
    switch (options->places) {
    case PLACES_BOOT:
    case PLACES_ONE:
        return false;
    case PLACES_OF_KINDS:
        return is_first_of_kind(number);
    case PLACES_PAIR:
        return shares_the_core(number);
    case PLACES_LISTED:
        return options_lists_place(options, number);
    default:
        return true;
    }
}

/* Does cpu= ask for any worker, as far as is known before processors are started? */
static bool wants_anybody(const struct options *options)
{
    if (options->places == PLACES_OF_KINDS && identity_is_hybrid())
        return true;
    for (unsigned number = 1; id_of(number) != UINT32_MAX; number++)
        if (wants(options, number))
            return true;
    return false;
}

const char *workers_obstacle(const struct options *options)
{
    if (options->places == PLACES_PAIR && !wants_anybody(options))
        return "cpu=pair: no other thread of this core was found";
    for (unsigned number = 1; options->places == PLACES_LISTED && number < PLACES_MAX; number++)
        if (options_lists_place(options, number) && id_of(number) == UINT32_MAX)
            return "cpu=: no processor has one of these numbers; the log of cpu=each names them";
    return NULL;
}

/* --- private images --- */

static bool make_image(struct worker *worker, uint64_t *from)
{
    uint64_t size = private_image_size() + LOG_BYTES;
    uint64_t at = memory_map_find(&boot_info, *from, UINT64_MAX, size);

    if (at == 0)
        return false;
    *from = at + size;
    worker->image = at;
    worker->log = paging_map_physical(at + private_image_size(), LOG_BYTES, PAGE_WRITE_BACK);
    if (worker->log == NULL)
        return false;
    ktap_ring_open(worker->log, LOG_BYTES);
    return private_image_make(at);
}

static void take_in(unsigned number, uint64_t *from, const struct options *options)
{
    struct worker *worker = &workers_all()[worker_count()];

    if (worker_count() == WORKERS_MAX || !make_image(worker, from)) {
        ktap_comment(LEVEL_RUN, "processor %u, APIC id %u: no tests there: no memory for a world",
                     number, id_of(number));
        return;
    }
    worker->slot = worker_count() + 1;
    worker->number = number;
    worker->options = options;
    worker->apic_id = id_of(number);
    attended[worker_count()].log.ring = worker->log;
    workers_add();
}

void workers_gather(const struct options *options, worker_run run)
{
    uint64_t from = kernel_map_extent().end;

    worker_runs(run);

    for (unsigned number = 1; id_of(number) != UINT32_MAX; number++)
        if (wants(options, number))
            take_in(number, &from, options);
}

void workers_foresee(const struct options *options)
{
    is_foreseen = wants_anybody(options);
}

bool workers_are_there(void)
{
    return worker_count() > 0 || is_foreseen;
}

/* --- one worker --- */

static bool is_at_work(const struct worker *worker)
{
    enum worker_state state = worker_state(worker);

    return state == WORKER_STARTS || state == WORKER_RUNS;
}

static bool is_starting(const struct worker *worker)
{
    return worker_state(worker) == WORKER_STARTS;
}

/* sharers: number of workers that share the rest of the time, one after another. */
static void send(struct worker *worker, struct attended *own, unsigned sharers)
{
    struct wait wait = time_wait(START_MICROSECONDS);

    worker->processors = worker_count() + 1;
    worker->soak = soak_left() / sharers;
    own->deadline = time_deadline_microseconds(FIRST_MICROSECONDS);
    worker_set_state(worker, WORKER_STARTS);
    worker->wrong = processor_send_off(worker->apic_id, worker->image, worker_main, worker);
    while (worker->wrong == NULL && is_starting(worker) && wait_goes_on(&wait))
        watchdog_nap(NAP_MICROSECONDS);
    worker->tsc_ahead = processor_tsc_ahead();
    if (worker->wrong == NULL && is_starting(worker))
        worker->wrong = "it started in real-address mode and did not come to its world";
    if (worker->wrong != NULL)
        worker_set_state(worker, WORKER_REFUSED);
}

void workers_send_all(void)
{
    for (unsigned i = 0; i < worker_count(); i++)
        send(&workers_all()[i], &attended[i], 1);
}

static void call(struct worker *worker, struct attended *own)
{
    own->calls++;
    own->deadline = time_deadline_microseconds(CALL_MICROSECONDS);
    worker->is_called = true;
    apic_send_nmi(worker->apic_id);
}

/* Reported at once, because a soak ends late. */
static void lose(struct worker *worker)
{
    char name[TEST_NAME_SIZE];

    worker_set_state(worker, WORKER_LOST);
    processor_call_back(worker->apic_id);
    ktap_comment(LEVEL_RUN,
                 "processor %u, APIC id %u, hung%s%s and could not be called back: it is left "
                 "behind",
                 worker->number, worker->apic_id, worker->test != NULL ? " in " : "",
                 worker->test != NULL ? test_full_name(worker->test, name) : "");
    soak_end_by_failure();
}

/* An NMI ends the test there, and the next begins; if that fails, the worker is lost. */
static void look_at(struct worker *worker, struct attended *own)
{
    unsigned signs = __atomic_load_n(&worker->signs, __ATOMIC_ACQUIRE);

    if (signs != own->signs) {
        own->signs = signs;
        own->deadline = time_deadline_microseconds(worker->patience);
        own->calls = 0;
    } else if (time_passed(own->deadline)) {
        if (own->calls < CALLS)
            call(worker, own);
        else
            lose(worker);
    }
}

void workers_look(void)
{
    if (worker_is_here())
        return;
    for (unsigned i = 0; i < worker_count(); i++)
        if (worker_state(&workers_all()[i]) == WORKER_RUNS)
            look_at(&workers_all()[i], &attended[i]);
    for (unsigned i = 0; i < worker_count(); i++)
        worker_log_follow_comments(&attended[i].log);
    soak_beat();
    progress_soak(NULL);
}

/* --- its tests in the log --- */

/* A worker writes all of its log before it sets its state to done. */
static void follow(const struct worker *worker, struct worker_log *log, unsigned *number)
{
    bool is_over;

    do {
        is_over = !is_at_work(worker);
        if (worker_log_follow(log, number))
            continue;
        workers_look();
        if (!is_over)
            watchdog_nap(NAP_MICROSECONDS);
    } while (!is_over);
}

static void print_refused(const struct worker *worker)
{
    if (worker_state(worker) == WORKER_REFUSED)
        ktap_comment(LEVEL_RUN, "processor %u, APIC id %u, runs no tests: %s", worker->number,
                     worker->apic_id, worker->wrong);
}

bool worker_read(const struct worker *worker, const void *variable, void *out, size_t size)
{
    return private_image_read(worker->image, variable, out, size);
}

/* Reads counts and names, valid whatever a lost worker was doing. */
static void take_summary(const struct worker *worker, struct attended *own)
{
    static struct summary its;
    static struct sums_of_run its_sums;

    if (worker_read(worker, summary(), &its, sizeof(its)))
        summary_add_all(&its, worker_suffix(worker, own->suffix));
    if (worker_read(worker, sums_of_run(), &its_sums, sizeof(its_sums)))
        sums_add_all(&its_sums);
}

static void take_over(const struct worker *worker, struct attended *own)
{
    take_summary(worker, own);
    outcome_add(outcome(), &worker->outcome);
    for (size_t row = 0; row < ERRATA_MAX; row++)
        errata_count(row, worker->errata[row]);
    interference_add_repeated(worker->repeated);
}

static void run_worker(struct worker *worker, struct attended *own, unsigned *number)
{
    if (worker_state(worker) == WORKER_WAITS)
        send(worker, own, worker_count() - (unsigned)(worker - workers_all()));
    machine_print_processor(worker->number, worker->apic_id, worker_identity(worker));
    machine_print_tsc(worker->apic_id, worker->tsc_ahead);
    follow(worker, &own->log, number);
    if (worker_state(worker) != WORKER_LOST)
        processor_call_back(worker->apic_id);
    if (worker_state(worker) != WORKER_DONE) {
        print_refused(worker);
        worker_log_complete(&own->log, plan_of_worker(worker->number), worker, number);
    }
    take_over(worker, own);
}

void workers_print_tests(unsigned *number)
{
    for (unsigned i = 0; !worker_is_here() && i < worker_count(); i++)
        if (is_at_work(&workers_all()[i]) &&
            !worker_log_follow_tests(&attended[i].log,
                                     plan_of_worker(workers_all()[i].number)->count, number))
            return;
}

void workers_run(unsigned *number)
{
    for (unsigned i = 0; i < worker_count(); i++)
        run_worker(&workers_all()[i], &attended[i], number);
}

bool workers_lost_lines(void)
{
    for (unsigned i = 0; i < worker_count(); i++)
        if (workers_all()[i].log->lost > 0)
            return true;
    return false;
}

void workers_sum_up(void)
{
    for (unsigned i = 0; i < worker_count(); i++)
        worker_log_finish(&attended[i].log);
}
