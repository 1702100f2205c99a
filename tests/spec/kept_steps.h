/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the steps of an alignment that a trace in the log shows (kernel/report/branch_trace.h):
 * those around the first difference, or the last ones. Pure.
 */
#ifndef TESTS_SPEC_KEPT_STEPS_H
#define TESTS_SPEC_KEPT_STEPS_H

#include <stddef.h>
#include <stdint.h>
#include "kernel/report/branch_trace.h"
#include "tests/spec/align.h"

struct kept_steps {
    size_t count; /* steps added so far */
    size_t end;   /* steps from this number on are not kept */
    struct step steps[TRACE_STEPS];
};

static inline void kept_begin(struct kept_steps *kept)
{
    kept->count = 0;
    kept->end = SIZE_MAX;
}

static inline void kept_add(struct kept_steps *kept, const struct step *step)
{
    if (kept->end == SIZE_MAX && step->kind != STEP_SAME && step->kind != STEP_ABSENT)
        kept->end = kept->count + TRACE_STEPS - TRACE_BEFORE;
    if (kept->count < kept->end)
        kept->steps[kept->count % TRACE_STEPS] = *step;
    kept->count++;
}

/* The number of the first step that is kept, and how many are kept. */
size_t kept_first(const struct kept_steps *kept);
size_t kept_shown(const struct kept_steps *kept);

/* A kept step, by its number among those that are kept. */
const struct step *kept_step(const struct kept_steps *kept, size_t number);

enum trace_mark kept_mark(enum step_kind kind);

#endif
