/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves and restores what tests have learned of the processor (LEARNED_STATE() in
 * kernel/report/test.h), around a run that may not count. */
#ifndef KERNEL_RUN_LEARNED_STATE_H
#define KERNEL_RUN_LEARNED_STATE_H

/* Takes a snapshot; restores it. */
void learned_state_save(void);
void learned_state_restore(void);

#endif
