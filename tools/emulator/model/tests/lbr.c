// SPDX-License-Identifier: GPL-2.0-or-later
/* LBR stacks by family, formats, filters, call stack. */
#include "check.h"
#include "machine.h"

static struct machine machine;

#define KERNEL 0xffffffff81000000ull

static uint64_t top(void)
{
    return machine_msr(&machine, MSR_LASTBRANCH_TOS);
}

static void stacks_by_family(void)
{
    static const struct {
        uint8_t model, depth;
        uint32_t from, to;
    } stacks[] = {
        {0x17, 4, 0x40, 0x60},    {0x1c, 8, 0x40, 0x60},    {0x37, 8, 0x40, 0x60},
        {0x1a, 16, 0x680, 0x6c0}, {0x2a, 16, 0x680, 0x6c0}, {0x3c, 16, 0x680, 0x6c0},
        {0x5e, 32, 0x680, 0x6c0}, {0x5f, 32, 0x680, 0x6c0}, {0x57, 8, 0x680, 0x6c0},
    };

    for (unsigned i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++) {
        unsigned depth = stacks[i].depth;
        machine_start_model(&machine, stacks[i].model, 3, 0xc2);
        machine_debugctl(&machine, LBR);
        machine_branches(&machine, 1, depth + 2);
        CHECK_EQUAL(top(), 2);
        for (unsigned age = 0; age < depth; age++) {
            uint32_t entry = (uint32_t)(2 + depth - age) % depth;
            CHECK_EQUAL(machine_msr(&machine, stacks[i].from + entry),
                        machine_from(depth + 2 - age));
            CHECK_EQUAL(machine_msr(&machine, stacks[i].to + entry), machine_to(depth + 2 - age));
        }
        uint64_t value;
        CHECK(ds_msr_read(&machine.cpu, stacks[i].from + depth, &value) != DS_MSR_DONE);
        CHECK(ds_msr_read(&machine.cpu, stacks[i].to + depth, &value) != DS_MSR_DONE);
    }
}

static void an_unknown_family_has_no_stack(void)
{
    machine_start_model(&machine, 0xff, 4, 0x33c5);
    machine_debugctl(&machine, LBR);
    machine_branches(&machine, 1, 3);
    machine_refuses_read(&machine, MSR_LASTBRANCH_TOS);
    machine_refuses_read(&machine, 0x680);
    CHECK(!ds_wants_branches(&machine.cpu));
}

static void off_records_nothing(void)
{
    machine_start(&machine);
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 3);
    CHECK_EQUAL(top(), 0);
    CHECK_EQUAL(machine_msr(&machine, 0x681), 0);
    machine_debugctl(&machine, LBR);
    CHECK(ds_wants_branches(&machine.cpu));
}

/* Records one branch twice, 100 ticks apart, in a format; reads FROM, TO of the second. */
static struct record in_format(unsigned format, bool mispredict)
{
    struct ds_branch branch = {.from = KERNEL, .to = KERNEL + 0x40};

    machine_start(&machine);
    machine.cpu.variation.lbr_format = format;
    machine_debugctl(&machine, LBR);
    machine.tsc = 1000;
    ds_branch(&machine.cpu, &machine.host, &branch);
    machine.tsc = 1100;
    branch.to += mispredict ? 0x10 : 0;
    ds_branch(&machine.cpu, &machine.host, &branch);
    return (struct record){machine_msr(&machine, 0x682), machine_msr(&machine, 0x6c2), 0};
}

static void formats(void)
{
    uint64_t flag = 1ull << 63, from = KERNEL, to = KERNEL + 0x40;

    for (unsigned format = 1; format <= 2; format++) {
        CHECK_EQUAL(in_format(format, true).from, from);
        CHECK_EQUAL(in_format(format, false).to, to);
    }
    CHECK_EQUAL(in_format(3, false).from, from & ~flag);
    CHECK_EQUAL(in_format(3, true).from, from | flag);
    CHECK_EQUAL(in_format(3, true).to, to + 0x10);
    CHECK_EQUAL(in_format(4, false).from, from & ~(7ull << 61));
    CHECK_EQUAL(in_format(4, true).from, (from & ~(7ull << 61)) | flag);
    CHECK_EQUAL(in_format(6, false).to, (to & 0xffffffffffff) | 100ull << 48);
    CHECK_EQUAL(in_format(6, true).from, from | flag);
    for (unsigned format = 5; format <= 7; format += 2) {
        CHECK_EQUAL(in_format(format, false).from, from);
        CHECK_EQUAL(machine_msr(&machine, 0xdc2), 100);
        CHECK_EQUAL(in_format(format, true).to, to + 0x10);
        CHECK_EQUAL(machine_msr(&machine, 0xdc2), flag | 100);
    }
}

