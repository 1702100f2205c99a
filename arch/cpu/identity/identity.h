/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID: single bits, and the processor's identity. */
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
    uint32_t linear_address_bits;     /* EAX[15:8] of that leaf: the most of any paging mode */
};

enum cpuid_register { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX };

struct cpuid_bit {
    uint32_t leaf; /* subleaf 0 */
    enum cpuid_register reg;
    uint8_t bit;
};

/* The bit's value; false also if the leaf is above the highest one. */
bool cpuid_bit_value(struct cpuid_bit bit);

/* Computes DisplayFamily, DisplayModel and stepping (F1.3). Base family 0FH with an extended family
 * is not NetBurst's family. */
void identity_decode_signature(struct cpu_identity *identity, uint32_t signature);

/* has_msr: RDMSR exists; under_hypervisor: leaf 40000000H means something. */
void identity_probe(struct cpu_identity *identity, bool has_msr, bool under_hypervisor);

/* Models, model-specific registers and the bits of IA32_DEBUGCTL differ between vendors. */
static inline bool identity_is_intel(const struct cpu_identity *identity)
{
    return strcmp(identity->vendor, "GenuineIntel") == 0;
}

/* Does a hypervisor decide what CPUID enumerates, and perhaps provide less? False for an emulator
 * that executes every instruction itself. */
bool identity_is_somebodys_guest(const struct cpu_identity *identity);

#define CORE_TYPE 24u /* lowest of its eight bits in cpu_identity.core (F24.1) */
#define CORE_ATOM 0x20u
#define CORE_CORE 0x40u

/*
 * Type and native model of the running core (CPUID.1AH:EAX), or 0 if not enumerated. All cores of a
 * chip share one CPUID.01H signature. On a hybrid chip a core without a type is of the Core line
 * (F24.4).
 */
uint32_t identity_core(void);

/* Does CPUID say that the chip has several kinds of cores? All may still be of one kind (F24.3). */
bool identity_is_hybrid(void);

/* Are both of one kind, with the same enumeration and the same choices? */
bool identity_same_kind(const struct cpu_identity *a, const struct cpu_identity *b);

/* "P" or "E", "X" for an unknown line, "" if the type is not enumerated. */
const char *identity_core_letter(const struct cpu_identity *identity);

#endif
