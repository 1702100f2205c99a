/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/crew_member.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/world.h"
#include "arch/cpu/smp/processors.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/branch_trace.h"
#include "kernel/console/console.h"
#include "kernel/run/disturbance.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/place.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"

#define ROOM_BYTES        (128u << 10) /* more than a test says */
#define NAP_MICROSECONDS  1000u
#define LATE_MICROSECONDS 1000000u

static WORLD_SHARED struct member members[CREW_MAX];
static unsigned count;
static member_run run;
static struct member *self; /* NULL: this is the processor that booted */

unsigned crew_count(void)
{
    return count;
}

const struct member *crew_member(unsigned i)
{
    return i < count ? &members[i] : NULL;
}

/* Not all are probed before they start. */
const struct cpu_identity *member_identity(const struct member *member)
{
    const struct cpu_identity *identity = place_identity(member->slot);

    if (identity == NULL && member->number < processor_count())
        identity = features_identity(member->number);
    return identity;
}

char *member_suffix(const struct member *member, char text[MEMBER_SUFFIX_SIZE])
{
    static const struct cpu_identity unknown;
    const struct cpu_identity *identity = member_identity(member);
    char label[PLACE_LABEL_SIZE];

    format_string(text, MEMBER_SUFFIX_SIZE, "@%s",
                  place_label(member->number, identity != NULL ? identity : &unknown, label));
    return text;
}

struct member *crew_members(void)
{
    return members;
}

void crew_add(void)
{
    count++;
}

void member_runs(member_run what)
{
    run = what;
}

enum member_state member_state(const struct member *member)
{
    return __atomic_load_n(&member->state, __ATOMIC_ACQUIRE);
}

void member_set_state(struct member *member, enum member_state state)
{
    __atomic_store_n(&member->state, state, __ATOMIC_RELEASE);
}

bool member_is_here(void)
{
    return self != NULL;
}

void member_lives(const struct test *test, uint64_t microseconds)
{
    if (self == NULL)
        return;
    self->test = test;
    self->patience = microseconds;
    __atomic_store_n(&self->signs, self->signs + 1, __ATOMIC_RELEASE);
}

/* The log's writer may be busy with its own tests, or with another worker's log. */
void member_waits_for_room(void)
{
    while (self != NULL && ktap_ring_room(self->log) < ROOM_BYTES) {
        member_lives(NULL, NAP_MICROSECONDS + LATE_MICROSECONDS);
        watchdog_nap(NAP_MICROSECONDS);
    }
}

static void stand_still(enum member_state state) __attribute__((noreturn));

static void stand_still(enum member_state state)
{
    member_set_state(self, state);
    for (;;) {
        insn_cli();
        insn_hlt();
    }
}

void member_ends(void)
{
    self->outcome = *outcome();
    self->repeated = disturbance_repeated();
    memcpy(self->errata, errata_counts(), sizeof(self->errata));
    stand_still(MEMBER_DONE);
}

/* The NMI of the processor that booted, which means that the time is up. */
static bool is_called(void)
{
    return __atomic_exchange_n(&self->is_called, false, __ATOMIC_ACQ_REL);
}

void member_main(void *argument)
{
    self = argument;
    self->wrong = processor_be_alone(self->apic_id);
    if (self->wrong != NULL)
        stand_still(MEMBER_REFUSED);
    features_probe();
    console_leave();
    ktap_record_to(self->log);
    place_become(self->slot, self->number);
    watchdog_be_called(is_called);
    member_set_state(self, MEMBER_RUNS);
    trace_share(self->processors);
    insn_sti();
    run(self->options, self->soak);
    member_ends();
}
