// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small branch predictor, so that 'predicted' means something: a branch instruction is predicted
 * when it goes where the last one with its slot went. Interrupts and exceptions count as predicted.
 */
#ifndef PREDICTOR_H
#define PREDICTOR_H

#include "debug_store.h"

/* Whether the branch was predicted; learns its target. */
bool predictor_learn(struct ds_cpu *cpu, const struct ds_branch *branch);

/* Whether the next branch that was taken was to be this one: one of those between, which are not
 * told where nothing counts, may have gone the other way. Learns it. */
bool predictor_follow(struct ds_cpu *cpu, const struct ds_branch *branch);

#endif
