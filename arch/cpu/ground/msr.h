/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Model-specific registers: numbers and bits by the manual's names (F6.1, F2.1, F1.20, F14.1), and
 * accessors. The numbers are usable from assembly.
 */
#ifndef ARCH_CPU_GROUND_MSR_H
#define ARCH_CPU_GROUND_MSR_H

#define IA32_PLATFORM_ID            0x017
#define IA32_APIC_BASE              0x01b
#define IA32_BIOS_SIGN_ID           0x08b
#define IA32_XAPIC_DISABLE_STATUS   0x0bd
#define IA32_PMC0                   0x0c1 /* a register for each counter from here on */
#define MSR_SMI_COUNT               0x034
#define MSR_PPIN_CTL                0x04e
#define MSR_PPIN                    0x04f
#define MSR_UNDOCUMENTED_C7         0x0c7 /* of Core 2 and Bonnell, no counter (F6.52) */
#define MSR_PLATFORM_INFO           0x0ce
#define IA32_MTRRCAP                0x0fe
#define IA32_ARCH_CAPABILITIES      0x10a
#define IA32_SYSENTER_CS            0x174
#define IA32_SYSENTER_ESP           0x175
#define IA32_SYSENTER_EIP           0x176
#define MSR_TSX_FORCE_ABORT         0x10f
#define IA32_MCG_CAP                0x179
#define IA32_MCG_STATUS             0x17a
#define IA32_MCG_CTL                0x17b
#define IA32_PERFEVTSEL0            0x186
#define IA32_CLOCK_MODULATION       0x19a
#define IA32_MISC_ENABLE            0x1a0
#define MSR_OFFCORE_RSP_0           0x1a6
#define MSR_OFFCORE_RSP_1           0x1a7
#define MSR_LBR_SELECT              0x1c8
#define IA32_DEBUGCTL               0x1d9
#define IA32_LER_FROM_IP            0x1dd /* of architectural LBRs (F20.9) */
#define IA32_LER_TO_IP              0x1de
#define IA32_LER_INFO               0x1e0
#define MSR_POWER_CTL               0x1fc
#define IA32_MTRR_PHYSBASE0         0x200 /* and its mask, then the next pair */
#define IA32_PAT                    0x277
#define IA32_MTRR_DEF_TYPE          0x2ff
#define IA32_FIXED_CTR0             0x309
#define MSR_PERF_METRICS            0x329 /* beside fixed counter 3 (F21.16) */
#define IA32_PERF_CAPABILITIES      0x345
#define IA32_FIXED_CTR_CTRL         0x38d
#define IA32_PERF_GLOBAL_STATUS     0x38e
#define IA32_PERF_GLOBAL_CTRL       0x38f
#define IA32_PERF_GLOBAL_OVF_CTRL   0x390 /* IA32_PERF_GLOBAL_STATUS_RESET from version 4 on */
#define IA32_PERF_GLOBAL_STATUS_SET 0x391
#define IA32_PERF_GLOBAL_INUSE      0x392
#define IA32_PEBS_ENABLE            0x3f1
#define MSR_PEBS_DATA_CFG           0x3f2
#define IA32_PEBS_BASE              0x3f4 /* of architectural PEBS (F22.30) */
#define IA32_PEBS_INDEX             0x3f5 /* likewise (F22.31) */
#define MSR_PEBS_LD_LAT_THRESHOLD   0x3f6 /* cycles from which a load is sampled (F3.71) */
#define MSR_PEBS_FRONTEND           0x3f7
#define IA32_MC0_CTL                0x400 /* CTL, STATUS, ADDR, MISC of each bank from here on */
#define IA32_MC0_STATUS             0x401
#define IA32_A_PMC0                 0x4c1
#define IA32_RTIT_CTL               0x570
#define IA32_DS_AREA                0x600
#define IA32_U_CET                  0x6a0
#define IA32_S_CET                  0x6a2
#define IA32_PKRS                   0x6e1
#define IA32_X2APIC_BASE            0x800
#define IA32_XSS                    0xda0
#define IA32_LBR_CTL                0x14ce
#define IA32_LBR_DEPTH              0x14cf
#define IA32_PMC_GP0_CTR            0x1900 /* from version 6 on a block of four for each counter */
#define IA32_PMC_GP0_CFG_A          0x1901 /* its IA32_PERFEVTSELx (F21.13) */
#define IA32_PMC_GP0_CFG_B          0x1902
#define IA32_PMC_GP0_CFG_C          0x1903
#define IA32_PMC_FX0_CTR            0x1980
#define IA32_PMC_FX0_CFG_B          0x1982
#define IA32_PMC_FX0_CFG_C          0x1983
#define IA32_EFER                   0xc0000080
#define IA32_STAR                   0xc0000081
#define IA32_LSTAR                  0xc0000082
#define IA32_CSTAR                  0xc0000083
#define IA32_FMASK                  0xc0000084
#define IA32_FS_BASE                0xc0000100
#define IA32_GS_BASE                0xc0000101
#define IA32_KERNEL_GS_BASE         0xc0000102

#define EFER_SCE 0x001
#define EFER_LME 0x100
#define EFER_LMA 0x400
#define EFER_NXE 0x800

