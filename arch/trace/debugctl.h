/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IA32_DEBUGCTL: which bits this processor has, reading and writing them by name (F2.1, F2.5).
 *
 * Where LBRs are architectural their switch is IA32_LBR_CTL.LBREn, and bit 0 of IA32_DEBUGCTL has
 * no function (F20.28). A value here has LBREn in the place of that bit: LBR set means that last
 * branches are recorded, on both kinds. The bit itself is not looked at, and written as 0.
 */
#ifndef ARCH_TRACE_DEBUGCTL_H
#define ARCH_TRACE_DEBUGCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/cpu/ground/msr.h"

/* The five bits of Table 17-6. */
#define DEBUGCTL_TABLE_17_6                                                                        \
    (DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR | DEBUGCTL_BTINT)

/* The bits that this kernel has to do with, in the register's order: an initialiser. */
#define DEBUGCTL_OWN_BITS                                                                          \
    {                                                                                              \
        DEBUGCTL_LBR, DEBUGCTL_BTF, DEBUGCTL_TR, DEBUGCTL_BTS, DEBUGCTL_BTINT,                     \
            DEBUGCTL_BTS_OFF_OS, DEBUGCTL_BTS_OFF_USR, DEBUGCTL_FREEZE_LBRS_ON_PMI,                \
            DEBUGCTL_FREEZE_PERFMON_ON_PMI, DEBUGCTL_FREEZE_WHILE_SMM                              \
    }

/* NULL, or in words why all bits but LBR and BTF are at other places of this processor (F2.23). */
const char *debugctl_other_layout(void);

/*
 * The bits that the enumeration promises on this processor (existence column of F2.1). LBR and BTF
 * alone where the others are at other places; LBR where either kind of LBRs can be switched on.
 */
uint64_t debugctl_enumerated(void);

/* Bits that would be among them, if a hypervisor had lent what they belong to. */
uint64_t debugctl_not_lent(void);

/* Whether it can be read: CPUID has no bit for the register itself. */
bool debugctl_exists(void);

/* 0 where the register does not exist, so that a processor without it counts as quiet. */
uint64_t debugctl_read(void);
struct exception debugctl_write_safe(uint64_t value);

/* Clears every bit that was set; the register need not exist. */
void debugctl_clear(void);

/*
 * For code that writes the register itself: as it is, without LBR where that has a switch of its
 * own; and what to write to IA32_LBR_CTL then, 0: nothing. Back again, from both registers.
 */
uint64_t debugctl_itself(uint64_t value);
uint64_t debugctl_lbr_control(uint64_t value);
uint64_t debugctl_with_lbr(uint64_t itself, uint64_t lbr_control);

/* "TR BTS BTS_OFF_OS"; "0" for none; bits without a name as "bit 13". Returns text. */
char *debugctl_format(uint64_t value, char *text, size_t size);

#endif
