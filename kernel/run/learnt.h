/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests have learnt of the processor (LEARNT() in kernel/report/test.h), before a run that may
 * not count. */
#ifndef KERNEL_RUN_LEARNT_H
#define KERNEL_RUN_LEARNT_H

/* Keeps a copy of all of it; puts that copy back. */
void learnt_remember(void);
void learnt_take_back(void);

#endif
