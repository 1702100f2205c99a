/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the log's head about the other processors. */
#ifndef KERNEL_MACHINE_PROCESSORS_H
#define KERNEL_MACHINE_PROCESSORS_H

/* "xAPIC" */
const char *apic_mode_name(void);

/* Who is going to be called: the last words of a machine that does not survive it. */
void machine_print_call(void);

/* How many there are, who is used, who is not and why. */
void machine_print_processors(void);

#endif
