/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/pmi_watch.h"

#include "kernel/time.h"

#define WAIT_FOR_WANTED_MICROSECONDS   1000000
#define WAIT_FOR_UNWANTED_MICROSECONDS 100

static struct pmi_event events[PMI_WATCH_EVENTS];
static struct pmi_log log;

static void start(enum pmi_policy policy, enum apic_delivery delivery,
                  void (*reload)(uint64_t overflowed))
{
    log = (struct pmi_log){
        .policy = policy,
        .delivery = delivery,
        .armed = PMI_CAUSE_COUNTER,
        .events = events,
        .event_capacity = PMI_WATCH_EVENTS,
        .reload = reload,
    };
    pmi_start(&log);
}

void pmi_watch_start(enum apic_delivery delivery)
{
    start(PMI_COUNT, delivery, NULL);
}

void pmi_watch_serve(void (*reload)(uint64_t overflowed))
{
    start(PMI_SERVE, APIC_DELIVERY_FIXED, reload);
}

void pmi_watch_stop(void)
{
    pmi_stop();
}

/* The interrupt routine counts behind the compiler's back. */
static size_t so_far(void)
{
    return *(volatile size_t *)&log.event_count;
}

size_t pmi_watch_wait(size_t wanted)
{
    struct wait wait = time_wait(WAIT_FOR_WANTED_MICROSECONDS);

    while (so_far() < wanted && wait_goes_on(&wait))
        ;
    wait = time_wait(WAIT_FOR_UNWANTED_MICROSECONDS);
    while (wait_goes_on(&wait))
        ;
    return so_far();
}

const struct pmi_event *pmi_watch_event(size_t number)
{
    return &events[number];
}
