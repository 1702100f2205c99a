/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some microcode uses PMC3 for transactions (TSX_FORCE_ABORT, F25.13), unless bit 0 of
 * MSR_TSX_FORCE_ABORT makes every transaction abort at once. That bit is set while tests run.
 */
#ifndef ARCH_CPU_SMP_TSX_ABORT_H
#define ARCH_CPU_SMP_TSX_ABORT_H

#include <stdbool.h>

/* Sets the bit on the running processor; needs this_cpu(). A second call changes nothing. */
void tsx_abort_hold(void);

/* Could any processor not set the bit? PMC3 is then not ours. */
bool tsx_abort_refused(void);

/* Has any processor set the bit? */
bool tsx_abort_held(void);

/* Does every XBEGIN on the running processor go to its fallback at once? The cause is that bit,
 * whoever set it, or microcode that always aborts (RTM_ALWAYS_ABORT, F25.11). */
bool transactions_always_abort(void);

/* Puts back what tsx_abort_hold() changed on the running processor. */
void tsx_abort_release(void);

#endif
