// SPDX-License-Identifier: GPL-2.0-or-later
/* Layouts of the save area and of the records, and memory that is not there. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static void record_of_24_bytes(void)
{
    struct record record;

    machine_start(&machine);
    machine_bts(&machine, 4, 0, 5);
    machine_debugctl(&machine, TR | BTS);
    machine_branch(&machine, 7, 0, 0);
    record = machine_record(&machine, 0);
    CHECK_EQUAL(record.from, machine_from(7));
    CHECK_EQUAL(record.to, machine_to(7));
    CHECK_EQUAL(machine_index(&machine), 1);
    CHECK(machine_is_poison(&machine, 1));
}

static void record_of_12_bytes(void)
{
    struct record record;

    machine_start_32(&machine);
    machine_bts(&machine, 4, 0, 5);
    machine_debugctl(&machine, TR | BTS);
    machine_branch(&machine, 7, 0, 0);
    record = machine_record(&machine, 0);
    CHECK_EQUAL(record.from, machine_from(7));
    CHECK_EQUAL(record.to, machine_to(7));
    CHECK_EQUAL(machine_index(&machine), 1);
    CHECK(machine_is_poison(&machine, 1));
}

/* Writes a 64-bit management area by hand and returns whether one branch lands in it. */
static bool uses_64_bit_layout(bool dtes64, bool long_mode)
{
    machine_start_32(&machine);
    machine.cpu.profile.dtes64 = dtes64;
    ds_set_long_mode(&machine.cpu, long_mode);
    machine_bts(&machine, 4, 0, 5);
    for (unsigned field = 0; field < 4; field++) {
        machine_poke(&machine, machine.base + 0x1000 + 8 * field, 8,
                     machine.base + (field < 2 ? 0x5000 : 0x5100));
    }
    machine_debugctl(&machine, TR | BTS);
    machine_branch(&machine, 1, 0, 0);
    return machine_peek(&machine, machine.base + 0x1008, 8) == machine.base + 0x5018 &&
           machine_peek(&machine, machine.base + 0x5008, 8) == machine_to(1);
}

static void layout_follows_dtes64_and_long_mode(void)
{
    CHECK(uses_64_bit_layout(true, false));
    CHECK(uses_64_bit_layout(true, true));
    CHECK(uses_64_bit_layout(false, true));
    CHECK(!uses_64_bit_layout(false, false));
}

static void upper_halves_are_zero_outside_long_mode(void)
{
    struct ds_branch branch = {.from = 0xffffffff00001000, .to = 0x100002000};

    machine_start_32(&machine);
    machine.cpu.profile.dtes64 = true;
    machine_bts(&machine, 4, 0, 5);
    for (unsigned field = 0; field < 4; field++) {
        machine_poke(&machine, machine.base + 0x1000 + 8 * field, 8,
                     machine.base + (field < 2 ? 0x5000 : 0x5100));
    }
    machine_debugctl(&machine, TR | BTS);
    ds_branch(&machine.cpu, &machine.host, &branch);
    CHECK_EQUAL(machine_peek(&machine, machine.base + 0x5000, 8), 0x1000);
    CHECK_EQUAL(machine_peek(&machine, machine.base + 0x5008, 8), 0x2000);
}

static void flags_tell_prediction(void)
{
    machine_start(&machine);
    machine_bts(&machine, 4, 0, 5);
    machine_debugctl(&machine, TR | BTS);
    machine_branch(&machine, 3, 0, 0);
    machine_branch(&machine, 3, 0, 0);
    CHECK_EQUAL(machine_record(&machine, 0).flags, 0);
    CHECK_EQUAL(machine_record(&machine, 1).flags, 0x10);
    machine.cpu.variation.predicted = DS_PREDICTED_OFF;
    machine_branch(&machine, 3, 0, 0);
    CHECK_EQUAL(machine_record(&machine, 2).flags, 0);
}

static void unmapped_record_is_dropped(void)
{
    machine_start(&machine);
    machine_bts(&machine, 4, 0, 2);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 0, 0);
    machine.hole_start = BTS_ADDRESS + 24 + 23;
    machine.hole_end = machine.hole_start + 1;
    machine_branches(&machine, 1, 1);
    CHECK_EQUAL(machine_index(&machine), 1);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK(machine_is_poison(&machine, 1));
    machine.hole_end = machine.hole_start = 0;
    machine_branches(&machine, 2, 2);
    CHECK(machine_holds(&machine, 1, 2));
}

static void unmapped_area_drops_records(void)
{
    machine_start(&machine);
    machine_bts(&machine, 4, 0, 1);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine.hole_start = AREA_ADDRESS;
    machine.hole_end = AREA_ADDRESS + 0x100;
    machine_branches(&machine, 0, 9);
    CHECK_EQUAL(machine_index(&machine), 0);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK(machine_is_poison(&machine, 0));
}

static void only_the_index_is_written(void)
{
    machine_start(&machine);
    machine_bts(&machine, 2, 0, 1);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine_branches(&machine, 0, 5);
    CHECK_EQUAL(machine_peek(&machine, AREA_ADDRESS, 8), BTS_ADDRESS);
    CHECK_EQUAL(machine_peek(&machine, AREA_ADDRESS + 0x10, 8), BTS_ADDRESS + 48);
    CHECK_EQUAL(machine_peek(&machine, AREA_ADDRESS + 0x18, 8), BTS_ADDRESS + 24);
    CHECK_EQUAL(machine_peek(&machine, AREA_ADDRESS + 0x20, 8), 0xa5a5a5a5a5a5a5a5);
    CHECK_EQUAL(machine_peek(&machine, AREA_ADDRESS - 8, 8), 0xa5a5a5a5a5a5a5a5);
}

const struct test area_tests[] = {
    {"area: record of 24 bytes", record_of_24_bytes},
    {"area: record of 12 bytes", record_of_12_bytes},
    {"area: layout follows DTES64 and long mode", layout_follows_dtes64_and_long_mode},
    {"area: upper halves are zero outside long mode", upper_halves_are_zero_outside_long_mode},
    {"area: flags tell prediction", flags_tell_prediction},
    {"area: an unmapped record is dropped", unmapped_record_is_dropped},
    {"area: an unmapped area drops records", unmapped_area_drops_records},
    {"area: only the index is written", only_the_index_is_written},
    {0},
};