/* Knights Landing, and no other with that format (L19). */
static void mispred_in_format_1(void)
{
    static const struct {
        uint8_t model;
        uint64_t flag;
    } processors[] = {{0x57, 1ull << 63}, {0x85, 1ull << 63}, {0x37, 0}};
    struct ds_branch branch = {.from = 0x1000, .to = 0x2000};

    for (unsigned i = 0; i < sizeof(processors) / sizeof(processors[0]); i++) {
        bool high = processors[i].flag;

        machine_start_model(&machine, processors[i].model, 3, 0x32c1);
        machine_debugctl(&machine, LBR);
        ds_branch(&machine.cpu, &machine.host, &branch);
        ds_branch(&machine.cpu, &machine.host, &branch);
        CHECK_EQUAL(machine_msr(&machine, (high ? 0x680 : 0x40) + 1), 0x1000 | processors[i].flag);
        CHECK_EQUAL(machine_msr(&machine, (high ? 0x680 : 0x40) + 2), 0x1000);
        CHECK_EQUAL(machine_msr(&machine, (high ? 0x6c0 : 0x60) + 1), 0x2000);
    }
}

static void the_format_is_enumerated(void)
{
    machine_start(&machine);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_CAPABILITIES), 0x33c5);
    machine.cpu.variation.lbr_format = 3;
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_CAPABILITIES), 0x33c3);
    machine_refuses_read(&machine, 0xdc0);
}

static void cycles_saturate(void)
{
    machine_start(&machine);
    machine_debugctl(&machine, LBR);
    machine.tsc = 0x123456;
    machine_branches(&machine, 1, 1);
    CHECK_EQUAL(machine_msr(&machine, 0xdc1) & 0xffff, 0xffff);
}

static void filters(void)
{
    for (unsigned kind = 0; kind < DS_BRANCH_DEBUG_EXCEPTION; kind++) {
        static const unsigned bit[] = {2, 7, 6, 3, 4, 5, 8, 8, 8, 8};
        for (unsigned select = 2; select < 9; select++) {
            struct ds_branch branch = {.from = 1, .to = 2, .kind = (enum ds_branch_kind)kind};
            machine_start(&machine);
            machine_debugctl(&machine, LBR);
            machine_write(&machine, MSR_LBR_SELECT, 1u << select);
            ds_branch(&machine.cpu, &machine.host, &branch);
            CHECK_EQUAL(top(), bit[kind] != select);
        }
    }
}

static void ring_filters(void)
{
    for (unsigned select = 0; select < 4; select++) {
        machine_start(&machine);
        machine_debugctl(&machine, LBR);
        machine_write(&machine, MSR_LBR_SELECT, select);
        machine_branch(&machine, 1, 0, 0);
        CHECK_EQUAL(top(), !(select & 1));
        machine_branch(&machine, 1, 3, 3);
        CHECK_EQUAL(top(), !(select & 1) + !(select & 2));
    }
}

static void call_stack(void)
{
    struct ds_branch call = {.from = 100, .to = 200, .length = 5, .kind = DS_BRANCH_CALL_RELATIVE};
    struct ds_branch fetch = {.from = 100, .to = 105, .length = 5, .kind = DS_BRANCH_CALL_RELATIVE};
    struct ds_branch ret = {.from = 210, .to = 105, .kind = DS_BRANCH_RET};

    machine_start(&machine);
    machine_debugctl(&machine, LBR);
    machine_write(&machine, MSR_LBR_SELECT, 0x3c4);
    ds_branch(&machine.cpu, &machine.host, &call);
    ds_branch(&machine.cpu, &machine.host, &call);
    CHECK_EQUAL(top(), 2);
    ds_branch(&machine.cpu, &machine.host, &fetch);
    machine_branches(&machine, 1, 4);
    CHECK_EQUAL(top(), 2);
    ds_branch(&machine.cpu, &machine.host, &ret);
    CHECK_EQUAL(top(), 1);
    ds_branch(&machine.cpu, &machine.host, &ret);
    ds_branch(&machine.cpu, &machine.host, &ret);
    CHECK_EQUAL(top(), 31);
    machine_write(&machine, MSR_LBR_SELECT, 0);
    ds_branch(&machine.cpu, &machine.host, &fetch);
    CHECK_EQUAL(top(), 0);
}

