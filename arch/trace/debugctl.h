/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IA32_DEBUGCTL: the bits of this processor, and access to them by name (F2.1, F2.5).
 *
 * Architectural LBRs are switched by IA32_LBR_CTL.LBREn, and bit 0 of IA32_DEBUGCTL has no function
 * (F20.28). Values here then have LBREn in bit 0, so that DEBUGCTL_LBR means recording on both
 * kinds. The register's own bit 0 is ignored, and written as 0.
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

/* NULL, or the reason why bits other than LBR and BTF have other positions here (F2.23). */
const char *debugctl_other_layout(void);

/*
 * The bits that are enumerated here (existence column of F2.1): only LBR and BTF if the others have
 * other positions; LBR for either kind of LBRs.
 */
uint64_t debugctl_enumerated(void);

/* Bits that would be enumerated if a hypervisor provided their facility. */
uint64_t debugctl_not_lent(void);

/* Can the register be read? CPUID has no bit for it. */
bool debugctl_exists(void);

/* 0 if the register does not exist, so that the processor counts as quiet. */
uint64_t debugctl_read(void);
struct exception debugctl_write_safe(uint64_t value);

/* Clears every set bit; the register need not exist. */
void debugctl_clear(void);

/*
 * For code that writes the registers itself: the part of a value for IA32_DEBUGCTL, and the part
 * for IA32_LBR_CTL (0: no write). The third function combines both registers into a value.
 */
uint64_t debugctl_itself(uint64_t value);
uint64_t debugctl_lbr_control(uint64_t value);
uint64_t debugctl_with_lbr(uint64_t itself, uint64_t lbr_control);

/* "TR BTS BTS_OFF_OS", "0" for none, "bit 13" for a bit without a name. Returns text. */
char *debugctl_format(uint64_t value, char *text, size_t size);

#endif
