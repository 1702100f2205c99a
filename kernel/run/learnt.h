/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves and restores what tests have learned of the processor (LEARNT() in kernel/report/test.h),
 * around a run that may not count. */
#ifndef KERNEL_RUN_LEARNT_H
#define KERNEL_RUN_LEARNT_H

/* Takes a snapshot; restores it. */
void learnt_remember(void);
void learnt_take_back(void);

#endif
