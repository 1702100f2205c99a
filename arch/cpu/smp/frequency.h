/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nehalem to Ivy Bridge record a wrong FROM for the first branch after a change of frequency, a
 * throttled clock or the halt state C1E (errata AAJ122, AAT58, BJ43, BV26; F4.15, F25.10). On
 * these, turbo, Enhanced SpeedStep, C1E and clock modulation are off while tests run. Other
 * processors are not changed.
 */
#ifndef ARCH_CPU_SMP_FREQUENCY_H
#define ARCH_CPU_SMP_FREQUENCY_H

#include <stdbool.h>
#include <stddef.h>

/* Has the running processor this erratum, so that its frequency is held? */
bool frequency_matters(void);

/* Holds the running processor's frequency; needs this_cpu(). A second call changes nothing. */
void frequency_hold(void);

/* Puts back what frequency_hold() changed on the running processor. */
void frequency_release(void);

/* After frequency_hold(): "turbo off, C1E off", and what could not be switched off. Returns
 * text. */
char *frequency_describe(char *text, size_t size);

#endif
