/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor on which this kernel runs: the one that booted or, in a private image
 * (arch/cpu/memory/private_image.h), another. The one that booted has number 0; those of
 * arch/cpu/smp/processors.h keep their numbers, and the rest of the machine follows.
 */
#ifndef KERNEL_MACHINE_CPU_LABEL_H
#define KERNEL_MACHINE_CPU_LABEL_H

#include <stdbool.h>

#include "arch/cpu/identity/identity.h"

#define CPU_LABEL_SIZE 8u /* bytes, terminating zero included */

/* Each processor on which tests run has a slot, in which the others find its identity. */
#define CPU_SLOTS 256u

/* Sets slot and number of the processor on which this kernel runs. Slot 0 belongs to the one that
 * booted. */
void cpu_become(unsigned slot, unsigned number);
unsigned cpu_number(void);
unsigned cpu_slot(void);

/* Identity of the slot's processor, or NULL if the slot is empty. */
const struct cpu_identity *cpu_slot_identity(unsigned slot);

/* "E2" for processor 2, an E-core; "cpu2" if the kind is unknown. Returns text. */
char *cpu_label_of(unsigned number, const struct cpu_identity *identity, char text[CPU_LABEL_SIZE]);

/* Suffix that says where a test runs: "@E2"; "" on processor 0, for which cpu_label_name() gives
 * "@P0". */
const char *cpu_label_suffix(void);
const char *cpu_label_name(void);

/* cpu_first_of_kind() is the lowest number (arch/cpu/smp/processors.h) of a processor of the same
 * kind as processor `number`. cpu_kinds_differ() tells whether there are several kinds. */
unsigned cpu_first_of_kind(unsigned number);
bool cpu_kinds_differ(void);

#endif