/* IA32_DEBUGCTL (F2.1). */
#define DEBUGCTL_LBR                   0x0001
#define DEBUGCTL_BTF                   0x0002
#define DEBUGCTL_BUS_LOCK_DETECT       0x0004
#define DEBUGCTL_TR                    0x0040
#define DEBUGCTL_BTS                   0x0080
#define DEBUGCTL_BTINT                 0x0100
#define DEBUGCTL_BTS_OFF_OS            0x0200
#define DEBUGCTL_BTS_OFF_USR           0x0400
#define DEBUGCTL_FREEZE_LBRS_ON_PMI    0x0800
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI 0x1000
#define DEBUGCTL_FREEZE_WHILE_SMM      0x4000
#define DEBUGCTL_RTM                   0x8000

/* IA32_PERFEVTSELx (F6.2). */
#define PERFEVTSEL_USR (1u << 16)
#define PERFEVTSEL_OS  (1u << 17)
#define PERFEVTSEL_INT (1u << 20)
#define PERFEVTSEL_EN  (1u << 22)
/* Newer bits of IA32_PERFEVTSELx (F21.19). */
#define PERFEVTSEL_EVENT_LOGGING (1ull << 35)
#define PERFEVTSEL_EQUAL         (1ull << 36)
#define PERFEVTSEL_NO_USER_READ  (1ull << 37)
#define PERFEVTSEL_UNIT_MASK_2   (0xffull << 40)

/* Four bits of IA32_FIXED_CTR_CTRL belong to each counter (F6.3). */
#define FIXED_CTR_CTRL_OS               1u
#define FIXED_CTR_CTRL_USR              2u
#define FIXED_CTR_CTRL_PMI              8u
#define FIXED_CTR_CTRL_FIELD            15u
#define FIXED_CTR_CTRL_FIELD_OF(number) ((uint64_t)FIXED_CTR_CTRL_FIELD << 4 * (number))

/* IA32_PERF_CAPABILITIES (F1.30, F1.31). */
#define PERF_CAPABILITIES_LBR_FORMAT        0x3fu
#define PERF_CAPABILITIES_PEBS_TRAP         (1u << 6)
#define PERF_CAPABILITIES_PEBS_REGISTERS    (1u << 7)
#define PERF_CAPABILITIES_PEBS_FORMAT_SHIFT 8 /* four bits */
#define PERF_CAPABILITIES_FREEZE_WHILE_SMM  (1u << 12)
#define PERF_CAPABILITIES_FULL_WIDTH_WRITES (1u << 13)
#define PERF_CAPABILITIES_PEBS_BASELINE     (1u << 14)
#define PERF_CAPABILITIES_PERF_METRICS      (1u << 15)
#define PERF_CAPABILITIES_PEBS_TIMED        (1u << 17) /* records have a latency (F22.11) */

/* ECX of RDPMC: a fixed counter (F6.23), MSR_PERF_METRICS (F21.17). */
#define RDPMC_FIXED   (1u << 30)
#define RDPMC_METRICS (1u << 29)

/* IA32_MISC_ENABLE (F1.20). */
#define MISC_ENABLE_FAST_STRINGS      1u
#define MISC_ENABLE_PERFMON_AVAILABLE (1u << 7)
#define MISC_ENABLE_BTS_UNAVAILABLE   (1u << 11)
#define MISC_ENABLE_PEBS_UNAVAILABLE  (1u << 12)
#define MISC_ENABLE_SPEEDSTEP         (1u << 16)
#define MISC_ENABLE_LIMIT_CPUID       (1u << 22) /* the highest leaf is 2 or 3 (F1.7) */
#define MISC_ENABLE_XD_DISABLE        (1ull << 34)
#define MISC_ENABLE_TURBO_DISABLE     (1ull << 38)

/* MSR_PLATFORM_INFO and MSR_PPIN_CTL (F14.18). */
#define PLATFORM_INFO_PPIN (1u << 23)
#define PPIN_CTL_ENABLE    (1u << 1)

/* MSR_POWER_CTL, MSR_TSX_FORCE_ABORT, IA32_CLOCK_MODULATION. */
#define POWER_CTL_C1E           (1u << 1)   /* HLT may halt deeper, in C1E (F25.10) */
#define TSX_FORCE_ABORT_RTM     (1ull << 0) /* transactions abort at once (F25.12) */
#define CLOCK_MODULATION_ENABLE (1u << 4)   /* throttles the clock (F25.10) */

/* IA32_RTIT_CTL: while this bit is set, some models suspend LBR, BTS and BTM (F2.9). */
#define RTIT_CTL_TRACE_EN 1u

#ifndef __ASSEMBLER__

#include <stdint.h>
#include "arch/cpu/ground/exception.h"

/*
 * Plain accesses, for registers that come with 64-bit mode or that a safe access reached before. An
 * exception ends the calling test (arch/cpu/traps/interrupts.h); outside a test it ends the run.
 * The same holds for RDMSR and WRMSR in assembly. But in another mode, and while a test owns the
 * gate of #GP, an exception cannot be reported. There, first try the register or value by
 * rdmsr_safe() or wrmsr_safe().
 */
uint64_t rdmsr(uint32_t number);
void wrmsr(uint32_t number, uint64_t value);

/* Return the exception, if any (F14.15). *value stays unchanged after an exception. */
struct exception rdmsr_safe(uint32_t number, uint64_t *value);
struct exception wrmsr_safe(uint32_t number, uint64_t value);

/* The same for RDPMC; index is ECX. */
struct exception rdpmc_safe(uint32_t index, uint64_t *value);

/* RAX and RDX as RDMSR and RDPMC leave them; all bits are set before. */
struct exception rdmsr_whole(uint32_t number, uint64_t registers[2]);
struct exception rdpmc_whole(uint32_t index, uint64_t registers[2]);

#endif
#endif
