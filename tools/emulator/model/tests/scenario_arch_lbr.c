// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural LBRs: their registers, what each filter lets in, what befalls them. */
#include "scenario_parts.h"

#define ON         1u
#define RINGS      6u
#define CALL_STACK 8u
#define KINDS      0x7f0000u
#define ALL        (ON | RINGS | KINDS)
#define CALLS      (ON | RINGS | CALL_STACK | 1u << 19 | 1u << 20 | 1u << 21)

static const uint32_t files[] = {IA32_LBR_0_FROM_IP, IA32_LBR_0_TO_IP, IA32_LBR_0_INFO};

void see_arch_lbrs(void)
{
    read_msr(IA32_LBR_CTL);
    read_msr(IA32_LBR_DEPTH);
    read_msr(IA32_LER_INFO);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        for (uint32_t entry = 0; entry <= DS_LBR_DEPTH_MAX; entry++) {
            read_msr(files[i] + entry);
        }
    }
}

static void record_all(void)
{
    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, ALL);
}

static void registers(void)
{
    static const uint64_t depths[] = {0, 8, 9, 16, 24, 32, 40, 64};

    see_arch_lbrs();
    for (unsigned bit = 0; bit < 64; bit++) {
        write_msr(IA32_LBR_CTL, 1ull << bit);
        read_msr(IA32_LBR_CTL);
    }
    write_msr(IA32_LBR_CTL, 0);
    for (size_t place = 0; place < sizeof(depths) / sizeof(depths[0]); place++) {
        uint64_t depth = depths[place];
        record_all();
        machine_branches(&machine, 1, 40);
        write_msr(IA32_LBR_CTL, 0);
        write_msr(IA32_LBR_DEPTH, depth);
        see_arch_lbrs();
        for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
            write_msr(files[i] + (uint32_t)depth, KERNEL);
        }
        see_arch_lbrs();
    }
}

/* Each bit alone, and everything but it. */
static void filters(void)
{
    static const unsigned bits[] = {0, 1, 2, 16, 17, 18, 19, 20, 21, 22};

    for (unsigned i = 0; i < 2 * sizeof(bits) / sizeof(bits[0]); i++) {
        uint64_t bit = 1ull << bits[i / 2];
        uint64_t kinds = bit & KINDS ? bit | RINGS : bit | KINDS;
        write_msr(IA32_LBR_DEPTH, 32);
        write_msr(IA32_LBR_CTL, i % 2 ? ALL & ~bit : kinds | ON);
        machine.tsc += 7;
        every_branch();
        see_arch_lbrs();
    }
}

/* No kind; no ring; near branches inside each of the four rings. */
static void nothing_and_outer_rings(void)
{
    static const uint64_t controls[] = {ON | RINGS, ON | KINDS, ON | KINDS | 2, ON | KINDS | 4};

    for (unsigned i = 0; i < 4; i++) {
        write_msr(IA32_LBR_DEPTH, 32);
        write_msr(IA32_LBR_CTL, controls[i]);
        for (unsigned ring = 0; ring < 4; ring++) {
            machine_branch(&machine, ring, ring, ring);
        }
        see_arch_lbrs();
    }
}

/* IRET to ring 3, without either of the rings. */
static void returns(void)
{
    uint64_t iret = machine.base + MEMORY_SIZE - 0x80;

    machine_poke(&machine, iret, 2, 0xcf48);
    for (uint64_t ring = 2; ring < 8; ring += 2) {
        write_msr(IA32_LBR_DEPTH, 32);
        write_msr(IA32_LBR_CTL, ALL & ~ring);
        report(DS_BRANCH_FAR, iret, USER, 0x03);
        see_arch_lbrs();
    }
}

static void beside_records(void)
{
    buffers(60, 0, 90);
    record_all();
    write_msr(IA32_DEBUGCTL, TR | BTS);
    machine_branches(&machine, 1, 5);
    see_all();
    write_msr(IA32_DEBUGCTL, 0);
}

