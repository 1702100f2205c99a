/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IA32_DEBUGCTL: the bits of this processor, and access to them by name (F2.1, F2.5).
 *
 * IA32_LBR_CTL.LBREn switches architectural LBRs; bit 0 of IA32_DEBUGCTL then has no function
 * (F20.28). On a processor that has them, bit 0 of every value in this header stands for LBREn, and
 * the register's own bit 0 is ignored and written as 0. So DEBUGCTL_LBR means that LBRs record,
 * whether they are model-specific or architectural.
 */
#ifndef ARCH_TRACE_DEBUGCTL_H
#define ARCH_TRACE_DEBUGCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/msr.h"

/* The five bits of Table 17-6. */
#define DEBUGCTL_TABLE_17_6                                                                        \
    (DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR | DEBUGCTL_BTINT)

/* Initialiser: the bits that this kernel uses, in the register's order. */
#define DEBUGCTL_OWN_BITS                                                                          \
    {                                                                                              \
        DEBUGCTL_LBR, DEBUGCTL_BTF, DEBUGCTL_TR, DEBUGCTL_BTS, DEBUGCTL_BTINT,                     \
            DEBUGCTL_BTS_OFF_OS, DEBUGCTL_BTS_OFF_USR, DEBUGCTL_FREEZE_LBRS_ON_PMI,                \
            DEBUGCTL_FREEZE_PERFMON_ON_PMI, DEBUGCTL_FREEZE_WHILE_SMM                              \
    }

/* NULL, or why bits other than LBR and BTF have other positions on this processor (F2.23). */
const char *debugctl_other_layout(void);

/*
 * Returns the bits that this processor has by its enumeration and model (existence column of F2.1),
 * except debugctl_not_lent(). If debugctl_other_layout(), only LBR and BTF. LBR stands for LBRs of
 * either kind.
 */
uint64_t debugctl_enumerated(void);

/* Returns the bits of facilities that are enumerated, but that a hypervisor refuses or ignores. 0
 * on bare metal. */
uint64_t debugctl_not_lent(void);

/* Can the register be read? CPUID has no bit for it. */
bool debugctl_exists(void);

/* Returns 0 if the register does not exist, so that the processor counts as quiet. */
uint64_t debugctl_read(void);
struct exception debugctl_write_safe(uint64_t value);

/* Clears every set bit; the register need not exist. */
void debugctl_clear(void);

/*
 * For code that accesses the registers directly. The first two split a value into what goes to
 * IA32_DEBUGCTL and what goes to IA32_LBR_CTL. debugctl_lbr_control() returns 0 if IA32_LBR_CTL
 * need not be written, because the value lacks LBR or the LBRs are not architectural. The third
 * function combines what was read from both registers into a value.
 */
uint64_t debugctl_itself(uint64_t value);
uint64_t debugctl_lbr_control(uint64_t value);
uint64_t debugctl_with_lbr(uint64_t itself, uint64_t lbr_control);

/* "TR BTS BTS_OFF_OS", "0" for none, "bit 13" for a bit without a name. Returns text. */
char *debugctl_format(uint64_t value, char *text, size_t size);

#endif