static void registers_take_what_they_can_hold(void)
{
    machine_start(&machine);
    machine_write(&machine, MSR_LASTBRANCH_TOS, 31);
    machine_refuses(&machine, MSR_LASTBRANCH_TOS, 32);
    machine_write(&machine, MSR_LBR_SELECT, 0x3ff);
    machine_refuses(&machine, MSR_LBR_SELECT, 0x400);
    machine_write(&machine, 0x69f, KERNEL);
    CHECK_EQUAL(machine_msr(&machine, 0x69f), KERNEL);
    machine_refuses(&machine, 0x69f, 1ull << 63);
    machine_refuses(&machine, 0x6df, 0x800000000000);
    machine_write(&machine, 0xddf, 1ull << 63 | 0xffff);
    machine_refuses(&machine, 0xddf, 0x10000);
    machine.cpu.variation.lbr_format = 3;
    machine_write(&machine, 0x69f, 1ull << 63);
    machine_write(&machine, 0x69f, KERNEL & ~(1ull << 63));
    machine_refuses(&machine, 0x69f, 1ull << 62);
    machine.cpu.variation.lbr_format = 6;
    machine_write(&machine, 0x6df, 0x1234800000000000);
    machine_start_model(&machine, 0x1a, 3, 0x31c3);
    machine_refuses(&machine, MSR_LBR_SELECT, 0x200);
    machine_start_model(&machine, 0x17, 2, 0xc2);
    machine_refuses(&machine, MSR_LBR_SELECT, 0);
}

static void debug_exception_is_not_recorded(void)
{
    struct ds_branch debug = {.from = 1, .to = 2, .kind = DS_BRANCH_DEBUG_EXCEPTION};

    machine_start(&machine);
    machine_debugctl(&machine, LBR);
    machine_branches(&machine, 1, 1);
    ds_branch(&machine.cpu, &machine.host, &debug);
    machine_branches(&machine, 2, 3);
    CHECK_EQUAL(top(), 1);
    CHECK_EQUAL(machine_msr(&machine, 0x681), machine_from(1));
}

static void without_pdcm_addresses_stand_alone(void)
{
    struct ds_branch branch = {.from = KERNEL, .to = KERNEL + 4};

    machine_start_model(&machine, 0x17, 2, 0x10c2);
    machine_debugctl(&machine, LBR);
    machine.cpu.profile.pdcm = false;
    ds_branch(&machine.cpu, &machine.host, &branch);
    CHECK_EQUAL(machine_msr(&machine, 0x41), KERNEL);
    CHECK_EQUAL(machine_msr(&machine, 0x61), KERNEL + 4);
}

/* Core 2 in 64-bit mode keeps them whole; format 0, of processors with 32 bits, their lower half.
 */
static void addresses_of_core_2(void)
{
    struct ds_branch branch = {.from = KERNEL, .to = KERNEL + 4};

    machine_start_model(&machine, 0x17, 2, 0x10c2);
    machine_debugctl(&machine, LBR);
    ds_branch(&machine.cpu, &machine.host, &branch);
    CHECK_EQUAL(machine_msr(&machine, 0x41), KERNEL);
    CHECK_EQUAL(machine_msr(&machine, 0x61), KERNEL + 4);
    machine.cpu.profile.perf_capabilities = 0x10c0, machine.cpu.profile.dtes64 = false;
    CHECK(ds_profile_check(&machine.cpu.profile) == NULL);
    ds_branch(&machine.cpu, &machine.host, &branch);
    CHECK_EQUAL(machine_msr(&machine, 0x42), (uint32_t)KERNEL);
    CHECK_EQUAL(machine_msr(&machine, 0x62), (uint32_t)KERNEL + 4);
}

static void init_keeps_the_stack(void)
{
    machine_start(&machine);
    machine_debugctl(&machine, LBR);
    machine_branches(&machine, 1, 3);
    ds_init(&machine.cpu);
    CHECK_EQUAL(top(), 3);
    CHECK_EQUAL(machine_msr(&machine, 0x683), machine_from(3));
    ds_reset(&machine.cpu);
    CHECK_EQUAL(top(), 0);
    CHECK_EQUAL(machine_msr(&machine, 0x683), 0);
}

/* The newest entry's address of a branch between two segments: FROM, or TO. */
static uint64_t far_address(unsigned format, enum ds_address kind, bool to)
{
    struct ds_branch branch = {.from = 0x401234,
                               .to = 0x300,
                               .from_base = 0x1000,
                               .to_base = 0x500,
                               .kind = DS_BRANCH_FAR};

    machine_start_model(&machine, 0x5e, 4, 0x33c0 | format);
    machine.cpu.variation.lbr_address = kind;
    ds_set_long_mode(&machine.cpu, false);
    machine_debugctl(&machine, LBR);
    ds_branch(&machine.cpu, &machine.host, &branch);
    return (uint32_t)machine_msr(&machine, to ? 0x6c1 : 0x681); /* the flags aside */
}