static void overflowing(void)
{
    record_all();
    for (unsigned number = 1; number < 40; number++) {
        machine.tsc += number < 20 ? number : 0x4000 * number;
        machine_branches(&machine, number, number);
        if (number % 16 == 1 || number > 36) {
            see_arch_lbrs();
        }
    }
    write_msr(IA32_LBR_DEPTH, 8);
    machine_branches(&machine, 1, 11);
    see_arch_lbrs();
}

static void calls(void)
{
    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, CALLS);
    for (unsigned level = 0; level < 4; level++) {
        uint64_t at = KERNEL + 0x100 * level;
        report(DS_BRANCH_CALL_RELATIVE, at, at + 0x100, 0);
        report(DS_BRANCH_CALL_RELATIVE, at, at + 2, 0); /* the next instruction */
        report(DS_BRANCH_CALL_INDIRECT, at + 9, at + 0x100, 0);
        report(DS_BRANCH_JMP_RELATIVE, at + 9, at + 0x100, 0);
    }
    for (unsigned level = 0; level < 10; level++) {
        see_arch_lbrs();
        report(DS_BRANCH_RET, KERNEL, KERNEL + 2, 0);
    }
    write_msr(IA32_LBR_CTL, ALL);
    report(DS_BRANCH_CALL_RELATIVE, KERNEL, KERNEL + 2, 0);
    report(DS_BRANCH_RET, KERNEL, KERNEL + 2, 0);
    see_arch_lbrs();
}

/* A call stack of ring 0 alone, and of the others. */
static void calls_in_rings(uint64_t ring)
{
    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, CALLS & ~ring);
    report(DS_BRANCH_CALL_RELATIVE, KERNEL, KERNEL + 0x100, 0x00);
    report(DS_BRANCH_CALL_RELATIVE, USER, USER + 0x100, 0x33);
    see_arch_lbrs();
    report(DS_BRANCH_RET, USER + 0x104, USER + 5, 0x33);
    see_arch_lbrs();
}

/* Bit 35 of IA32_PERFEVTSELx: its event is logged. */
static void events(void)
{
    for (unsigned i = 0; i < 4; i++) {
        write_msr(IA32_PERFEVTSEL0 + i, COUNT | INSTRUCTIONS | 1ull << 35);
        enable(1ull << i);
        record_all();
        machine_run(&machine, i + 1);
        machine_branches(&machine, 1, 1);
        machine_run(&machine, 1);
        machine_branches(&machine, 2, 3);
        see_arch_lbrs();
        write_msr(IA32_PERFEVTSEL0 + i, 0);
    }
}

static void frozen(void)
{
    for (unsigned i = 0; i < 2; i++) {
        record_all();
        write_msr(IA32_DEBUGCTL, (i ? FREEZE_PERFMON : FREEZE_LBRS) | LBR);
        prepare(0, 3, true);
        enable(1);
        machine_branches(&machine, 1, 3);
        machine_run(&machine, 5);
        machine_branches(&machine, 4, 6);
        see_all();
        write_msr(IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ | CTR_FRZ | 1);
        machine_branches(&machine, 7, 8);
        see_all();
    }
    write_msr(IA32_DEBUGCTL, 0);
}

/* By software: a RET, and a new depth. */
static void calls_frozen(void)
{
    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, CALLS);
    report(DS_BRANCH_CALL_RELATIVE, KERNEL, KERNEL + 0x100, 0);
    report(DS_BRANCH_CALL_INDIRECT, KERNEL + 0x110, KERNEL + 0x200, 0);
    write_msr(IA32_PERF_GLOBAL_STATUS_SET, LBR_FRZ);
    report(DS_BRANCH_RET, KERNEL + 0x210, KERNEL + 0x112, 0);
    see_all();
    write_msr(IA32_LBR_DEPTH, 32);
    see_all();
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, LBR_FRZ);
}

