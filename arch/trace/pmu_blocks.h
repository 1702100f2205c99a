/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From version 6 on each counter has a block of four registers: the counter, its control, and two
 * more (F21.13). What a block and an older register both name is one and the same. Auto counter
 * reload is programmed there alone, in any version whose leaf 23H tells of it (F21.15).
 */
#ifndef ARCH_TRACE_PMU_BLOCKS_H
#define ARCH_TRACE_PMU_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/trace/pmu.h"

enum pmu_block_part {
    PMU_BLOCK_CTR,   /* IA32_PMC_GPn_CTR, IA32_PMC_FXn_CTR */
    PMU_BLOCK_CFG_A, /* of a general-purpose counter: its IA32_PERFEVTSELn */
    PMU_BLOCK_CFG_B, /* counters whose overflow reloads this one */
    PMU_BLOCK_CFG_C, /* bits 31:0: the reload value */
};

bool pmu_has_blocks(void);

/* The counter's register of that part. */
uint32_t pmu_block_register(struct counter counter, enum pmu_block_part part);

/* By bits of the global registers: counters that can be reloaded, and those whose overflow can do
 * that. */
uint64_t pmu_reloadable(void);
uint64_t pmu_reloading(void);

/* Each overflow of one of those counters, global bits, puts the low 32 bits of this value into the
 * counter. Off: none does; nothing happens where the counter cannot be reloaded. */
void pmu_reload(struct counter counter, uint64_t by, uint64_t value);
void pmu_reload_off(struct counter counter);

#endif
