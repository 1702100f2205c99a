/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workers (kernel/run/crew.h): what all processors know of them, and what a worker calls. */
#ifndef KERNEL_RUN_CREW_MEMBER_H
#define KERNEL_RUN_CREW_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"
#include "kernel/console/ktap_ring.h"
#include "kernel/machine/place.h"
#include "kernel/report/test.h"
#include "kernel/run/outcome.h"

#define CREW_MAX 255u

enum member_state {
    MEMBER_WAITS, /* it is not started */
    MEMBER_STARTS,
    MEMBER_RUNS,
    MEMBER_DONE,
    MEMBER_REFUSED, /* wrong says why it runs nothing */
    MEMBER_LOST,    /* it hung, and nothing could bring it back */
};

/* Shared memory of a worker and the processor that booted. */
struct member {
    unsigned slot, number; /* kernel/machine/place.h */
    uint32_t apic_id;
    uint64_t world;          /* physical address */
    struct ktap_ring *log;   /* at the same address in both images */
    enum member_state state; /* written by both: member_state() */
    const char *wrong;
    const struct options *options; /* in its private image */
    unsigned processors;           /* number of those that run tests */
    uint64_t soak;                 /* microseconds of its soak */
    const struct test *test;       /* running test, or NULL */
    unsigned signs;                /* of life, a count: TSCs may differ (F14.17) */
    uint64_t patience;             /* microseconds until the next sign */
    int64_t tsc_ahead;             /* ticks, of the TSC of the processor that booted */
    bool is_called;                /* by an NMI, because its time is up */

    /* Valid when it is done. */
    struct outcome outcome;
    unsigned errata[ERRATA_MAX]; /* findings that each erratum explains */
    unsigned repeated;           /* runs of tests that something disturbed */
};

unsigned crew_count(void);

/* Number i, from 0; NULL past the last. */
const struct member *crew_member(unsigned i);

/* The worker's place_suffix(), "@E2". Returns text. */
#define MEMBER_SUFFIX_SIZE (PLACE_LABEL_SIZE + 1)
char *member_suffix(const struct member *member, char text[MEMBER_SUFFIX_SIZE]);

/* Its identity; NULL until it has read it. */
const struct cpu_identity *member_identity(const struct member *member);

/* Atomic, because two processors write the state. */
enum member_state member_state(const struct member *member);
void member_set_state(struct member *member, enum member_state state);

/* For crew.c: the array of workers; and adding one. */
struct member *crew_members(void);
void crew_add(void);

/* --- called by a worker; on the processor that booted these do nothing --- */

/* Runs the tests planned for the worker; soak: microseconds of its soak. */
typedef void (*member_run)(const struct options *options, uint64_t soak);

/* Sets that function, before the private images are made. */
void member_runs(member_run run);

/* Entry of a worker; argument is its struct member. */
void member_main(void *argument) __attribute__((noreturn));

bool member_is_here(void);

/* Before a test: waits until the log has room for a test's lines. */
void member_waits_for_room(void);

/* Gives a sign of life; the next comes within so many microseconds. */
void member_lives(const struct test *test, uint64_t microseconds);

/* Ends the worker's run, for whatever reason. */
void member_ends(void) __attribute__((noreturn));

#endif
