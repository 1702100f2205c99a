/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A member of the crew (kernel/run/crew.h), in its world. On the processor that booted nothing of
 * this is the case, and nothing happens. */
#ifndef KERNEL_RUN_CREW_MEMBER_H
#define KERNEL_RUN_CREW_MEMBER_H

#include "kernel/run/crew.h"

/* What its processor begins with, in its world: argument is its struct member. */
void member_main(void *argument) __attribute__((noreturn));

bool member_is_here(void);

/* Before a test: until the log has room for what it may say. */
void member_waits_for_room(void);

/* It is alive, and will say so again before so many microseconds have passed. */
void member_lives(const struct test *test, uint64_t microseconds);

/* The end of its run, however it came to it. */
void member_ends(void) __attribute__((noreturn));

/* Written and read on two processors. */
enum member_state member_state(const struct member *member);
void member_set_state(struct member *member, enum member_state state);

#endif