static void address_by_segment(void)
{
    for (unsigned format = 1; format < 8; format++) {
        bool linear = format == 1 || format == 6;
        CHECK_EQUAL(far_address(format, DS_ADDRESS_LINEAR, false), 0x401234);
        CHECK_EQUAL(far_address(format, DS_ADDRESS_LINEAR, true), 0x300);
        CHECK_EQUAL(far_address(format, DS_ADDRESS_EFFECTIVE, false), 0x400234);
        CHECK_EQUAL(far_address(format, DS_ADDRESS_EFFECTIVE, true), 0xfffffe00);
        CHECK_EQUAL(far_address(format, DS_ADDRESS_OF_FORMAT, false), linear ? 0x401234 : 0x400234);
    }
}

static void a_deep_halt_empties_it(void)
{
    for (unsigned deep = 0; deep < 2; deep++) {
        machine_start(&machine);
        machine.cpu.variation.halt_loses_lbr = deep;
        machine_debugctl(&machine, LBR);
        machine_branches(&machine, 1, 40);
        struct ds_branch event = {.from = 1, .to = 2, .kind = DS_BRANCH_INTERRUPT};

        ds_branch(&machine.cpu, &machine.host, &event);
        ds_halt(&machine.cpu, &machine.host);
        for (unsigned i = 0; i < 32; i++) {
            CHECK_EQUAL(machine_msr(&machine, 0x680 + i) == 0, deep);
            CHECK_EQUAL(machine_msr(&machine, 0x6c0 + i) == 0, deep);
        }
        CHECK_EQUAL(machine_msr(&machine, 0xdc0), deep ? 0 : 1ull << 63);
        CHECK_EQUAL(machine_msr(&machine, 0x1dd) == 0, deep);
        CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), LBR);
        machine_branch(&machine, 50, 0, 0);
        CHECK_EQUAL(machine_msr(&machine, MSR_LASTBRANCH_TOS), deep ? 1 : 42 % 32);
    }
}

/* Architectural LBRs are enumerated, but no depth: nothing answers (F20.7). */
static void the_stack_is_gone(void)
{
    static const uint32_t gone[] = {
        MSR_LBR_SELECT, MSR_LASTBRANCH_TOS, 0x680, 0x69f, 0x6c0, 0x6df, 0xdc0, 0xddf};

    machine_start_model(&machine, 0x6a, 5, 0x74c5);
    machine.cpu.profile.arch_lbr = true;
    CHECK(ds_profile_check(&machine.cpu.profile) == NULL);
    for (unsigned i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        machine_refuses_read(&machine, gone[i]);
        machine_refuses(&machine, gone[i], 0);
    }
    machine_write(&machine, IA32_DEBUGCTL, 0);
    machine_write(&machine, IA32_DEBUGCTL, LBR | FREEZE_LBRS);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), FREEZE_LBRS);
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 40);
    machine_bts(&machine, 8, 0, 9);
    machine_write(&machine, IA32_DEBUGCTL, LBR | TR | BTS);
    machine_branches(&machine, 1, 3);
    CHECK_EQUAL(machine_index(&machine), 3);
    machine_refuses_read(&machine, 0x1dd);
    machine_refuses_read(&machine, 0x1de);
}

const struct test lbr_tests[] = {
    {"lbr: stacks by family", stacks_by_family},
    {"lbr: an unknown family has no stack", an_unknown_family_has_no_stack},
    {"lbr: off records nothing", off_records_nothing},
    {"lbr: formats", formats},
    {"lbr: MISPRED in format 1", mispred_in_format_1},
    {"lbr: the format is enumerated", the_format_is_enumerated},
    {"lbr: cycles saturate", cycles_saturate},
    {"lbr: filters by kind", filters},
    {"lbr: filters by ring", ring_filters},
    {"lbr: call stack", call_stack},
    {"lbr: registers take what they can hold", registers_take_what_they_can_hold},
    {"lbr: a debug exception is not recorded", debug_exception_is_not_recorded},
    {"lbr: addresses of Core 2", addresses_of_core_2},
    {"lbr: without PDCM addresses stand alone", without_pdcm_addresses_stand_alone},
    {"lbr: INIT keeps the stack", init_keeps_the_stack},
    {"lbr: address by segment", address_by_segment},
    {"lbr: a deep halt empties it", a_deep_halt_empties_it},
    {"lbr: the stack is gone", the_stack_is_gone},
    {0},
};
