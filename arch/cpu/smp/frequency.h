/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On Nehalem to Ivy Bridge the first branch after a change of frequency, a throttled clock or the
 * halt state C1E is recorded with a wrong FROM (errata AAJ122, AAT58, BJ43, BV26; F4.15, F25.10).
 * So what changes the frequency by itself is switched off there while tests run: turbo, Enhanced
 * SpeedStep, C1E, clock modulation. Other processors are left as they are.
 */
#ifndef ARCH_CPU_SMP_FREQUENCY_H
#define ARCH_CPU_SMP_FREQUENCY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the running processor is one whose frequency is held. */
bool frequency_matters(void);

/* Holds it on the running processor; needs this_cpu(). Again changes nothing. */
void frequency_hold(void);

/* Puts back what frequency_hold() changed on the running processor. */
void frequency_release(void);

/* After frequency_hold(): "turbo off, C1E off", and what refused to be. Returns text. */
char *frequency_describe(char *text, size_t size);

#endif
