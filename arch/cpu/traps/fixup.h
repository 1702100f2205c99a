/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fixups of exceptions in ring 0 for which the code is prepared. */
#ifndef ARCH_CPU_TRAPS_FIXUP_H
#define ARCH_CPU_TRAPS_FIXUP_H

#include <stdbool.h>
#include "arch/cpu/traps/trap_frame.h"

/* Sets the frame's RIP to the fixup of its instruction (arch/cpu/ground/extable.h). Returns false
 * if there is none. */
bool fixup_apply(struct trap_frame *frame);

#endif
