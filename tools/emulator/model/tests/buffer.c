// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of the buffer: circular wrap, full, and the three readings of the absolute maximum. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static void less_than_a_lap(void)
{
    machine_start(&machine);
    machine_bts(&machine, 5, 0, 6);
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 0, 3);
    for (unsigned i = 0; i < 4; i++) {
        CHECK(machine_holds(&machine, i, i));
    }
    CHECK_EQUAL(machine_index(&machine), 4);
    CHECK(machine_is_poison(&machine, 4));
}

static void exactly_a_lap_lazy(void)
{
    machine_start(&machine);
    machine_bts(&machine, 5, 0, 6);
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 0, 4);
    CHECK(machine_holds(&machine, 0, 0));
    CHECK(machine_holds(&machine, 4, 4));
    CHECK_EQUAL(machine_index(&machine), 5);
    CHECK(machine_is_poison(&machine, 5));
}

static void exactly_a_lap_eager(void)
{
    machine_start(&machine);
    machine.cpu.variation.wrap = DS_WRAP_EAGER;
    machine_bts(&machine, 5, 0, 6);
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 0, 4);
    CHECK(machine_holds(&machine, 4, 4));
    CHECK_EQUAL(machine_index(&machine), 0);
    CHECK(machine_is_poison(&machine, 5));
}

static void several_laps(void)
{
    for (uint32_t wrap = DS_WRAP_LAZY; wrap <= DS_WRAP_EAGER; wrap++) {
        machine_start(&machine);
        machine.cpu.variation.wrap = wrap;
        machine_bts(&machine, 5, 0, 6);
        machine_debugctl(&machine, TR | BTS);
        machine_branches(&machine, 0, 17);
        CHECK(machine_holds(&machine, 2, 17));
        CHECK(machine_holds(&machine, 3, 13));
        CHECK(machine_holds(&machine, 4, 14));
        CHECK_EQUAL(machine_index(&machine), 3);
        CHECK_EQUAL(machine.pmis, 0);
        CHECK(machine_is_poison(&machine, 5));
    }
}

static void several_laps_of_12_byte_records(void)
{
    machine_start_32(&machine);
    machine_bts(&machine, 5, 0, 6);
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 0, 16);
    CHECK(machine_holds(&machine, 1, 16));
    CHECK(machine_holds(&machine, 2, 12));
    CHECK_EQUAL(machine_index(&machine), 2);
    CHECK(machine_is_poison(&machine, 5));
}

static void full_drops_and_index_stays(void)
{
    machine_start(&machine);
    machine_bts(&machine, 5, 0, 6);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 0, 9);
    CHECK(machine_holds(&machine, 0, 0));
    CHECK(machine_holds(&machine, 4, 4));
    CHECK_EQUAL(machine_index(&machine), 5);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK(machine_is_poison(&machine, 5));
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), TR | BTS | BTINT);
    machine_set_index(&machine, BTS_ADDRESS);
    machine_branches(&machine, 20, 20);
    CHECK(machine_holds(&machine, 0, 20));
}

/* Records that fit, with the absolute maximum extra bytes past the last of n. */
static uint64_t capacity(uint32_t limit, unsigned n, unsigned extra)
{
    machine_start(&machine);
    machine.cpu.variation.limit = limit;
    machine_bts(&machine, n, extra, n + 9);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 0, n + 5);
    return machine_index(&machine);
}

static void readings_of_the_absolute_maximum(void)
{
    CHECK_EQUAL(capacity(DS_LIMIT_A, 6, 0), 6);
    CHECK_EQUAL(capacity(DS_LIMIT_B, 6, 0), 6);
    CHECK_EQUAL(capacity(DS_LIMIT_C, 6, 0), 5);
    CHECK_EQUAL(capacity(DS_LIMIT_A, 6, 1), 7);
    CHECK_EQUAL(capacity(DS_LIMIT_B, 6, 1), 6);
    CHECK_EQUAL(capacity(DS_LIMIT_C, 6, 1), 6);
    CHECK_EQUAL(capacity(DS_LIMIT_A, 6, 23), 7);
    CHECK_EQUAL(capacity(DS_LIMIT_B, 6, 23), 6);
    CHECK_EQUAL(capacity(DS_LIMIT_C, 6, 23), 6);
}

/*
 * A maximum as the manual asks for it, a whole number of records plus 1 (F3.21): every reading
 * stores them all, the smallest buffer too (F3.24), and interrupts at each threshold.
 */
static void buffer_as_the_manual_asks_for_it(void)
{
    for (uint32_t limit = DS_LIMIT_B; limit <= DS_LIMIT_C; limit++) {
        for (unsigned n = 1; n <= 12; n++) {
            CHECK(capacity(limit, n, 1) >= n);
            for (unsigned threshold = 1; threshold <= n; threshold++) {
                machine_start(&machine);
                machine.cpu.variation.limit = limit;
                machine_bts(&machine, n, 1, threshold);
                machine_debugctl(&machine, TR | BTS | BTINT);
                machine_branches(&machine, 1, threshold - 1);
                CHECK_EQUAL(machine.pmis, 0);
                machine_branches(&machine, threshold, threshold);
                CHECK_EQUAL(machine.pmis, 1);
            }
        }
    }
}

static void readings_apply_to_the_wrap(void)
{
    static const unsigned lap[] = {[DS_LIMIT_A] = 7, [DS_LIMIT_B] = 6, [DS_LIMIT_C] = 6};

    for (uint32_t limit = DS_LIMIT_B; limit <= DS_LIMIT_C; limit++) {
        machine_start(&machine);
        machine.cpu.variation.limit = limit;
        machine_bts(&machine, 6, 1, 20);
        machine_debugctl(&machine, TR | BTS);
        machine_branches(&machine, 0, lap[limit]);
        CHECK(machine_holds(&machine, 0, lap[limit]));
        CHECK(machine_holds(&machine, lap[limit] - 1, lap[limit] - 1));
        CHECK(machine_is_poison(&machine, lap[limit]));
    }
}

static void index_past_the_end_writes_nothing_there(void)
{
    machine_start(&machine);
    machine_bts(&machine, 5, 0, 6);
    machine_set_index(&machine, BTS_ADDRESS + 7 * 24);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 0, 3);
    CHECK(machine_is_poison(&machine, 0));
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 4, 4);
    CHECK(machine_holds(&machine, 0, 4));
    CHECK(machine_is_poison(&machine, 1));
}

static void buffer_smaller_than_a_record(void)
{
    machine_start(&machine);
    machine_bts(&machine, 0, 23, 6);
    machine_debugctl(&machine, TR | BTS);
    machine_branches(&machine, 0, 3);
    CHECK_EQUAL(machine_index(&machine), 0);
    CHECK(machine_is_poison(&machine, 0));
}

const struct test buffer_tests[] = {
    {"buffer: less than a lap", less_than_a_lap},
    {"buffer: exactly a lap, lazy", exactly_a_lap_lazy},
    {"buffer: exactly a lap, eager", exactly_a_lap_eager},
    {"buffer: several laps", several_laps},
    {"buffer: several laps of 12-byte records", several_laps_of_12_byte_records},
    {"buffer: full drops, the index stays", full_drops_and_index_stays},
    {"buffer: readings of the absolute maximum", readings_of_the_absolute_maximum},
    {"buffer: as the manual asks for it", buffer_as_the_manual_asks_for_it},
    {"buffer: readings apply to the wrap", readings_apply_to_the_wrap},
    {"buffer: an index past the end", index_past_the_end_writes_nothing_there},
    {"buffer: smaller than a record", buffer_smaller_than_a_record},
    {0},
};
