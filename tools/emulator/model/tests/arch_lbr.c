// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural LBRs: what leaf 1CH enumerates, registers, entries, filters. */
#include "arch_lbr_machine.h"

#define CALLS (ON | RINGS | 8 | 0x380000)

#define MISPRED       (1ull << 63)
#define CYC_CNT_VALID (1ull << 60)

static void leaf(void)
{
    uint32_t regs[4];

    start();
    ds_profile_leaf_1c(&machine.cpu.profile, regs);
    CHECK_EQUAL(regs[0], 0x4000000b);
    CHECK_EQUAL(regs[1], 7);
    CHECK_EQUAL(regs[2], 0xf0007);
    CHECK_EQUAL(regs[3], 0);
    machine.cpu.profile.arch_lbr = false;
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
    ds_profile_leaf_1c(&machine.cpu.profile, regs);
    CHECK_EQUAL(regs[0] | regs[1] | regs[2] | regs[3], 0);
    machine.cpu.profile.arch_lbr = true;
    machine.cpu.profile.lbr_leaf_eax = 0x10; /* 40 entries */
    CHECK(ds_profile_check(&machine.cpu.profile) != NULL);
}

static void after_reset(void)
{
    start();
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), 32);
    CHECK(is_empty() && !ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 3);
    CHECK(is_empty());
    machine_write(&machine, IA32_DEBUGCTL, LBR);
    CHECK_EQUAL(machine_msr(&machine, IA32_DEBUGCTL), 0);
    CHECK(!ds_wants_branches(&machine.cpu));
    machine_branches(&machine, 1, 3);
    CHECK(is_empty());
}

static void entry_0_is_the_newest(void)
{
    record_all();
    CHECK(ds_wants_branches(&machine.cpu));
    for (unsigned count = 1; count < 80; count++) {
        machine_branch(&machine, count, 0, 0);
        for (unsigned i = 0; i < 32; i++) {
            CHECK_EQUAL(from(i), i < count ? machine_from(count - i) : 0);
            CHECK_EQUAL(to(i), i < count ? machine_to(count - i) : 0);
            CHECK_EQUAL(!!info(i), i < count);
        }
    }
}

/* The depths told, the entries of each, and that a write clears all. */
static void depths(void)
{
    for (uint64_t depth = 0; depth < 80; depth++) {
        record_all();
        machine_branches(&machine, 1, 40);
        if (depth != 8 && depth != 16 && depth != 32) {
            machine_refuses(&machine, IA32_LBR_DEPTH, depth);
            CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), 32);
            CHECK_EQUAL(from(31), machine_from(9));
            continue;
        }
        machine_write(&machine, IA32_LBR_DEPTH, depth);
        CHECK_EQUAL(machine_msr(&machine, IA32_LBR_DEPTH), depth);
        CHECK(is_empty());
        machine_branches(&machine, 1, (unsigned)depth + 1);
        CHECK_EQUAL(from((uint32_t)depth - 1), machine_from(2));
        for (uint32_t above = (uint32_t)depth; above < 64; above++) {
            machine_refuses_read(&machine, IA32_LBR_0_FROM_IP + above);
            machine_refuses_read(&machine, IA32_LBR_0_TO_IP + above);
            machine_refuses_read(&machine, IA32_LBR_0_INFO + above);
            machine_refuses(&machine, IA32_LBR_0_FROM_IP + above, 0);
        }
    }
    machine_refuses(&machine, IA32_LBR_DEPTH, 1ull << 32 | 8);
}

static void control_bits(void)
{
    start();
    for (unsigned bit = 0; bit < 64; bit++) {
        if (0x7f000full >> bit & 1) {
            machine_write(&machine, IA32_LBR_CTL, 1ull << bit);
            CHECK_EQUAL(machine_msr(&machine, IA32_LBR_CTL), 1ull << bit);
        } else {
            machine_refuses(&machine, IA32_LBR_CTL, 1ull << bit);
        }
    }
    start_told(0xb, 0, 0);
    machine_write(&machine, IA32_LBR_CTL, ON);
    machine_refuses(&machine, IA32_LBR_CTL, 2);
    machine_refuses(&machine, IA32_LBR_CTL, 8);
    machine_refuses(&machine, IA32_LBR_CTL, 1u << 16);
    machine.cpu.variation.lbr_ctl_all_bits = 1;
    machine_write(&machine, IA32_LBR_CTL, 0x7f000f);
}

