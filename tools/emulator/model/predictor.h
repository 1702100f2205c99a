// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small branch predictor, which gives the flag 'predicted' a meaning. A branch instruction is
 * predicted if it goes where the last one in its slot went. Interrupts and exceptions count as
 * predicted.
 */
#ifndef PREDICTOR_H
#define PREDICTOR_H

#include "debug_store.h"

#define PREDICTOR_SLOTS (sizeof(((struct ds_cpu *)0)->predictor) / sizeof(uint64_t))

/* Was the branch predicted? Learns its target. */
static inline bool predictor_learn(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    uint64_t *slot = &cpu->predictor[(branch->from ^ branch->from >> 8) % PREDICTOR_SLOTS];
    bool predicted = *slot == branch->to;

    if (branch->kind >= DS_BRANCH_INTERRUPT) {
        return true;
    }
    *slot = branch->to;
    return predicted;
}

/* Did this branch come next last time, too? Learns it. If not, a conditional branch that was taken
 * last time has fallen through before this one. It was mispredicted, but is not reported while
 * nothing counts. */
static inline bool predictor_follow(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    uint64_t *next =
        &cpu->predictor_next[(cpu->predictor_at ^ cpu->predictor_at >> 8) % PREDICTOR_SLOTS];
    bool follows = *next == branch->from || *next == 0;

    if (branch->kind >= DS_BRANCH_INTERRUPT) {
        return true;
    }
    *next = branch->from;
    cpu->predictor_at = branch->to;
    return follows;
}

#endif
