/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where execution goes on after an exception in ring 0 that its code is prepared for. */
#ifndef ARCH_CPU_TRAPS_FIXUP_H
#define ARCH_CPU_TRAPS_FIXUP_H

#include <stdbool.h>
#include "arch/cpu/traps/trap_frame.h"

/* Makes the frame go on at the fixup of its instruction (arch/cpu/ground/extable.h); false if it
 * has none.
 */
bool fixup_apply(struct trap_frame *frame);

#endif
