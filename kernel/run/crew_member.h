/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of the crew (kernel/run/crew.h): what everybody knows of them, and one in its world.
 */
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
    MEMBER_WAITS, /* it was not sent off */
    MEMBER_STARTS,
    MEMBER_RUNS,
    MEMBER_DONE,
    MEMBER_REFUSED, /* wrong says why it runs nothing */
    MEMBER_LOST,    /* it hung, and nothing could bring it back */
};

/* What it and the processor that booted know of each other, in shared memory. */
struct member {
    unsigned slot, number; /* kernel/machine/place.h */
    uint32_t apic_id;
    uint64_t world;          /* physical address */
    struct ktap_ring *log;   /* at the same address in both worlds */
    enum member_state state; /* written by both: member_state() */
    const char *wrong;
    const struct options *options; /* in its world */
    unsigned processors;           /* that run tests in all */
    uint64_t soak;                 /* microseconds that it has for it */
    const struct test *test;       /* that it runs; NULL: none */
    unsigned signs;                /* of life, so far: its TSC is no time elsewhere (F14.17) */
    uint64_t patience;             /* microseconds until the next */
    int64_t tsc_ahead;             /* ticks, of the TSC of the processor that booted */
    bool is_called;                /* by an NMI: its time is up */

    /* When it is done. */
    struct outcome outcome;
    unsigned errata[ERRATA_MAX]; /* findings that each explains */
    unsigned repeated;           /* runs of tests that something disturbed */
};

unsigned crew_count(void);

/* Number i, from 0; NULL past the last. */
const struct member *crew_member(unsigned i);

/* "@E2", as kernel/machine/place.h has it there. Returns text. */
#define MEMBER_SUFFIX_SIZE (PLACE_LABEL_SIZE + 1)
char *member_suffix(const struct member *member, char text[MEMBER_SUFFIX_SIZE]);

/* Who it is; NULL where it did not come so far that it knows. */
const struct cpu_identity *member_identity(const struct member *member);

/* Written and read on two processors. */
enum member_state member_state(const struct member *member);
void member_set_state(struct member *member, enum member_state state);

/* For crew.c, which makes them: all, and one more. */
struct member *crew_members(void);
void crew_add(void);

/* --- in its world; on the processor that booted nothing happens --- */

/* Runs what is planned for it; soak: microseconds that it has for one. */
typedef void (*member_run)(const struct options *options, uint64_t soak);

/* Before the worlds are made. */
void member_runs(member_run run);

/* What its processor begins with, in its world: argument is its struct member. */
void member_main(void *argument) __attribute__((noreturn));

bool member_is_here(void);

/* Before a test: until the log has room for what it may say. */
void member_waits_for_room(void);

/* It is alive, and will say so again before so many microseconds have passed. */
void member_lives(const struct test *test, uint64_t microseconds);

/* The end of its run, however it came to it. */
void member_ends(void) __attribute__((noreturn));

#endif
