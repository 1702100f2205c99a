/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/worker.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/private_image.h"
#include "arch/cpu/smp/processors.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/branch_trace.h"
#include "kernel/run/interference.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"

#define ROOM_BYTES        (128u << 10) /* more than a test says */
#define NAP_MICROSECONDS  1000u
#define LATE_MICROSECONDS 1000000u

static SHARED_BY_IMAGES struct worker workers[WORKERS_MAX];
static unsigned count;
static worker_run run;
static struct worker *self; /* NULL: this is the processor that booted */

unsigned worker_count(void)
{
    return count;
}

const struct worker *worker_at(unsigned i)
{
    return i < count ? &workers[i] : NULL;
}

/* Not all are probed before they start. */
const struct cpu_identity *worker_identity(const struct worker *worker)
{
    const struct cpu_identity *identity = cpu_slot_identity(worker->slot);

    if (identity == NULL && worker->number < processor_count())
        identity = features_identity(worker->number);
    return identity;
}

char *worker_suffix(const struct worker *worker, char text[WORKER_SUFFIX_SIZE])
{
    static const struct cpu_identity unknown;
    const struct cpu_identity *identity = worker_identity(worker);
    char label[CPU_LABEL_SIZE];

    format_string(text, WORKER_SUFFIX_SIZE, "@%s",
                  cpu_label_of(worker->number, identity != NULL ? identity : &unknown, label));
    return text;
}

struct worker *workers_all(void)
{
    return workers;
}

void workers_add(void)
{
    count++;
}

void worker_runs(worker_run what)
{
    run = what;
}

enum worker_state worker_state(const struct worker *worker)
{
    return __atomic_load_n(&worker->state, __ATOMIC_ACQUIRE);
}

void worker_set_state(struct worker *worker, enum worker_state state)
{
    __atomic_store_n(&worker->state, state, __ATOMIC_RELEASE);
}

bool worker_is_here(void)
{
    return self != NULL;
}

void worker_lives(const struct test *test, uint64_t microseconds)
{
    if (self == NULL)
        return;
    self->test = test;
    self->patience = microseconds;
    __atomic_store_n(&self->signs, self->signs + 1, __ATOMIC_RELEASE);
}

/* The log's writer may be busy with its own tests, or with another worker's log. */
void worker_waits_for_room(void)
{
    while (self != NULL && ktap_ring_room(self->log) < ROOM_BYTES) {
        worker_lives(NULL, NAP_MICROSECONDS + LATE_MICROSECONDS);
        watchdog_nap(NAP_MICROSECONDS);
    }
}

static void stand_still(enum worker_state state) __attribute__((noreturn));

static void stand_still(enum worker_state state)
{
    worker_set_state(self, state);
    for (;;) {
        insn_cli();
        insn_hlt();
    }
}

void worker_ends(void)
{
    self->outcome = *outcome();
    self->repeated = interference_repeated();
    memcpy(self->errata, errata_counts(), sizeof(self->errata));
    stand_still(WORKER_DONE);
}

/* The NMI of the processor that booted, which means that the time is up. */
static bool is_called(void)
{
    return __atomic_exchange_n(&self->is_called, false, __ATOMIC_ACQ_REL);
}

void worker_main(void *argument)
{
    self = argument;
    self->wrong = processor_be_alone(self->apic_id);
    if (self->wrong != NULL)
        stand_still(WORKER_REFUSED);
    features_probe();
    console_leave();
    ktap_record_to(self->log);
    cpu_become(self->slot, self->number);
    watchdog_be_called(is_called);
    worker_set_state(self, WORKER_RUNS);
    trace_share(self->processors);
    insn_sti();
    run(self->options, self->soak);
    worker_ends();
}