static void kinds(void)
{
    static const unsigned bits[] = {16, 17, 18, 19, 20, 21, 22, 22, 22, 22};

    for (unsigned kind = 0; kind < DS_BRANCH_DEBUG_EXCEPTION; kind++) {
        static const enum ds_branch_kind order[] = {
            DS_BRANCH_CONDITIONAL,   DS_BRANCH_JMP_RELATIVE,       DS_BRANCH_JMP_INDIRECT,
            DS_BRANCH_CALL_RELATIVE, DS_BRANCH_CALL_INDIRECT,      DS_BRANCH_RET,
            DS_BRANCH_FAR,           DS_BRANCH_SOFTWARE_INTERRUPT, DS_BRANCH_INTERRUPT,
            DS_BRANCH_EXCEPTION};
        for (unsigned bit = 16; bit < 23; bit++) {
            start();
            machine_write(&machine, IA32_LBR_CTL, ON | RINGS | 1u << bit);
            branch(order[kind], 0x1000, 0x2000, 2);
            CHECK_EQUAL(!is_empty(), bits[kind] == bit);
        }
    }
}

static void rings(void)
{
    for (uint64_t bits = 0; bits < 4; bits++) {
        for (unsigned cpl = 0; cpl < 4; cpl++) {
            start();
            machine_write(&machine, IA32_LBR_CTL, ON | KINDS | bits << 1);
            machine_branch(&machine, 1, cpl, cpl);
            CHECK_EQUAL(!is_empty(), bits >> (cpl > 0) & 1);
        }
    }
}

/* What becomes of branch 1, with these bits of IA32_LBR_CTL. */
static void check_crossing(uint64_t rings, unsigned old_cpl, unsigned new_cpl, bool told)
{
    unsigned reading = machine.cpu.variation.arch_lbr_crossing;
    bool old_in = rings & (old_cpl ? 4 : 2), new_in = rings & (new_cpl ? 4 : 2);
    bool recorded = reading == DS_ARCH_CROSSING_NEW   ? new_in
                    : reading == DS_ARCH_CROSSING_OLD ? old_in
                                                      : old_in || new_in;
    uint64_t expected = old_in || told ? machine_from(1) : 0xffffffffffffffff;

    machine_write(&machine, IA32_LBR_DEPTH, 8);
    machine_write(&machine, IA32_LBR_CTL, ON | KINDS | rings);
    machine_branch(&machine, 1, old_cpl, new_cpl);
    CHECK_EQUAL(!is_empty(), recorded);
    CHECK_EQUAL(from(0), recorded ? expected : 0);
    CHECK_EQUAL(to(0), recorded ? machine_to(1) : 0);
}

static void ring_crossings(void)
{
    start();
    CHECK_EQUAL(machine.cpu.variation.arch_lbr_crossing, DS_ARCH_CROSSING_NEW);
    for (unsigned reading = 0; reading < 3; reading++) {
        for (unsigned told = 0; told < 2; told++) {
            machine.cpu.variation.arch_lbr_crossing = reading;
            machine.cpu.variation.arch_lbr_from_told = told;
            for (uint64_t rings = 0; rings < 8; rings += 2) {
                check_crossing(rings, 3, 0, told);
                check_crossing(rings, 0, 3, told);
                check_crossing(rings, 2, 3, told);
            }
        }
    }
}

/* All of FROM, though outside IA-32e mode addresses have 32 bits. */
static void masked_outside_long_mode(void)
{
    start();
    ds_set_long_mode(&machine.cpu, false);
    check_crossing(4, 0, 3, false);
}

static void without_filters_all_is_recorded(void)
{
    start_told(0xb, 0, 0);
    machine_write(&machine, IA32_LBR_CTL, ON);
    branch(DS_BRANCH_RET, 0x1000, 0x2000, 1);
    CHECK_EQUAL(from(0), 0x1000);
    CHECK_EQUAL(info(0), 0);
}

static uint64_t type_of(enum ds_branch_kind kind)
{
    branch(kind, 0x1000, 0x2000, 2);
    return info(0) >> 56 & 0xf;
}

static void branch_types(void)
{
    record_all();
    CHECK_EQUAL(type_of(DS_BRANCH_CONDITIONAL), 0);
    CHECK_EQUAL(type_of(DS_BRANCH_JMP_INDIRECT), 1);
    CHECK_EQUAL(type_of(DS_BRANCH_JMP_RELATIVE), 2);
    CHECK_EQUAL(type_of(DS_BRANCH_CALL_INDIRECT), 3);
    CHECK_EQUAL(type_of(DS_BRANCH_CALL_RELATIVE), 4);
    CHECK_EQUAL(type_of(DS_BRANCH_RET), 5);
    for (unsigned variation = 0; variation < 2; variation++) {
        machine.cpu.variation.lbr_other_type = variation;
        CHECK_EQUAL(type_of(DS_BRANCH_FAR), variation ? 15 : 8);
        CHECK_EQUAL(type_of(DS_BRANCH_EXCEPTION), variation ? 15 : 8);
    }
}

