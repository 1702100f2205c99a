/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the log's head about the kinds of processor of a hybrid machine. */
#ifndef KERNEL_REPORT_MACHINE_KINDS_H
#define KERNEL_REPORT_MACHINE_KINDS_H

/* Who is of which kind, and what each has otherwise than the one that booted: nothing where all are
 * alike. Whose capabilities could not be probed is told in any case. */
void machine_print_kinds(void);

#endif
