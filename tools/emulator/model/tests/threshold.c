// SPDX-License-Identifier: GPL-2.0-or-later
/* When the BTS threshold requests an interrupt, and how late. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static void start(unsigned records, unsigned threshold, uint64_t debugctl)
{
    machine_start(&machine);
    machine_bts(&machine, records, 0, threshold);
    machine_debugctl(&machine, debugctl);
}

static void request_at_the_threshold_record(void)
{
    for (unsigned threshold = 1; threshold <= 8; threshold++) {
        start(8, threshold, TR | BTS | BTINT);
        if (threshold > 1) {
            machine_branches(&machine, 0, threshold - 2);
        }
        CHECK_EQUAL(machine.pmis, 0);
        machine_branches(&machine, threshold - 1, threshold - 1);
        CHECK_EQUAL(machine.pmis, 1);
        CHECK_EQUAL(machine_index(&machine), threshold);
    }
}

static void threshold_between_two_records(void)
{
    start(8, 3, TR | BTS | BTINT);
    machine_poke(&machine, AREA_ADDRESS + 0x18, 8, BTS_ADDRESS + 3 * 24 + 1);
    machine_branches(&machine, 0, 2);
    CHECK_EQUAL(machine.pmis, 0);
    machine_branches(&machine, 3, 3);
    CHECK_EQUAL(machine.pmis, 1);
}

static void every_record_above_requests_again(void)
{
    start(8, 3, TR | BTS | BTINT);
    machine_branches(&machine, 0, 7);
    CHECK_EQUAL(machine.pmis, 6);
    machine_branches(&machine, 8, 20);
    CHECK_EQUAL(machine.pmis, 6);
}

static void hundred_refills(void)
{
    start(8, 6, TR | BTS | BTINT);
    for (unsigned refill = 1; refill <= 100; refill++) {
        machine_branches(&machine, 0, 5);
        CHECK_EQUAL(machine.pmis, refill);
        machine_set_index(&machine, BTS_ADDRESS);
    }
}

static void circular_does_not_interrupt(void)
{
    start(8, 3, TR | BTS);
    machine_branches(&machine, 0, 30);
    CHECK_EQUAL(machine.pmis, 0);
}

static void circular_interrupts_by_variation(void)
{
    start(8, 3, TR | BTS);
    machine.cpu.variation.btint_clear_interrupts = true;
    machine_branches(&machine, 0, 2);
    CHECK_EQUAL(machine.pmis, 1);
    machine_poke(&machine, AREA_ADDRESS + 0x18, 8, BTS_ADDRESS + 9 * 24);
    machine_branches(&machine, 3, 40);
    CHECK_EQUAL(machine.pmis, 1);
}

/* Under the first reading the index can pass the maximum, and then such a threshold too. */
static void none_above_the_absolute_maximum(void)
{
    for (unsigned btint_clear = 0; btint_clear < 2; btint_clear++) {
        start(8, 9, TR | BTS | (btint_clear ? 0 : BTINT));
        machine.cpu.variation.limit = DS_LIMIT_A;
        machine.cpu.variation.btint_clear_interrupts = btint_clear;
        machine_poke(&machine, AREA_ADDRESS + 0x10, 8, BTS_ADDRESS + 8 * 24 + 1);
        machine_poke(&machine, AREA_ADDRESS + 0x18, 8, BTS_ADDRESS + 8 * 24 + 2);
        machine_branches(&machine, 0, 8);
        CHECK_EQUAL(machine_index(&machine), 9);
        CHECK_EQUAL(machine.pmis, 0);
    }
}

static void threshold_at_maximum_with_eager_wrap(void)
{
    start(4, 4, TR | BTS);
    machine.cpu.variation.btint_clear_interrupts = true;
    machine.cpu.variation.wrap = DS_WRAP_EAGER;
    machine_branches(&machine, 0, 3);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_index(&machine), 0);
}

static void late_by_n_records(void)
{
    for (unsigned late = 1; late <= 4; late++) {
        start(16, 3, TR | BTS | BTINT);
        machine.cpu.variation.pmi_late = late;
        machine_branches(&machine, 0, 2 + late - 1);
        CHECK_EQUAL(machine.pmis, 0);
        CHECK(ds_wants_branches(&machine.cpu));
        machine_branches(&machine, 2 + late, 2 + late);
        CHECK_EQUAL(machine.pmis, 1);
        CHECK_EQUAL(machine_index(&machine), 3 + late);
    }
}

static void late_counts_dropped_records(void)
{
    start(4, 4, TR | BTS | BTINT);
    machine.cpu.variation.pmi_late = 3;
    machine_branches(&machine, 0, 5);
    CHECK_EQUAL(machine.pmis, 0);
    machine_branches(&machine, 6, 6);
    CHECK_EQUAL(machine.pmis, 1);
    machine_branches(&machine, 7, 30);
    CHECK_EQUAL(machine.pmis, 1);
}

static void late_ends_when_no_record_can_follow(void)
{
    start(16, 3, TR | BTS | BTINT | OFF_USR);
    machine.cpu.variation.pmi_late = 8;
    machine_branches(&machine, 0, 2);
    machine_branch(&machine, 3, 3, 3);
    CHECK_EQUAL(machine.pmis, 1);

    start(16, 3, TR | BTS | BTINT);
    machine.cpu.variation.pmi_late = 8;
    machine_branches(&machine, 0, 2);
    machine_debugctl(&machine, 0);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK(!ds_wants_branches(&machine.cpu));

    start(16, 3, TR | BTS | BTINT);
    machine.cpu.variation.pmi_late = 8;
    machine_branches(&machine, 0, 2);
    ds_halt(&machine.cpu, &machine.host);
    CHECK_EQUAL(machine.pmis, 1);
    ds_halt(&machine.cpu, &machine.host);
    CHECK_EQUAL(machine.pmis, 1);
}

const struct test threshold_tests[] = {
    {"threshold: requested at the threshold record", request_at_the_threshold_record},
    {"threshold: between two records", threshold_between_two_records},
    {"threshold: every record above requests again", every_record_above_requests_again},
    {"threshold: a hundred refills", hundred_refills},
    {"threshold: circular does not interrupt", circular_does_not_interrupt},
    {"threshold: circular interrupts by variation", circular_interrupts_by_variation},
    {"threshold: none above the absolute maximum", none_above_the_absolute_maximum},
    {"threshold: at the maximum with eager wrap", threshold_at_maximum_with_eager_wrap},
    {"threshold: late by N records", late_by_n_records},
    {"threshold: lateness counts dropped records", late_counts_dropped_records},
    {"threshold: lateness ends when no record can follow", late_ends_when_no_record_can_follow},
    {0},
};
