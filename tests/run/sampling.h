/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets PEBS counters run around a workload, and keeps all that can be seen of it. */
#ifndef TESTS_RUN_SAMPLING_H
#define TESTS_RUN_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/pmi.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/workloads/workload.h"

#define SAMPLING_EVENTS_MAX  8
#define SAMPLING_BTS_RECORDS 16 /* of the BTS buffer */

/* Events. With a shorter period errata excuse wrong interrupts and counts. */
#define SAMPLING_SHORT_PERIOD 100

/* Fields that hold something else while IA32_DS_AREA is written, and get their values after. */
#define SAMPLING_LATE_RESETS    1u
#define SAMPLING_LATE_MAXIMUM   2u
#define SAMPLING_LATE_THRESHOLD 4u

struct sampling_counter {
    struct counter counter;
    enum pmu_event event;
    unsigned flags; /* COUNTER_…; 0: both rings */
    uint64_t first; /* events to the first overflow */
    uint64_t reset; /* events from a reload to the next overflow: its slot holds minus that */
    bool plain;     /* not in IA32_PEBS_ENABLE */
    uint64_t allow; /* of architectural PEBS: what its CFG_C has besides: that others' records may
                       have its value (PEBS_ARCH_ALLOW_IN_RECORD), or groups of a plain one */
    uint64_t value; /* result */
};

struct sampling {
    void (*entry)(void); /* NULL: registers_run */
    uint64_t moved;      /* bytes from registers_run to the entry, where it has a second address */
    uint64_t argument;
    const struct workload *landings;  /* whose landings must be set; may be NULL */
    size_t records, threshold;        /* threshold: in records, or PEBS_NO_THRESHOLD */
    unsigned late;                    /* SAMPLING_LATE_… */
    const struct pebs_fields *fields; /* NULL, or what these hold; the index need be no record's */
    uint64_t data_config;
    struct pebs_arch_layout arch; /* of architectural PEBS, which has no records, threshold, late,
                                     fields, data_config and others_adaptive */
    uint64_t arch_groups;         /* PEBS_ARCH_… */
    bool others_adaptive; /* format 4 on: the other counters' adaptive bits are set, theirs are not
                           */
    uint64_t debugctl;    /* while the workload runs, and some instructions before and after */
    void (*before)(void); /* called when all is laid out, ahead of the counters; NULL: nothing */
    size_t bts_threshold, bts_first; /* of the BTS buffer, in records; 0: none to reach, the base */
    uint64_t frozen; /* bits of IA32_PERF_GLOBAL_STATUS that software sets before, version 4 on */
    unsigned count;
    struct sampling_counter counters[PMU_COUNTERS_MAX];
    enum apic_delivery delivery; /* fixed ones are held off */
    size_t interrupts_wanted;    /* stop waiting for late interrupts once so many have come */

    /* Results. */
    uint64_t status;    /* IA32_PERF_GLOBAL_STATUS when the counters had stopped */
    size_t index;       /* in records; PEBS_NO_THRESHOLD: off a record boundary */
    size_t index_bytes; /* from the base, in the DS area; before PEBS is off, which may store one
                           more */
    uint64_t tsc_before, tsc_after; /* around the run */
    uint64_t pebs_enable_end;       /* IA32_PEBS_ENABLE when the counters had stopped */
    size_t interrupts;              /* PMIs, held off until the counters had stopped */
    struct pmi_event events[SAMPLING_EVENTS_MAX];
    struct pebs_arch_index arch_end; /* when the counters had stopped */
};

/* Whether runs are of architectural PEBS: where there is that, and no PEBS of the DS area. */
bool sampling_is_architectural(void);

/* The bits, by sampling_bit(), of the counters that can sample. */
uint64_t sampling_mask(void);

/* Of the last run, as far as it has so many records: what the record in this slot says. */
void sampling_decode(size_t slot, struct pebs_record *record);

/* A byte touched outside of the first so many records: NULL, or where. */
const char *sampling_find_stray_write(size_t records);

/* Adds a counter; its IA32_PEBS_ENABLE bit is sampling_bit(). */
struct sampling_counter *sampling_add(struct sampling *sampling, struct counter counter,
                                      enum pmu_event event, uint64_t first, uint64_t reset);
uint64_t sampling_bit(struct counter counter);

/*
 * Runs with IF = 0, again when a system management interrupt came meanwhile. False after a
 * test_fail() when it could not be set up, or left an index that is none, or after a test_skip()
 * when a counter has no event (sample_events.h). Everything is off
 * afterwards. Learns ahead when records are stored (sample_when.h).
 */
bool sampling_run(struct test_context *t, struct sampling *sampling);

/* The same, though nothing is known yet of when records are stored: to learn it. */
bool sampling_try(struct test_context *t, struct sampling *sampling);

/* Fails the test when anything outside the first so many records was touched. */
bool sampling_expect_no_stray_write(struct test_context *t, size_t records);

#endif
