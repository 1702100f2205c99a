/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where this kernel runs: on the processor that booted, or, in a world of its own
 * (arch/cpu/memory/world.h), on one of the others. Every processor has a number: that which booted
 * 0, those of arch/cpu/smp/processors.h theirs, and the rest of the machine the numbers behind
 * them.
 */
#ifndef KERNEL_MACHINE_PLACE_H
#define KERNEL_MACHINE_PLACE_H

#include <stdbool.h>

#include "arch/cpu/identity/identity.h"

#define PLACE_LABEL_SIZE 8u /* bytes, terminating zero included */

/* One for each of those on which tests run, to share what they say of themselves. */
#define PLACE_SLOTS 256u

/* From now on this kernel runs there; slot 0 is that of the processor that booted. */
void place_become(unsigned slot, unsigned number);
unsigned place(void);
unsigned place_slot(void);

/* Whoever has become the slot's processor; NULL: nobody. */
const struct cpu_identity *place_identity(unsigned slot);

/* "E2", of processor 2, an E-core; "cpu2" where nothing tells the kind. Returns text. */
char *place_label(unsigned number, const struct cpu_identity *identity,
                  char text[PLACE_LABEL_SIZE]);

/* What stands behind a name to tell where: "@E2"; "" on processor 0. The other one is "@P0" there.
 */
const char *place_suffix(void);
const char *place_name(void);

/* Of the numbered ones of arch/cpu/smp/processors.h: the first by number that is of the same kind,
 * itself mostly; whether there are several kinds. */
unsigned place_first_of_kind(unsigned number);
bool place_kinds_differ(void);

#endif
