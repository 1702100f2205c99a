/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/pmi_watch.h"

#include "tests/run/run.h"

static struct pmi_event events[PMI_WATCH_EVENTS];
static struct pmi_log log;

static void start(enum pmi_policy policy, enum apic_delivery delivery,
                  void (*reload)(uint64_t overflowed),
                  void (*observe)(const struct pmi_event *event))
{
    log = (struct pmi_log){
        .policy = policy,
        .delivery = delivery,
        .armed = PMI_CAUSE_COUNTER,
        .events = events,
        .event_capacity = PMI_WATCH_EVENTS,
        .reload = reload,
        .observe = observe,
    };
    pmi_start(&log);
}

void pmi_watch_start(enum apic_delivery delivery)
{
    start(PMI_COUNT, delivery, NULL, NULL);
}

void pmi_watch_serve(void (*reload)(uint64_t overflowed))
{
    start(PMI_SERVE, APIC_DELIVERY_FIXED, reload, NULL);
}

void pmi_watch_observe(void (*observe)(const struct pmi_event *event))
{
    start(PMI_COUNT, APIC_DELIVERY_FIXED, NULL, observe);
}

void pmi_watch_stop(void)
{
    pmi_stop();
}

size_t pmi_watch_wait(size_t wanted)
{
    return run_wait(&log, wanted);
}

const struct pmi_event *pmi_watch_event(size_t number)
{
    return &events[number];
}
