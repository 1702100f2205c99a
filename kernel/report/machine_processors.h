/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the log's head about the other processors. */
#ifndef KERNEL_REPORT_MACHINE_PROCESSORS_H
#define KERNEL_REPORT_MACHINE_PROCESSORS_H

#include <stdint.h>
#include "arch/cpu/identity/identity.h"

/* "xAPIC" */
const char *apic_mode_name(void);

/* Who is going to be called: the last words of a machine that does not survive it. */
void machine_print_call(void);

/* One of those on which tests run: "# cpu: apic=4 package=0 core=2 thread=0 kind=E number=2".
 * identity: NULL where nothing is known of it. */
void machine_print_processor(unsigned number, uint32_t apic_id,
                             const struct cpu_identity *identity);

/* How far its TSC is from that of the processor that booted, where that is a millisecond or more;
 * ahead: ticks. */
void machine_print_tsc(uint32_t apic_id, int64_t ahead);

/* How many there are, who is used, who is not and why. */
void machine_print_processors(void);

/* The lines of the log's head about the kinds of processor of a hybrid machine. */

/* Who is of which kind, and what each has otherwise than the one that booted: nothing where all are
 * alike. Whose capabilities could not be probed is told in any case. */
void machine_print_kinds(void);

#endif