static void debugged(bool breakpoint)
{
    struct ds_branch debug = {.from = KERNEL,
                              .to = KERNEL + 8,
                              .kind = DS_BRANCH_DEBUG_EXCEPTION,
                              .breakpoint = breakpoint};

    record_all();
    machine_branches(&machine, 1, 3);
    ds_branch(&machine.cpu, &machine.host, &debug);
    machine_branches(&machine, 4, 5);
    see_all();
}

static void managed(uint64_t debugctl)
{
    record_all();
    write_msr(IA32_DEBUGCTL, debugctl);
    machine_branches(&machine, 1, 3);
    ds_smm_enter(&machine.cpu);
    machine_branches(&machine, 4, 5);
    see_all();
    ds_smm_leave(&machine.cpu);
    machine_branches(&machine, 6, 7);
    see_all();
    write_msr(IA32_DEBUGCTL, 0);
    write_msr(IA32_LBR_CTL, 0);
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    read_msr(IA32_LBR_CTL);
}

static void exceptions(uint64_t control)
{
    static const enum ds_branch_kind kinds[] = {DS_BRANCH_SOFTWARE_INTERRUPT, DS_BRANCH_INTERRUPT,
                                                DS_BRANCH_EXCEPTION, DS_BRANCH_FAR};

    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, control);
    for (unsigned i = 0; i < 4; i++) {
        machine.tsc += 11 * i;
        machine_branches(&machine, i, i + 2);
        report(i % 2 ? DS_BRANCH_RET : DS_BRANCH_CALL_RELATIVE, i % 2 ? USER : KERNEL, KERNEL + 9,
               0);
        report(kinds[i], USER, KERNEL, 0x30);
        see_all();
    }
    report_nmi();
    see_all();
    write_msr(IA32_LBR_CTL, 0);
    machine_branches(&machine, 30, 31);
    report(DS_BRANCH_EXCEPTION, USER, KERNEL, 0x30);
    see_all();
}

static void see_image(uint64_t image[DS_LBR_IMAGE])
{
    for (unsigned i = 0; i < DS_LBR_IMAGE; i++) {
        see(image[i]);
    }
}

static void saved_and_restored(void)
{
    uint64_t image[DS_LBR_IMAGE] = {0}, later[DS_LBR_IMAGE] = {0};

    write_msr(IA32_XSS, 1u << 15);
    exceptions(ALL);
    write_msr(IA32_LBR_CTL, ALL);
    see(ds_lbr_save(&machine.cpu, image));
    see_image(image);
    see_all();
    write_msr(IA32_LBR_DEPTH, 32);
    write_msr(IA32_LBR_CTL, 0);
    see(ds_lbr_restore(&machine.cpu, image));
    see_all();
    machine_branches(&machine, 3, 4);
    see(ds_lbr_save(&machine.cpu, later));
    see_image(later);
    write_msr(IA32_LBR_DEPTH, 8);
    see(ds_lbr_restore(&machine.cpu, image));
    see_all();
    ds_lbr_initial(&machine.cpu);
    see_all();
    image[0] = 1ull << 40;
    see(ds_lbr_restore(&machine.cpu, image));
}

static void started_anew(void)
{
    record_all();
    machine_branches(&machine, 1, 3);
    ds_init(&machine.cpu);
    see_all();
    record_all();
    machine_branches(&machine, 4, 5);
    ds_reset(&machine.cpu);
    see_all();
}

void scenario_arch_lbr(void)
{
    if (!machine.cpu.profile.arch_lbr) {
        see_arch_lbrs();
        return;
    }
    registers();
    filters();
    nothing_and_outer_rings();
    returns();
    beside_records();
    overflowing();
    calls();
    calls_in_rings(2);
    calls_in_rings(4);
    events();
    frozen();
    calls_frozen();
    debugged(false);
    debugged(true);
    managed(LBR);
    managed(LBR | FREEZE_WHILE_SMM);
    exceptions(ALL);
    exceptions(ON | 1u << 1 | 1u << 17);
    saved_and_restored();
    started_anew();
    record_all();
    run_microcoded();
    see_arch_lbrs();
}