static void cycles(void)
{
    record_all();
    machine.tsc = 1000;
    machine_branches(&machine, 1, 1);
    CHECK(!(info(0) & CYC_CNT_VALID) && !(info(0) & 0xffff));
    machine.tsc += 123;
    machine_branches(&machine, 2, 2);
    CHECK_EQUAL(info(0) & (CYC_CNT_VALID | 0xffff), CYC_CNT_VALID | 123);
    machine.tsc += 0x123456;
    machine_branches(&machine, 3, 3);
    CHECK_EQUAL(info(0) & (CYC_CNT_VALID | 0xffff), CYC_CNT_VALID | 0xffff);
    machine_write(&machine, IA32_LBR_CTL, 0);
    machine_write(&machine, IA32_LBR_CTL, ALL);
    machine_branches(&machine, 4, 4);
    CHECK(!(info(0) & CYC_CNT_VALID));
}

static void mispredictions(void)
{
    record_all();
    branch(DS_BRANCH_JMP_INDIRECT, 0x1000, 0x2000, 2);
    CHECK(info(0) & MISPRED);
    branch(DS_BRANCH_JMP_INDIRECT, 0x1000, 0x2000, 2);
    branch(DS_BRANCH_JMP_INDIRECT, 0x1000, 0x2000, 2);
    CHECK(!(info(0) & MISPRED));
}

static void logged_events(void)
{
    start();
    machine_write(&machine, IA32_PERFEVTSEL0 + 2, COUNT | INSTRUCTIONS | 1ull << 35);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 4);
    machine_write(&machine, IA32_LBR_CTL, ALL);
    for (unsigned instructions = 0; instructions < 6; instructions++) {
        machine_run(&machine, instructions);
        machine_branches(&machine, 1, 1);
        CHECK_EQUAL(info(0) >> 32 & 0xff, (instructions < 3 ? instructions : 3) << 4);
    }
    start_told(0xb, 7, 0x30007);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, 1ull << 35);
    machine_refuses(&machine, IA32_PERFEVTSEL0 + 2, 1ull << 35);
}

/* INFO of a CALL after another one, where its bits that mean nothing hold what undefined says. */
static uint64_t info_of_a_call(uint32_t undefined)
{
    machine.cpu.variation.lbr_undefined = undefined;
    machine_write(&machine, IA32_LBR_DEPTH, 32);
    machine_write(&machine, IA32_LBR_CTL, ALL);
    branch(DS_BRANCH_CALL_RELATIVE, 0x1000, 0x2000, 5);
    machine.tsc += 5;
    branch(DS_BRANCH_CALL_RELATIVE, 0x2000, 0x3000, 5);
    return info(0);
}

/* All of these bits do, and no others. */
static void check_undefined(uint64_t expected)
{
    uint64_t zero = info_of_a_call(DS_UNDEFINED_ZERO), changed = 0;

    CHECK_EQUAL(zero & expected, 0);
    CHECK_EQUAL(info_of_a_call(DS_UNDEFINED_ONES), zero | expected);
    for (unsigned n = 0; n < 100; n++) {
        uint64_t one = info_of_a_call(DS_UNDEFINED_CHANGES);

        changed |= one ^ info(1);
        CHECK_EQUAL((one ^ zero) & ~expected, 0);
    }
    CHECK_EQUAL(changed & expected, expected);
}

/* INFO[55:40] and INFO[31:16] always (F20.21); INFO[62:61] without TSX (F20.25); INFO[39:32] unless
 * an event is logged. */
static void bits_that_mean_nothing(void)
{
    start();
    info_of_a_call(DS_UNDEFINED_ZERO); /* predicted from now on */
    check_undefined(0x60ffffffffff0000);
    machine.cpu.profile.rtm = true;
    check_undefined(0x00ffffffffff0000);
    machine_write(&machine, IA32_PERFEVTSEL0 + 3, 1ull << 35);
    check_undefined(0x00ffff00ffff0000);
    machine.cpu.profile.rtm = false;
    check_undefined(0x60ffff00ffff0000);
}

