/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two things are held on each processor while tests run, and put back afterwards: the frequency,
 * and a bit that keeps microcode from using a counter.
 *
 * Nehalem to Ivy Bridge record a wrong FROM for the first branch after a change of frequency, a
 * throttled clock or the halt state C1E (errata AAJ122, AAT58, BJ43, BV26; F4.15, F25.10). On
 * these, turbo, Enhanced SpeedStep, C1E and clock modulation are off while tests run. Other
 * processors are not changed.
 */
#ifndef ARCH_CPU_SMP_HOLD_H
#define ARCH_CPU_SMP_HOLD_H

#include <stdbool.h>
#include <stddef.h>

/* Has the running processor this erratum, so that its frequency is held? */
bool frequency_matters(void);

/* Holds the running processor's frequency; needs this_cpu(). A second call changes nothing. */
void frequency_hold(void);

/* Puts back what frequency_hold() changed on the running processor. */
void frequency_release(void);

/* After frequency_hold(): "turbo off until the end, SpeedStep off already, C1E still on, …".
 * Returns text. */
char *frequency_describe(char *text, size_t size);

/*
 * Some microcode uses PMC3 for transactions (TSX_FORCE_ABORT, F25.13), unless bit 0 of
 * MSR_TSX_FORCE_ABORT makes every transaction abort at once. That bit is set while tests run.
 */

/* Sets the bit on the running processor; needs this_cpu(). A second call changes nothing. */
void tsx_abort_hold(void);

/* Could any processor not set the bit? PMC3 is then not ours. */
bool tsx_abort_refused(void);

/* Did tsx_abort_hold() set the bit on any processor? */
bool tsx_abort_held(void);

/* Does every XBEGIN go to its fallback at once? The cause is that bit on any processor, whoever set
 * it, or microcode that always aborts (RTM_ALWAYS_ABORT, F25.11). */
bool transactions_always_abort(void);

/* Puts back what tsx_abort_hold() changed on the running processor. */
void tsx_abort_release(void);

#endif
