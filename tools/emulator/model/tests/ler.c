// SPDX-License-Identifier: GPL-2.0-or-later
/* The last exception record: which branch it holds, which events make it, how wide it is. */
#include "check.h"
#include "machine.h"

static struct machine machine;

#define LER_FROM 0x1dd
#define LER_TO   0x1de

static void start(void)
{
    machine_start(&machine);
    machine_debugctl(&machine, LBR);
}

static void event(enum ds_branch_kind kind, uint64_t from, uint64_t to)
{
    struct ds_branch branch = {.from = from, .to = to, .length = 2, .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &branch);
}

/* The record after branch 7 and an event of this kind. */
static bool makes_a_record(enum ds_branch_kind kind)
{
    uint64_t before = machine_msr(&machine, LER_FROM);

    machine_branches(&machine, 6, 7);
    event(kind, 0x1000, 0x2000);
    if (machine_msr(&machine, LER_FROM) == before) {
        return false;
    }
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(7));
    CHECK_EQUAL(machine_msr(&machine, LER_TO), machine_to(7));
    return true;
}

static void holds_the_branch_before_the_event(void)
{
    start();
    machine_branches(&machine, 1, 3);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0);
    event(DS_BRANCH_EXCEPTION, 0x1000, 0x2000);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(3));
    CHECK_EQUAL(machine_msr(&machine, LER_TO), machine_to(3));
    machine_branches(&machine, 4, 5);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(3));
    event(DS_BRANCH_INTERRUPT, 0x3000, 0x4000);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(5));
    event(DS_BRANCH_EXCEPTION, 0x5000, 0x6000); /* the newest record is the interrupt's */
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0x3000);
    CHECK_EQUAL(machine_msr(&machine, LER_TO), 0x4000);
}

static void which_events_make_one(void)
{
    static const struct {
        enum ds_branch_kind kind;
        bool makes;
    } kinds[] = {
        {DS_BRANCH_CONDITIONAL, false},       {DS_BRANCH_FAR, false},
        {DS_BRANCH_INTERRUPT, true},          {DS_BRANCH_EXCEPTION, true},
        {DS_BRANCH_SOFTWARE_INTERRUPT, true}, {DS_BRANCH_DEBUG_EXCEPTION, false},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        start();
        CHECK_EQUAL(makes_a_record(kinds[i].kind), kinds[i].makes);
    }
    start();
    machine.cpu.variation.ler_not_by_int = 1;
    CHECK(!makes_a_record(DS_BRANCH_SOFTWARE_INTERRUPT));
    CHECK(makes_a_record(DS_BRANCH_EXCEPTION));
    start();
    machine.cpu.variation.ler_by_debug = 1;
    CHECK(makes_a_record(DS_BRANCH_DEBUG_EXCEPTION));
}

static void a_debug_exception_is_no_branch_before(void)
{
    start();
    machine.cpu.variation.ler_by_debug = 1;
    machine_branches(&machine, 1, 1);
    event(DS_BRANCH_DEBUG_EXCEPTION, 0x1000, 0x2000);
    machine_debugctl(&machine, LBR);
    event(DS_BRANCH_EXCEPTION, 0x3000, 0x4000);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(1));
}

static void without_lbr(void)
{
    machine_start(&machine);
    CHECK(!makes_a_record(DS_BRANCH_EXCEPTION));
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_start(&machine);
    machine.cpu.variation.ler_without_lbr = 1;
    CHECK(ds_wants_branches(&machine.cpu));
    CHECK(makes_a_record(DS_BRANCH_EXCEPTION));
}

static void a_frozen_stack_freezes_it(void)
{
    start();
    CHECK(makes_a_record(DS_BRANCH_EXCEPTION));
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_SET, LBR_FRZ);
    event(DS_BRANCH_EXCEPTION, 0x3000, 0x4000);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(7));
}

static void addresses_are_as_wide_as_the_mode(void)
{
    start();
    event(DS_BRANCH_CONDITIONAL, 0xffffffff81000010, 0xffffffff81000020);
    event(DS_BRANCH_EXCEPTION, 0, 0);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0xffffffff81000010);
    event(DS_BRANCH_CONDITIONAL, 0x81000010, 0x81000020); /* compatibility mode */
    event(DS_BRANCH_EXCEPTION, 0, 0);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0x81000010);
    CHECK_EQUAL(machine_msr(&machine, LER_TO), 0x81000020);
    ds_set_long_mode(&machine.cpu, false);
    event(DS_BRANCH_CONDITIONAL, 0xffffffff82000010, 0xffffffff82000020);
    event(DS_BRANCH_EXCEPTION, 0, 0);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0x82000010);
    CHECK_EQUAL(machine_msr(&machine, LER_TO), 0x82000020);
}

static void registers(void)
{
    start();
    CHECK(makes_a_record(DS_BRANCH_EXCEPTION));
    machine_refuses(&machine, LER_FROM, 0);
    machine_refuses(&machine, LER_TO, 0);
    ds_init(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), machine_from(7));
    ds_reset(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0);
    machine_start_model(&machine, 0xff, 4, 0x33c5);
    machine_refuses_read(&machine, LER_FROM);
    machine_refuses_read(&machine, LER_TO);
}

static void registers_that_can_be_written(void)
{
    start();
    machine.cpu.profile.ler_writable = true;
    machine_write(&machine, LER_FROM, 0x1234);
    machine_write(&machine, LER_TO, 0x5678);
    CHECK_EQUAL(machine_msr(&machine, LER_FROM), 0x1234);
    CHECK_EQUAL(machine_msr(&machine, LER_TO), 0x5678);
    CHECK(makes_a_record(DS_BRANCH_EXCEPTION));
    machine_start_model(&machine, 0xff, 4, 0x33c5);
    machine.cpu.profile.ler_writable = true;
    machine_refuses(&machine, LER_FROM, 0);
}

const struct test ler_tests[] = {
    {"ler: holds the branch before the event", holds_the_branch_before_the_event},
    {"ler: which events make one", which_events_make_one},
    {"ler: a debug exception is no branch before", a_debug_exception_is_no_branch_before},
    {"ler: without LBR", without_lbr},
    {"ler: a frozen stack freezes it", a_frozen_stack_freezes_it},
    {"ler: addresses are as wide as the mode", addresses_are_as_wide_as_the_mode},
    {"ler: registers", registers},
    {"ler: registers that can be written", registers_that_can_be_written},
    {0},
};
