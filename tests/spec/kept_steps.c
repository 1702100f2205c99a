/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/kept_steps.h"

static size_t end_of(const struct kept_steps *kept)
{
    return kept->count < kept->end ? kept->count : kept->end;
}

size_t kept_first(const struct kept_steps *kept)
{
    size_t end = end_of(kept);

    return end > TRACE_STEPS ? end - TRACE_STEPS : 0;
}

size_t kept_shown(const struct kept_steps *kept)
{
    return end_of(kept) - kept_first(kept);
}

const struct step *kept_step(const struct kept_steps *kept, size_t number)
{
    return &kept->steps[(kept_first(kept) + number) % TRACE_STEPS];
}

enum trace_mark kept_mark(enum step_kind kind)
{
    static const enum trace_mark marks[] = {
        [STEP_SAME] = TRACE_SAME,   [STEP_ALTERED] = TRACE_ALTERED, [STEP_MISSING] = TRACE_MISSING,
        [STEP_EXTRA] = TRACE_EXTRA, [STEP_ABSENT] = TRACE_ABSENT,   [STEP_OLD] = TRACE_ALONE,
    };

    return marks[kind];
}
