/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine checks: enables reporting, and reads what was reported. CR4.MCE stays set from
 * interrupts_init() on, because without it a machine check shuts the processor down. All functions
 * need FEATURE_MCE and FEATURE_MCA.
 */
#ifndef ARCH_CPU_TRAPS_MACHINE_CHECK_H
#define ARCH_CPU_TRAPS_MACHINE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* IA32_MCG_STATUS. */
#define MCG_STATUS_RIPV 1u /* the program can go on at the address that was saved */
#define MCG_STATUS_EIPV 2u
#define MCG_STATUS_MCIP 4u /* another machine check while this is set shuts the processor down */

struct machine_check {
    uint64_t global_status; /* IA32_MCG_STATUS */
    unsigned bank;          /* the first whose status is valid, or MACHINE_CHECK_NO_BANK */
    uint64_t status;        /* that bank's IA32_MCi_STATUS; 0 without one */
};

#define MACHINE_CHECK_NO_BANK ~0u

/* Makes every bank of the running processor report every error, except a bank 0 that is the
 * firmware's (LEAVES_BANK_0 in models.h). machine_check_report_end() restores the old setting. */
void machine_check_report(void);
void machine_check_report_end(void);

/* Returns the machine check that came, clears all banks, and clears MCIP so that another can
 * come. */
struct machine_check machine_check_take(void);

#endif
