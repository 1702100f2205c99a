/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/identity.h"
#include <stddef.h>
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"

#define LEAF_EXTENDED   0x80000000u
#define LEAF_BRAND      0x80000002u /* and the two after it */
#define LEAF_ADDRESSES  0x80000008u
#define LEAF_HYPERVISOR 0x40000000u
#define LEAF_KIND       0xf0000000u /* basic, hypervisor, extended */

#define LEAF_FEATURES   0x07u
#define FEATURES_HYBRID (1u << 15) /* EDX: it has cores of several kinds */
#define LEAF_HYBRID     0x1au
#define PLATFORM_ID     50u /* its place in IA32_PLATFORM_ID, three bits (F24.25) */

#define NAMELESS "no name" /* a hypervisor without a signature */

#define PHYSICAL_BITS_LEAST 36u
#define LINEAR_BITS_LEAST   48u

/* Above the highest leaf, CPUID returns data of another leaf. */
static bool leaf_exists(uint32_t leaf)
{
    uint32_t kind = leaf & LEAF_KIND;
    return insn_cpuid(kind, 0).eax >= leaf;
}

bool cpuid_bit_value(struct cpuid_bit bit)
{
    if (!leaf_exists(bit.leaf))
        return false;
    struct cpuid_result r = insn_cpuid(bit.leaf, 0);
    const uint32_t registers[] = {
        [CPUID_EAX] = r.eax, [CPUID_EBX] = r.ebx, [CPUID_ECX] = r.ecx, [CPUID_EDX] = r.edx};
    return registers[bit.reg] >> bit.bit & 1;
}

static void copy_registers(char *to, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t registers[] = {a, b, c};
    __builtin_memcpy(to, registers, sizeof(registers));
    to[sizeof(registers)] = 0;
}

/* Brand strings are padded with blanks on either side. */
static void trim(char *text)
{
    char *from = text, *end = text;
    while (*from == ' ')
        from++;
    for (char *to = text; (*to = *from) != 0; from++, to++)
        if (*to != ' ')
            end = to + 1;
    *end = 0;
}

static void read_brand(char brand[49])
{
    if (!leaf_exists(LEAF_BRAND + 2))
        return;
    for (uint32_t i = 0; i < 3; i++) {
        struct cpuid_result r = insn_cpuid(LEAF_BRAND + i, 0);
        __builtin_memcpy(brand + i * sizeof(r), &r, sizeof(r));
    }
    brand[48] = 0;
    trim(brand);
}

void identity_decode_signature(struct cpu_identity *identity, uint32_t s)
{
    uint32_t family = s >> 8 & 0xf, model = s >> 4 & 0xf;
    identity->signature = s;
    identity->stepping = s & 0xf;
    identity->family = family == 0xf ? family + (s >> 20 & 0xff) : family;
    identity->model = family == 6 || family == 0xf ? (s >> 16 & 0xf) << 4 | model : model;
}

/* The revision appears in the upper half after a write of 0 and a CPUID. */
static uint32_t read_microcode(void)
{
    uint64_t value = 0;
    wrmsr_safe(IA32_BIOS_SIGN_ID, 0);
    insn_cpuid(1, 0);
    if (exception_happened(rdmsr_safe(IA32_BIOS_SIGN_ID, &value)))
        return 0;
    return (uint32_t)(value >> 32);
}

static uint32_t read_platform(void)
{
    uint64_t value = 0;
    if (exception_happened(rdmsr_safe(IA32_PLATFORM_ID, &value)))
        return 0;
    return value >> PLATFORM_ID & 7;
}

static void read_address_bits(struct cpu_identity *identity)
{
    uint32_t bits = leaf_exists(LEAF_ADDRESSES) ? insn_cpuid(LEAF_ADDRESSES, 0).eax : 0;

    identity->physical_address_bits = bits & 0xff ? bits & 0xff : PHYSICAL_BITS_LEAST;
    identity->linear_address_bits = bits >> 8 & 0xff ? bits >> 8 & 0xff : LINEAR_BITS_LEAST;
}

static void read_hypervisor(char name[static 13])
{
    struct cpuid_result r = insn_cpuid(LEAF_HYPERVISOR, 0);

    copy_registers(name, r.ebx, r.ecx, r.edx);
    if (!name[0])
        __builtin_memcpy(name, NAMELESS, sizeof NAMELESS);
}

void identity_probe(struct cpu_identity *identity, bool has_msr, bool under_hypervisor)
{
    struct cpuid_result r = insn_cpuid(0, 0);
    identity->max_leaf = r.eax;
    copy_registers(identity->vendor, r.ebx, r.edx, r.ecx);
    read_brand(identity->brand);
    identity_decode_signature(identity, insn_cpuid(1, 0).eax);
    if (under_hypervisor)
        read_hypervisor(identity->hypervisor);
    if (has_msr) {
        identity->microcode = read_microcode();
        identity->platform = read_platform();
    }
    identity->core = identity_core();
    read_address_bits(identity);
}

bool identity_is_somebodys_guest(const struct cpu_identity *identity)
{
    return identity->hypervisor[0] && strcmp(identity->hypervisor, "TCGTCGTCGTCG") != 0;
}

bool identity_is_hybrid(void)
{
    return leaf_exists(LEAF_FEATURES) && insn_cpuid(LEAF_FEATURES, 0).edx & FEATURES_HYBRID;
}

/* The leaf decides, not the flag: the flag may be set although only one kind is enabled, or clear
 * although the leaf has data (F24.2, F24.3). */
uint32_t identity_core(void)
{
    uint32_t core = leaf_exists(LEAF_HYBRID) ? insn_cpuid(LEAF_HYBRID, 0).eax : 0;
    if (core >> CORE_TYPE == 0 && identity_is_hybrid())
        core |= CORE_CORE << CORE_TYPE;
    return core;
}

bool identity_same_kind(const struct cpu_identity *a, const struct cpu_identity *b)
{
    return a->signature == b->signature && a->core == b->core;
}

const char *identity_core_letter(const struct cpu_identity *identity)
{
    switch (identity->core >> CORE_TYPE) {
    case 0:
        return "";
    case CORE_CORE:
        return "P";
    case CORE_ATOM:
        return "E";
    default:
        return "X";
    }
}
