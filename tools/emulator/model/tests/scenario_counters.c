// SPDX-License-Identifier: GPL-2.0-or-later
/* Every counter there is, by all of its registers: what came with versions 5 and 6 (F21.13). */
#include "scenario_parts.h"

#define GENERAL(n)   (0x1900u + 4 * (n))
#define METRICS_ON   (1ull << 48)
#define COUNT_RING_0 (COUNT & ~0x10000u)

static void see_blocks(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        for (uint32_t part = 0; part < 4; part++) {
            read_msr(GENERAL(i) + part);
            read_msr(0x1980 + 4 * i + part);
        }
    }
    for (uint32_t i = 0; i < 10; i++) {
        uint64_t value = 0;

        read_msr(IA32_PMC0 + i);
        read_msr(IA32_A_PMC0 + i);
        read_msr(IA32_PERFEVTSEL0 + i);
        read_msr(IA32_FIXED_CTR0 + i % 7);
        see(ds_rdpmc(&machine.cpu, 0, i, &value));
        see(ds_rdpmc(&machine.cpu, 0, 1u << 30 | i, &value));
        see(value);
        see(ds_rdpmc(&machine.cpu, 3, i, &value));
        see(value);
    }
    read_msr(MSR_PERF_METRICS);
    read_msr(IA32_PERF_GLOBAL_STATUS);
    read_msr(IA32_PERF_GLOBAL_INUSE);
}

static void see_leaves(void)
{
    uint32_t regs[4];

    for (uint32_t subleaf = 0; subleaf < 7; subleaf++) {
        ds_profile_leaf_23(&machine.cpu.profile, subleaf, regs);
        for (unsigned i = 0; i < 4; i++) {
            see(regs[i]);
        }
    }
}

/* Each bit that a select may have, over each number of it. */
static void every_bit(void)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        write_msr(IA32_PERFEVTSEL0 + 1, 1ull << bit);
        write_msr(GENERAL(7) + 1, 1ull << bit);
        write_msr(IA32_A_PMC0 + 1, 1ull << bit);
        write_msr(GENERAL(2) + 2, 1ull << bit);
        write_msr(GENERAL(2) + 3, 1ull << bit);
        write_msr(GENERAL(2), 1ull << bit);
        write_msr(MSR_PERF_METRICS, 1ull << bit);
        for (uint32_t i = 0; i < 4; i++) {
            read_msr(GENERAL(2) + i);
        }
        read_msr(IA32_PERFEVTSEL0 + 7);
        read_msr(IA32_A_PMC0 + 1);
        read_msr(MSR_PERF_METRICS);
    }
    see_blocks();
}

/* Every counter overflows in the middle, each with its interrupt or none. */
static void all_overflow(bool signals, uint64_t freezes)
{
    uint64_t all = ~0ull >> 16;

    write_msr(IA32_DEBUGCTL, freezes);
    for (uint32_t i = 0; i < 10; i++) {
        write_msr(IA32_PERFEVTSEL0 + i, (signals ? COUNT_INT : COUNT) | INSTRUCTIONS);
        write_msr(GENERAL(i) + 1, (signals ? COUNT_INT : COUNT) | INSTRUCTIONS);
        write_msr(IA32_PMC0 + i, 0ull - 10 - i);
        write_msr(GENERAL(i), (1ull << 48) - 10 - i);
    }
    for (uint32_t i = 0; i < 7; i++) {
        write_msr(IA32_FIXED_CTR0 + i, (1ull << 48) - 30 - i);
        write_msr(0x1980 + 4 * i, (1ull << 48) - 31 - i);
        write_msr(IA32_FIXED_CTR_CTRL, (signals ? 0xbull : 3ull) << 4 * i);
        enable(all);
        machine_run(&machine, 40);
        see_blocks();
        see(machine.pmis);
        write_msr(IA32_PERF_GLOBAL_STATUS_RESET, CTR_FRZ);
        machine_run(&machine, 1);
    }
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
    see_all();
    write_msr(IA32_DEBUGCTL, 0);
    write_msr(IA32_PERF_GLOBAL_STATUS_RESET, CTR_FRZ);
}

