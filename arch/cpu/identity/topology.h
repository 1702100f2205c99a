/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells by their APIC ids which processors share a core or a package. CPUID.1FH, or 0BH if 1FH is
 * empty, has two counts: of the low bits of an APIC id that differ between threads of one core, and
 * of those that differ between threads of one package (F24.16). Pure: runs on the host too.
 */
#ifndef ARCH_CPU_IDENTITY_TOPOLOGY_H
#define ARCH_CPU_IDENTITY_TOPOLOGY_H

#include <stdint.h>
#include "arch/cpu/ground/insn.h"

struct topology {
    uint32_t leaf;                      /* leaf used; 0: none, and the other fields are undefined */
    uint32_t id;                        /* the running processor's x2APIC id, in xAPIC mode too */
    uint32_t core_shift, package_shift; /* these counts; core_shift <= package_shift */
};

enum kinship { KIN_UNKNOWN, KIN_SELF, KIN_CORE, KIN_PACKAGE, KIN_NONE };

typedef struct cpuid_result (*cpuid_reader)(uint32_t leaf, uint32_t subleaf);

/* max_leaf: the highest basic leaf. */
struct topology topology_read(uint32_t max_leaf, cpuid_reader read);

/* Package, core within the package, thread within the core. */
struct topology_place {
    uint32_t package, core, thread;
};

struct topology_place topology_place(const struct topology *topology, uint32_t id);

/* The closest thing that the processors with the x2APIC ids a and b share. KIN_NONE: not even a
 * package. KIN_UNKNOWN: topology->leaf is 0. */
enum kinship topology_kinship(const struct topology *topology, uint32_t a, uint32_t b);

#endif
