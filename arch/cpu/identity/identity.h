/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID: single bits by their place, and who this processor says it is. */
#ifndef ARCH_CPU_IDENTITY_IDENTITY_H
#define ARCH_CPU_IDENTITY_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/lib/string.h"

struct cpu_identity {
    char vendor[13];                  /* CPUID.0H */
    char brand[49];                   /* CPUID.80000002H to 80000004H, trimmed; "" when absent */
    char hypervisor[13];              /* CPUID.40000000H, "no name"; "" on bare metal */
    uint32_t signature;               /* CPUID.01H:EAX */
    uint32_t family, model, stepping; /* DisplayFamily, DisplayModel (F1.3) */
    uint32_t core;                    /* CPUID.1AH:EAX, identity_core() */
    uint32_t platform;                /* IA32_PLATFORM_ID[52:50]; 0 when it cannot be read */
    uint32_t microcode;               /* IA32_BIOS_SIGN_ID[63:32]; 0 when it cannot be read */
    uint32_t max_leaf;                /* CPUID.0H:EAX */
    uint32_t physical_address_bits;   /* CPUID.80000008H:EAX[7:0] */
    uint32_t linear_address_bits;     /* … EAX[15:8]: the most that any paging mode gives */
};

enum cpuid_register { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX };

struct cpuid_bit {
    uint32_t leaf; /* subleaf 0 */
    enum cpuid_register reg;
    uint8_t bit;
};

/* False when the leaf is above the highest one. */
bool cpuid_bit_value(struct cpuid_bit bit);

/* Family, model and stepping as the manual computes them for display (F1.3): base family 0FH with
 * an extended one is another family than NetBurst's. */
void identity_decode_signature(struct cpu_identity *identity, uint32_t signature);

/* has_msr: RDMSR exists; under_hypervisor: leaf 40000000H means something. */
void identity_probe(struct cpu_identity *identity, bool has_msr, bool under_hypervisor);

/* Models, model-specific registers and the bits of IA32_DEBUGCTL are each vendor's own. */
static inline bool identity_is_intel(const struct cpu_identity *identity)
{
    return strcmp(identity->vendor, "GenuineIntel") == 0;
}

/* A hypervisor says what is enumerated, and may lend less; not where an emulator executes each
 * instruction itself. */
bool identity_is_somebodys_guest(const struct cpu_identity *identity);

#define CORE_TYPE 24u /* its place in the word, eight bits (F24.1) */
#define CORE_ATOM 0x20u
#define CORE_CORE 0x40u

/*
 * Type and native model of the core that is executing, CPUID.1AH:EAX, or 0 where that is not told:
 * CPUID.01H has one signature for all cores of a chip. On a hybrid one a core without a type is of
 * the Core line (F24.4).
 */
uint32_t identity_core(void);

/* Says this processor that its chip has cores of several kinds? They may all be of one (F24.3). */
bool identity_is_hybrid(void);

/* Are they of one kind: do they enumerate and decide alike? */
bool identity_same_kind(const struct cpu_identity *a, const struct cpu_identity *b);

/* "P", "E", "X" for a line that is not known, "" where nothing is told. */
const char *identity_core_letter(const struct cpu_identity *identity);

#endif
