/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the DS save area work wherever the manual lets it lie: its base off any boundary but a
 * doubleword's, its fields filled after IA32_DS_AREA?
 */
#include "arch/trace/debugctl.h"
#include "kernel/test.h"
#include "tests/expect/laps.h"
#include "tests/expect/limit.h"

#define RECORDS 16

static const struct traced_run circular_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
    .layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD},
    .policy = PMI_COUNT,
};

/* Two records, a lap's edge, and more laps than one. */
static void check_around(struct test_context *t, const struct traced_run *run)
{
    size_t lap = limit_capacity(t, run->layout.records, false);
    const size_t transfers[] = {PROGRAM_SLED_EXTRA, lap, lap + 1, 3 * lap + 5};

    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0] && !test_has_failed(t); i++)
        laps_check(t, run, transfers[i]);
}

/* Base on a doubleword boundary and no other (F3.20); the last one puts a record across a page. */
TEST(placement, base_on_any_doubleword, CLAIMS("BTS-2", "BTS-3", "BTS-8", "DS-8"), NEEDS(BTS))
{
    const size_t offsets[] = {4, 8, 24, 60, 0x7c4, PAGE_SIZE - 12};
    struct traced_run run = circular_run;

    test_plan(t, sizeof offsets / sizeof offsets[0]);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        run.layout.base_offset = offsets[i];
        test_begin(t, "BTS-3", "page_plus_%zu", offsets[i]);
        check_around(t, &run);
        test_end(t);
    }
}

/* The manual's order is IA32_DS_AREA first, then the fields (F3.39): they are read from memory. */
TEST(placement, fields_change_without_ds_area, CLAIMS("DS-8", "BTS-3", "BTS-8"), NEEDS(BTS))
{
    const struct bts_layout later[] = {
        {.records = RECORDS, .threshold = BTS_NO_THRESHOLD, .base_offset = 0x1008},
        {.records = RECORDS / 2, .threshold = BTS_NO_THRESHOLD, .base_offset = 0x1008},
        {.records = 2 * RECORDS, .threshold = BTS_NO_THRESHOLD},
    };
    struct traced_run run = circular_run;

    check_around(t, &run);
    run.keep_ds_area = true;
    for (size_t i = 0; i < sizeof later / sizeof later[0] && !test_has_failed(t); i++) {
        run.layout = later[i];
        check_around(t, &run);
    }
}
