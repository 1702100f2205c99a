/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a workload under PEBS counters and keeps all that can be seen. */
#ifndef TESTS_SPEC_SAMPLES_SAMPLING_H
#define TESTS_SPEC_SAMPLES_SAMPLING_H

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
#define SAMPLING_BTS_RECORDS 16 /* size of the BTS buffer */

/* Events. With shorter periods errata excuse wrong interrupts and counts. */
#define SAMPLING_SHORT_PERIOD 100
#define SAMPLING_NEVER        0x7fffffff /* of a counter that overflows but once */

/* Bits of `late`: the fields that get their values only after IA32_DS_AREA was written. */
#define SAMPLING_LATE_RESETS    1u
#define SAMPLING_LATE_MAXIMUM   2u
#define SAMPLING_LATE_THRESHOLD 4u

struct sampling_counter {
    struct counter counter;
    enum pmu_event event;
    unsigned flags; /* COUNTER_…; 0: both rings */
    uint64_t first; /* events to the first overflow */
    uint64_t reset; /* events from a reload to the next overflow; its slot holds the negative */
    bool plain;     /* not in IA32_PEBS_ENABLE */
    uint64_t allow; /* architectural PEBS: further bits of its CFG_C. PEBS_ARCH_ALLOW_IN_RECORD lets
                       other counters' records have its value. If plain, groups may be among them */
    uint64_t value; /* result: the counter's value at the end */
};

struct sampling {
    unsigned ring;       /* of the steps; see sampling_set_ring() */
    void (*entry)(void); /* NULL: registers_run */
    uint64_t moved;      /* bytes from registers_run to the entry, if it runs at a second address */
    uint64_t argument;
    const struct workload *entry_points; /* the workload whose entry points must be set, or NULL */
    size_t records, threshold;           /* threshold: in records, or PEBS_NO_THRESHOLD */
    unsigned late;                       /* SAMPLING_LATE_… */
    const struct pebs_fields *fields;    /* NULL, or values for pebs_set_fields() */
    uint64_t data_config;
    struct pebs_arch_layout arch; /* architectural PEBS; records, threshold, late, fields,
                                     data_config and basic do not apply to it */
    uint64_t arch_groups;         /* PEBS_ARCH_… */
    uint64_t basic;       /* from format 4 on: the adaptive bits of all counters but these are set;
                             0: of those that sample */
    uint64_t debugctl;    /* while the workload runs, and some instructions before and after */
    void (*before)(void); /* called after the setup, before the counters; may be NULL */
    size_t bts_threshold, bts_first; /* of the BTS buffer, in records; threshold 0: none */
    uint64_t frozen;                 /* IA32_PERF_GLOBAL_STATUS bits to set first; perfmon 4 */
    unsigned count;
    struct sampling_counter counters[PMU_COUNTERS_MAX];
    enum apic_delivery delivery; /* fixed delivery is held off */
    size_t interrupts_wanted;    /* stop waiting for late interrupts once so many have come */

    /* Results. */
    uint64_t status;    /* IA32_PERF_GLOBAL_STATUS after the counters stopped */
    size_t index;       /* in records; PEBS_NO_THRESHOLD: not at a record boundary */
    size_t index_bytes; /* from the base; read before PEBS goes off, which may store one more */
    uint64_t tsc_before, tsc_after; /* around the run */
    uint64_t pebs_enable_end;       /* IA32_PEBS_ENABLE after the counters stopped */
    size_t interrupts;              /* PMIs, held off until the counters stopped */
    struct pmi_event events[SAMPLING_EVENTS_MAX];
    struct pebs_arch_index arch_end; /* after the counters stopped */
};

/* Do runs use architectural PEBS? So if the processor has it, and no PEBS in the DS area. */
bool sampling_is_architectural(void);

/* Decodes the record in this slot, from 0, of the last run. */
void sampling_decode(size_t slot, struct pebs_record *record);

/* Where a byte outside the first `records` records was written, or NULL. */
const char *sampling_find_stray_write(size_t records);

/* Adds a counter; its IA32_PEBS_ENABLE bit is sampling_bit(). */
struct sampling_counter *sampling_add(struct sampling *sampling, struct counter counter,
                                      enum pmu_event event, uint64_t first, uint64_t reset);
uint64_t sampling_bit(struct counter counter);

/* Lets the steps run in ring 1, 2 or 3, with the first counter counting above CPL 0 alone. Ring 3
 * needs FEATURE_SYSCALL. */
void sampling_set_ring(struct sampling *sampling, unsigned ring);

/* The bits of the run's counters that are in IA32_PEBS_ENABLE. */
uint64_t sampling_enabled(const struct sampling *sampling);

/*
 * Runs with IF = 0, and again if a system management interrupt came. First learns when records are
 * stored (sample_when.h). Switches everything off. False after a test_fail() if the setup was
 * refused or the index left is invalid, or after a test_skip() if a counter has no event
 * (sample_events.h).
 */
bool sampling_run(struct test_context *t, struct sampling *sampling);

/* The same without learning first: sample_when.h learns by it. */
bool sampling_try(struct test_context *t, struct sampling *sampling);

/* Fails the test if anything outside the first `records` records was written. */
bool sampling_expect_no_stray_write(struct test_context *t, size_t records);

#endif
