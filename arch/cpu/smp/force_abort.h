/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where microcode needs PMC3 for transactions (TSX_FORCE_ABORT, F25.13), it does so until every
 * transaction aborts at once: bit 0 of MSR_TSX_FORCE_ABORT. That is set while tests run.
 */
#ifndef ARCH_CPU_SMP_FORCE_ABORT_H
#define ARCH_CPU_SMP_FORCE_ABORT_H

#include <stdbool.h>

/* On the running processor; needs this_cpu(). Again changes nothing. */
void force_abort_hold(void);

/* Whether the bit could not be set, on any processor: PMC3 is not ours. */
bool force_abort_refused(void);

/* Whether it was set, on any processor. */
bool force_abort_held(void);

/* Whether each XBEGIN leads to its fallback at once here: because of that bit, whoever set it, or
 * because microcode has it so for good (RTM_ALWAYS_ABORT, F25.11). */
bool transactions_always_abort(void);

/* Puts back what force_abort_hold() changed on the running processor. */
void force_abort_release(void);

#endif
