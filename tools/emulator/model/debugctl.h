// SPDX-License-Identifier: GPL-2.0-or-later
/* IA32_DEBUGCTL: its bits, and which of them a processor has (F2.1). */
#ifndef DEBUGCTL_H
#define DEBUGCTL_H

#include "debug_store.h"

#define DEBUGCTL_LBR                   (1u << 0)
#define DEBUGCTL_BTF                   (1u << 1)
#define DEBUGCTL_BUS_LOCK_DETECT       (1u << 2)
#define DEBUGCTL_TR                    (1u << 6)
#define DEBUGCTL_BTS                   (1u << 7)
#define DEBUGCTL_BTINT                 (1u << 8)
#define DEBUGCTL_BTS_OFF_OS            (1u << 9)
#define DEBUGCTL_BTS_OFF_USR           (1u << 10)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI    (1u << 11)
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI (1u << 12)
#define DEBUGCTL_ENABLE_UNCORE_PMI     (1u << 13)
#define DEBUGCTL_FREEZE_WHILE_SMM      (1u << 14)
#define DEBUGCTL_RTM_DEBUG             (1u << 15)

/* The bits that can be set; WRMSR of any other raises #GP (F2.3, F2.4). */
uint64_t debugctl_existing_bits(const struct ds_profile *profile);

/* WRMSR. False if it faults; nothing is changed then. */
bool debugctl_write(struct ds_cpu *cpu, uint64_t value);

static inline bool debugctl_is_set(const struct ds_cpu *cpu, uint64_t bits)
{
    return (cpu->debugctl & bits) == bits;
}

#endif
