/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other processors on which tests run (cpu=). Each of them, a member of the crew, runs its
 * tests in a world of its own (arch/cpu/memory/world.h) as if it had booted: runner, watchdog,
 * panic, performance interrupt and what is learnt are its own. The processor that booted makes the
 * worlds, sends the members off, one after another or all at once, writes their logs into its own,
 * and sees to it that one which hangs is named and left behind while the others go on.
 */
#ifndef KERNEL_RUN_CREW_H
#define KERNEL_RUN_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/report/ktap_ring.h"
#include "kernel/settings.h"
#include "kernel/run/outcome.h"
#include "kernel/machine/place.h"
#include "kernel/report/test.h"

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

/*
 * Makes the worlds of all that are to take part, as this one is at the moment, which has learnt
 * nothing yet. Processors for which there is no memory are told and left out.
 */
void crew_gather(const struct options *options);

unsigned crew_count(void);

/* In the place of crew_gather() where nobody is started: is there anybody, would there be? */
void crew_foresee(const struct options *options);
bool crew_is_there(void);

/* Number i, from 0; NULL past the last. */
const struct member *crew_member(unsigned i);

/* "@E2", as kernel/machine/place.h has it there. Returns text. */
#define MEMBER_SUFFIX_SIZE (PLACE_LABEL_SIZE + 1)
char *member_suffix(const struct member *member, char text[MEMBER_SUFFIX_SIZE]);

/* All of them run their tests from now on (cpu=all). */
void crew_send_all(void);

/*
 * The members' tests, one member behind the other, in the log: sends off who was not yet. number:
 * of the suite that came last, counted on. Whoever is at work may hang meanwhile: it is dealt with.
 */
void crew_run(unsigned *number);

/* Between two draws of a soak: the tests that members have run until now, in the log. */
void crew_tell_tests(unsigned *number);

/* To be called now and then while members are at work: deals with one that hangs. */
void crew_look(void);

/* What they say at the end. */
void crew_sum_up(void);

/* What a variable of this kernel holds in the member's world, once it is done or lost. */
bool crew_read(const struct member *member, const void *variable, void *out, size_t size);

/* Who it is; NULL where it did not come so far that it knows. */
const struct cpu_identity *member_identity(const struct member *member);

/* Some of their log is lost: there was no room for it. */
bool crew_lost_lines(void);

#endif
