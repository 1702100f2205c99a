// SPDX-License-Identifier: GPL-2.0-or-later
/* The branch trace store: which branches become records, and where they go. */
#ifndef BTS_H
#define BTS_H

#include "debug_store.h"

/* What happened to a branch. */
enum bts_outcome {
    BTS_NOT_SELECTED,     /* off, in SMM, or filtered by CPL: no record was due (Table 17-6) */
    BTS_DROPPED,          /* buffer full, or memory out of reach (F5.5, F3.37) */
    BTS_STORED,           /* in memory, the index moved on */
    BTS_STORED_THRESHOLD, /* the same, and an interrupt is due (F5.1) */
};

#define FLAGS_PREDICTED (1u << 4) /* in a record's flags (F3.11) */

/* Are branches of any CPL stored at present? */
bool bts_is_on(const struct ds_cpu *cpu);

/* Is this branch to be stored? */
bool bts_takes(const struct ds_cpu *cpu, const struct ds_branch *branch);

/* Does a record that reaches the threshold interrupt? */
bool bts_can_interrupt(const struct ds_cpu *cpu);

enum bts_outcome bts_branch(struct ds_cpu *cpu, const struct ds_host *host,
                            const struct ds_branch *branch, bool predicted);

/* Stores a record that no branch made, if records are stored at all. Only errata call it. */
void bts_store(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *record);

#endif