static void call_stack(void)
{
    start();
    machine_write(&machine, IA32_LBR_CTL, CALLS);
    branch(DS_BRANCH_CALL_RELATIVE, 0x1000, 0x2000, 5);
    branch(DS_BRANCH_CALL_INDIRECT, 0x2000, 0x3000, 2);
    branch(DS_BRANCH_CALL_RELATIVE, 0x3000, 0x3005, 5);
    branch(DS_BRANCH_JMP_RELATIVE, 0x3000, 0x4000, 5);
    CHECK_EQUAL(from(0), 0x2000);
    branch(DS_BRANCH_RET, 0x3008, 0x2002, 1);
    CHECK_EQUAL(from(0), 0x1000);
    CHECK_EQUAL(to(0), 0x2000);
    branch(DS_BRANCH_RET, 0x2008, 0x1005, 1);
    CHECK(is_empty());
    branch(DS_BRANCH_RET, 0x2008, 0x1005, 1);
    CHECK(is_empty());
    machine.cpu.variation.call_stack_keeps_all = 1;
    branch(DS_BRANCH_CALL_RELATIVE, 0x3000, 0x3005, 5);
    CHECK_EQUAL(from(0), 0x3000);
}

/* Of more calls than it has entries the stack holds the last; a RET moves each entry by one. */
static void deep_call_stack(void)
{
    const uint64_t calls = DS_LBR_DEPTH_MAX + 3;

    start();
    machine_write(&machine, IA32_LBR_CTL, CALLS);
    for (uint64_t call = 1; call <= calls; call++) {
        branch(DS_BRANCH_CALL_RELATIVE, call << 12, (call + 1) << 12, 5);
    }
    for (uint64_t left = machine.cpu.lbr_depth, newest = calls; left > 0; left--, newest--) {
        for (unsigned i = 0; i < machine.cpu.lbr_depth; i++) {
            CHECK_EQUAL(from(i), i < left ? (newest - i) << 12 : 0);
            CHECK_EQUAL(to(i), i < left ? (newest - i + 1) << 12 : 0);
        }
        branch(DS_BRANCH_RET, (newest + 1) << 12, (newest << 12) + 5, 1);
    }
    CHECK(is_empty());
}

/* Whether a CALL of the next instruction becomes an entry, and whether an indirect one does. */
static void check_call_next(uint64_t mode, bool kept, bool indirect_kept)
{
    machine_write(&machine, IA32_LBR_DEPTH, 32);
    machine_write(&machine, IA32_LBR_CTL, mode);
    branch(DS_BRANCH_CALL_RELATIVE, 0x1000, 0x1005, 5);
    CHECK_EQUAL(!is_empty(), kept);
    machine_write(&machine, IA32_LBR_DEPTH, 32);
    branch(DS_BRANCH_CALL_INDIRECT, 0x1000, 0x1002, 2);
    CHECK_EQUAL(!is_empty(), indirect_kept);
    branch(DS_BRANCH_CALL_RELATIVE, 0x1000, 0x1006, 5);
    branch(DS_BRANCH_JMP_RELATIVE, 0x2000, 0x2002, 2);
    CHECK_EQUAL(from(mode == ALL), 0x1000);
    CHECK_EQUAL(to(mode == ALL), 0x1006);
}

/* Beside call-stack mode it is open whether a relative one does (F20.44). */
static void call_of_the_next_instruction(void)
{
    start();
    check_call_next(ALL, true, true);
    check_call_next(CALLS, false, false);
    machine.cpu.variation.call_next_left_out = true;
    check_call_next(ALL, false, true);
    check_call_next(CALLS, false, false);
    machine.cpu.variation.call_stack_keeps_all = true;
    check_call_next(CALLS, true, true);
}

/* FROM of a branch in a segment whose base is 1000H. */
static void address_by_segment(void)
{
    for (unsigned linear = 0; linear < 2; linear++) {
        struct ds_branch one = {
            .from = 0x401234, .to = 0x300, .from_base = 0x1000, .to_base = 0x500};
        start_told(linear ? 0xc000000b : 0x4000000b, 7, 7);
        ds_set_long_mode(&machine.cpu, false);
        machine_write(&machine, IA32_LBR_CTL, ALL);
        ds_branch(&machine.cpu, &machine.host, &one);
        CHECK_EQUAL(from(0), linear ? 0x401234 : 0x400234);
        CHECK_EQUAL(to(0), linear ? 0x300 : 0xfffffe00);
    }
}

