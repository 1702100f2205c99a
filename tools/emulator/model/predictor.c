// SPDX-License-Identifier: GPL-2.0-or-later
#include "predictor.h"

#define SLOTS (sizeof(((struct ds_cpu *)0)->predictor) / sizeof(uint64_t))

bool predictor_learn(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    uint64_t *slot = &cpu->predictor[(branch->from ^ branch->from >> 8) % SLOTS];
    bool predicted = *slot == branch->to;

    if (branch->kind >= DS_BRANCH_INTERRUPT) {
        return true;
    }
    *slot = branch->to;
    return predicted;
}

bool predictor_follow(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    uint64_t *next = &cpu->predictor_next[(cpu->predictor_at ^ cpu->predictor_at >> 8) % SLOTS];
    bool follows = *next == branch->from || *next == 0;

    if (branch->kind >= DS_BRANCH_INTERRUPT) {
        return true;
    }
    *next = branch->from;
    cpu->predictor_at = branch->to;
    return follows;
}
