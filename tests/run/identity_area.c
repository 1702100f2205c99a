/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/identity_area.h"

#include "tests/run/run.h"

static const char *prepare(size_t bts_records, const struct pebs_layout *pebs)
{
    const struct bts_layout bts = {.records = bts_records, .threshold = BTS_NO_THRESHOLD};
    const char *why = trace_move_to_physical();

    if (!why)
        why = bts_prepare(&bts);
    if (!why && pebs)
        why = pebs_prepare(pebs);
    return why;
}

struct ds_management_area *identity_area_open(struct test_context *t, size_t bts_records,
                                              const struct pebs_layout *pebs)
{
    const char *why = prepare(bts_records, pebs);

    return expect_programmed(t, why) ? &trace_state()->memory->area : NULL;
}

void identity_area_close(void)
{
    trace_move_back();
}

size_t identity_area_pebs_records(void)
{
    const struct ds_memory *memory = trace_state()->memory;
    bool written = !trace_is_poison(memory->pebs_buffer, sizeof memory->pebs_buffer);

    return pebs_index() ? pebs_index() : written;
}