static void metrics(void)
{
    for (unsigned i = 0; i < 2; i++) {
        write_msr(MSR_PERF_METRICS, 0x40302010);
        write_msr(IA32_FIXED_CTR_CTRL, 0x3000);
        write_msr(IA32_PERF_GLOBAL_CTRL, METRICS_ON | FIXED(3));
        see_blocks();
        machine_run(&machine, 10);
        machine_run_branch(&machine, 1 + i, true);
        see_blocks();
    }
    write_msr(IA32_PERF_GLOBAL_STATUS_SET, METRICS_ON);
    see_blocks();
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
    machine_run(&machine, 10);
    see_blocks();
}

/* RDPMC of the metrics; of a counter that ring 3 may not read, in each ring. */
static void by_rdpmc(void)
{
    uint64_t value = 0;

    write_msr(IA32_PERFEVTSEL0 + 1, 1ull << 37 | CYCLES);
    write_msr(IA32_A_PMC0 + 1, 77);
    write_msr(IA32_A_PMC0 + 2, 78);
    for (unsigned cpl = 0; cpl < 4; cpl += 3) {
        see(ds_rdpmc(&machine.cpu, cpl, 1, &value));
        see(value);
        see(ds_rdpmc(&machine.cpu, cpl, 2, &value));
        see(value);
        see(ds_rdpmc(&machine.cpu, cpl, 1u << 29, &value));
        see(value);
    }
}

/* Each fixed counter in no ring, in one, and without its enable. */
static void fixed_in_rings(void)
{
    for (unsigned i = 0; i < 3 * 7; i++) {
        write_msr(IA32_FIXED_CTR_CTRL, (uint64_t)(i % 3) << i / 3 * 4);
        enable(~0ull >> 16);
        run_at(0, 2);
        run_at(3, 3);
        see_blocks();
        write_msr(IA32_PERF_GLOBAL_CTRL, 0);
        run_at(0, 4);
        see_blocks();
    }
}

static void run_to_overflow(uint64_t instructions)
{
    write_msr(IA32_A_PMC0 + 2, (1ull << 48) - instructions);
    write_msr(IA32_PERF_GLOBAL_CTRL, 0x3c);
    for (unsigned i = 0; i < instructions + 5; i++) {
        machine_run(&machine, 1);
        see_blocks();
    }
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
}

/* One counter's overflow loads others; conditions on how many events there were. */
static void reloads(void)
{
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
    for (uint32_t i = 2; i < 6; i++) {
        write_msr(IA32_PERFEVTSEL0 + i, COUNT | (i == 5 ? 0x1001000000ull | 0x019c : INSTRUCTIONS));
        write_msr(IA32_A_PMC0 + i, 0x100);
        write_msr(GENERAL(i) + 2, i == 3 || i == 4 ? 4 : 0);
        write_msr(GENERAL(i) + 3, 0xfffffff0);
    }
    run_to_overflow(7);
    run_to_overflow(3);
}

/* As instructions and as branches. */
static void microcoded(void)
{
    write_msr(IA32_PMC0, 0);
    write_msr(IA32_PMC0 + 1, 0);
    write_msr(IA32_PERFEVTSEL0, COUNT | INSTRUCTIONS);
    write_msr(IA32_PERFEVTSEL0 + 1, COUNT | BRANCHES);
    enable(3);
    run_microcoded();
    see_blocks();
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
}

/* One in ring 0 alone, one in all rings: code of ring 1, and a far branch. */
static void in_rings(void)
{
    struct ds_instruction far = {.ip = KERNEL, .next = KERNEL + 2, .branch = true};

    write_msr(IA32_PERFEVTSEL0, COUNT_RING_0 | INSTRUCTIONS);
    write_msr(IA32_PERFEVTSEL0 + 1, COUNT | BRANCHES);
    enable(3);
    run_at(1, 2);
    report(DS_BRANCH_FAR, KERNEL, KERNEL + 0x1010, 0);
    ds_instruction(&machine.cpu, &machine.host, &far);
    see_blocks();
    write_msr(IA32_PERF_GLOBAL_CTRL, 0);
}

void scenario_counters(void)
{
    microcoded();
    in_rings();
    see_leaves();
    every_bit();
    all_overflow(false, 0);
    all_overflow(true, 0);
    all_overflow(true, FREEZE_PERFMON);
    metrics();
    by_rdpmc();
    fixed_in_rings();
    reloads();
}
