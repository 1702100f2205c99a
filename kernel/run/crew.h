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

#include "kernel/run/crew_member.h"

/*
 * Makes the worlds of all that are to take part, as this one is at the moment, which has learnt
 * nothing yet. Processors for which there is no memory are told and left out. run: what each does
 * there.
 */
void crew_gather(const struct options *options, member_run run);

/* In the place of crew_gather() where nobody is started: is there anybody, would there be? */
void crew_foresee(const struct options *options);
bool crew_is_there(void);

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

/* Some of their log is lost: there was no room for it. */
bool crew_lost_lines(void);

#endif
