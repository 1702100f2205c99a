/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this processor has, as one typed table: CPUID 01H, 07H, 0AH, IA32_MISC_ENABLE and
 * IA32_PERF_CAPABILITIES (F1.1 to F1.34), probed once. A test names features as needs; a missing
 * one is explained with the register, the bit and its value.
 */
#ifndef ARCH_CPU_FEATURES_H
#define ARCH_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, where it is read, what makes it present) lives in features.c, one row each. */
enum feature {
    FEATURE_MSR,        /* CPUID.01H:EDX[5] */
    FEATURE_MCE,        /* CPUID.01H:EDX[7]: machine-check exception, CR4.MCE */
    FEATURE_APIC,       /* CPUID.01H:EDX[9] */
    FEATURE_SEP,        /* CPUID.01H:EDX[11] */
    FEATURE_PGE,        /* CPUID.01H:EDX[13] */
    FEATURE_MCA,        /* CPUID.01H:EDX[14]: the machine-check MSRs */
    FEATURE_PAT,        /* CPUID.01H:EDX[16] */
    FEATURE_DS,         /* CPUID.01H:EDX[21] */
    FEATURE_DTES64,     /* CPUID.01H:ECX[2] */
    FEATURE_DS_CPL,     /* CPUID.01H:ECX[4] */
    FEATURE_PDCM,       /* CPUID.01H:ECX[15] */
    FEATURE_X2APIC,     /* CPUID.01H:ECX[21] */
    FEATURE_HYPERVISOR, /* CPUID.01H:ECX[31] */
    FEATURE_SMEP,       /* CPUID.07H.0:EBX[7] */
    FEATURE_RTM,        /* CPUID.07H.0:EBX[11] */
    FEATURE_NX,         /* CPUID.80000001H:EDX[20] */
    FEATURE_SYSCALL,    /* CPUID.80000001H:EDX[11] */
    FEATURE_BTS,      /* DS, IA32_MISC_ENABLE.BTS_UNAVAILABLE = 0, and TR|BTS stick in IA32_DEBUGCTL
                         (F1.4) */
    FEATURE_PEBS,     /* DS and IA32_MISC_ENABLE.PEBS_UNAVAILABLE = 0 */
    FEATURE_PERFMON,  /* CPUID.0AH:EAX[7:0] >= 1 */
    FEATURE_PERFMON2, /* CPUID.0AH:EAX[7:0] >= 2: freeze on PMI (FRZ-1) */
    FEATURE_PERFMON4, /* CPUID.0AH:EAX[7:0] >= 4: streamlined freeze */
    FEATURE_FREEZE_WHILE_SMM,  /* IA32_PERF_CAPABILITIES[12] */
    FEATURE_FULL_WIDTH_WRITES, /* IA32_PERF_CAPABILITIES[13]: IA32_A_PMCx exist */
    FEATURE_LBR,          /* a stack known for this family and model, and DEBUGCTL.LBR can be set */
    FEATURE_LBR_SELECT,   /* LBR, and the stack has MSR_LBR_SELECT */
    FEATURE_LER,          /* LBR, and the last-exception record can be read (F8.32) */
    FEATURE_BTF,          /* Intel's, and DEBUGCTL.BTF can be set: no CPUID bit (F9.11, F9.12) */
    FEATURE_PEBS_RECORDS, /* PEBS, a record format of 0 to 4 enumerated, PEBS_ENABLE[0] can be
                             set, IA32_PERF_GLOBAL_CTRL exists */
    FEATURE_PEBS_EVENTING_IP, /* the same, format 2 or higher */
    FEATURE_PEBS_TSC,         /* the same, format 3 or higher */
    FEATURE_PEBS_ADAPTIVE,    /* the same, format 4 */
    FEATURE_SECOND_PROCESSOR, /* the MADT lists one, and it can be started: processors_init() */
    FEATURE_COUNT,
};

struct cpu_identity {
    char vendor[13];                  /* CPUID.0H */
    char brand[49];                   /* CPUID.80000002H to 80000004H, trimmed; "" when absent */
    char hypervisor[13];              /* CPUID.40000000H; "" on bare metal */
    uint32_t signature;               /* CPUID.01H:EAX */
    uint32_t family, model, stepping; /* DisplayFamily, DisplayModel (F1.3) */
    uint32_t microcode;               /* IA32_BIOS_SIGN_ID[63:32]; 0 when it cannot be read */
    uint32_t max_leaf;                /* CPUID.0H:EAX */
    uint32_t physical_address_bits;   /* CPUID.80000008H:EAX[7:0] */
};

struct perfmon_identity { /* CPUID.0AH (F1.8 to F1.11); all 0 without it */
    uint8_t version;
    uint8_t counters, counter_bits;
    uint8_t fixed_counters, fixed_counter_bits;
    uint32_t event_mask_length, events_unavailable; /* EAX[31:24], EBX */
    uint32_t fixed_bitmap;                          /* ECX, version 5 on */
};

struct cpu_features {
    struct cpu_identity identity;
    struct perfmon_identity perfmon;
    uint64_t misc_enable; /* 0 when it cannot be read */
    bool misc_enable_readable;
    uint64_t perf_capabilities; /* 0 without PDCM, or when it cannot be read */
    bool perf_capabilities_readable;
    bool present[FEATURE_COUNT];
};

/* Filled by features_probe(), which needs the fault fixups (interrupts_init) to be up. */
extern struct cpu_features cpu_features;
void features_probe(void);

static inline bool feature_present(enum feature feature)
{
    return cpu_features.present[feature];
}

/* "DS-CPL" */
const char *feature_name(enum feature feature);

/*
 * Why it is missing, with the register, bit and value read: "CPUID.01H:ECX[4].DS-CPL = 0".
 * Writes at most size bytes, terminating zero included.
 */
void feature_missing_reason(enum feature feature, char *text, size_t size);

#endif
