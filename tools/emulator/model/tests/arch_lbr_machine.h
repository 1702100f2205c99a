// SPDX-License-Identifier: GPL-2.0-or-later
/* A processor with architectural LBRs, for tests of its entries and branches. */
#ifndef ARCH_LBR_MACHINE_H
#define ARCH_LBR_MACHINE_H

#include "check.h"
#include "machine.h"

static struct machine machine;

#define ON    1ull
#define RINGS 6ull
#define KINDS 0x7f0000ull
#define ALL   (ON | RINGS | KINDS)

/* Starts a processor with this leaf 1CH, after RESET. */
static inline void start_told(uint32_t eax, uint32_t ebx, uint32_t ecx)
{
    machine_start_model(&machine, 0x8f, 5, 0x74ff);
    machine.cpu.profile.arch_lbr = true;
    machine.cpu.profile.lbr_leaf_eax = eax;
    machine.cpu.profile.lbr_leaf_ebx = ebx;
    machine.cpu.profile.lbr_leaf_ecx = ecx;
    CHECK(ds_profile_check(&machine.cpu.profile) == NULL);
    ds_reset(&machine.cpu);
    ds_set_long_mode(&machine.cpu, true);
}

static inline void start(void)
{
    start_told(0x4000000b, 7, 0xf0007);
}

static inline void record_all(void)
{
    start();
    machine_write(&machine, IA32_LBR_CTL, ALL);
}

static inline uint64_t from(uint32_t entry)
{
    return machine_msr(&machine, IA32_LBR_0_FROM_IP + entry);
}

static inline uint64_t to(uint32_t entry)
{
    return machine_msr(&machine, IA32_LBR_0_TO_IP + entry);
}

static inline uint64_t info(uint32_t entry)
{
    return machine_msr(&machine, IA32_LBR_0_INFO + entry);
}

static inline void branch(enum ds_branch_kind kind, uint64_t at, uint64_t target, unsigned length)
{
    struct ds_branch one = {.from = at, .to = target, .length = (uint8_t)length, .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &one);
}

static inline bool is_empty(void)
{
    uint64_t any = 0;

    for (uint32_t i = 0; i < machine_msr(&machine, IA32_LBR_DEPTH); i++) {
        any |= from(i) | to(i) | info(i);
    }
    return any == 0;
}

#endif