static void last_exception_record(void)
{
    record_all();
    machine_branches(&machine, 1, 1);
    machine.tsc = 50;
    branch(DS_BRANCH_CALL_RELATIVE, 0x1000, 0x2000, 5);
    uint64_t newest = info(0);

    branch(DS_BRANCH_SOFTWARE_INTERRUPT, 0x3000, 0x4000, 2);
    CHECK_EQUAL(machine_msr(&machine, 0x1dd), 0x1000);
    CHECK_EQUAL(machine_msr(&machine, 0x1de), 0x2000);
    CHECK_EQUAL(machine_msr(&machine, IA32_LER_INFO), newest);
    CHECK_EQUAL(newest & 0x1f0000000000ffff, 0x1400000000000032);
    machine_write(&machine, IA32_LBR_CTL, ALL & ~ON);
    branch(DS_BRANCH_EXCEPTION, 0x5000, 0x6000, 0);
    CHECK_EQUAL(machine_msr(&machine, 0x1dd), 0x1000);
    machine_write(&machine, IA32_LER_INFO, 0);
    machine_refuses(&machine, 0x1dd, 1ull << 62);
}

static void last_exception_record_and_filters(void)
{
    for (unsigned filtered = 0; filtered < 2; filtered++) {
        start();
        machine.cpu.variation.ler_filtered = filtered;
        machine_write(&machine, IA32_LBR_CTL, ON | RINGS | 1u << 21);
        branch(DS_BRANCH_RET, 0x1000, 0x2000, 1);
        branch(DS_BRANCH_JMP_RELATIVE, 0x3000, 0x4000, 2);
        branch(DS_BRANCH_EXCEPTION, 0x5000, 0x6000, 0);
        CHECK_EQUAL(machine_msr(&machine, 0x1dd), filtered ? 0x1000 : 0x3000);
    }
}

/* The type of the branch, and MISPRED, mean something (F20.34). */
static void bits_that_mean_nothing_in_the_last_exception_record(void)
{
    for (unsigned undefined = 0; undefined < 3; undefined++) {
        start();
        info_of_a_call(undefined);
        branch(DS_BRANCH_SOFTWARE_INTERRUPT, 0x3000, 0x4000, 2);
        uint64_t ler = machine_msr(&machine, IA32_LER_INFO), copied = info(1);
        CHECK_EQUAL(ler & 0xef00000000000000, copied & 0xef00000000000000);
        CHECK_EQUAL(ler & 0x8f00000000000000, 0x8400000000000000);
        CHECK_EQUAL(ler == copied, undefined == DS_UNDEFINED_ZERO);
        CHECK_EQUAL(ler >> 60 & 1 && !(~ler & 0x00ffffffffffffff), undefined == DS_UNDEFINED_ONES);
    }
}

/* FROM of a branch from ring 0 while USR alone is set (F20.26). */
static void last_exception_record_of_a_crossing(void)
{
    for (unsigned filtered = 0; filtered < 2; filtered++) {
        start();
        machine.cpu.variation.ler_filtered = filtered;
        machine_write(&machine, IA32_LBR_CTL, ON | KINDS | 4);
        machine_branch(&machine, 1, 0, 3);
        branch(DS_BRANCH_EXCEPTION, 0x5000, 0x6000, 0);
        CHECK_EQUAL(from(0), 0xffffffffffffffff);
        CHECK_EQUAL(machine_msr(&machine, 0x1dd), filtered ? 0xffffffffffffffff : machine_from(1));
        CHECK_EQUAL(machine_msr(&machine, 0x1de), machine_to(1));
    }
}

const struct test arch_lbr_tests[] = {
    {"arch lbr: leaf 1CH", leaf},
    {"arch lbr: after RESET", after_reset},
    {"arch lbr: entry 0 is the newest", entry_0_is_the_newest},
    {"arch lbr: depths", depths},
    {"arch lbr: bits of IA32_LBR_CTL", control_bits},
    {"arch lbr: filters by kind", kinds},
    {"arch lbr: filters by ring", rings},
    {"arch lbr: ring crossings", ring_crossings},
    {"arch lbr: FROM masked outside IA-32e mode", masked_outside_long_mode},
    {"arch lbr: without filters all is recorded", without_filters_all_is_recorded},
    {"arch lbr: branch types", branch_types},
    {"arch lbr: cycles", cycles},
    {"arch lbr: mispredictions", mispredictions},
    {"arch lbr: logged events", logged_events},
    {"arch lbr: bits of INFO that mean nothing", bits_that_mean_nothing},
    {"arch lbr: call stack", call_stack},
    {"arch lbr: deep call stack", deep_call_stack},
    {"arch lbr: CALL of the next instruction", call_of_the_next_instruction},
    {"arch lbr: address by segment", address_by_segment},
    {"arch lbr: last exception record", last_exception_record},
    {"arch lbr: filters and the last exception record", last_exception_record_and_filters},
    {"arch lbr: bits of the last exception record that mean nothing",
     bits_that_mean_nothing_in_the_last_exception_record},
    {"arch lbr: ring crossings and the last exception record", last_exception_record_of_a_crossing},
    {0},
};
