/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processors share a core or a package, by their APIC ids. CPUID.1FH, or 0BH if that is
 * empty, says how many low bits of an id number the threads of a core, and of a package (F24.16).
 * Pure: runs on the host too.
 */
#ifndef ARCH_CPU_IDENTITY_TOPOLOGY_H
#define ARCH_CPU_IDENTITY_TOPOLOGY_H

#include <stdint.h>
#include "arch/cpu/ground/insn.h"

struct topology {
    uint32_t leaf;                      /* leaf used; 0: none, and the other fields are undefined */
    uint32_t id;                        /* the running processor's x2APIC id, in xAPIC mode too */
    uint32_t core_shift, package_shift; /* bits, the second one the larger or the same */
};

enum kinship { KIN_UNKNOWN, KIN_SELF, KIN_CORE, KIN_PACKAGE, KIN_NONE };

typedef struct cpuid_result (*cpuid_reader)(uint32_t leaf, uint32_t subleaf);

struct topology topology_read(uint32_t max_leaf, cpuid_reader read);

/* Package, core within the package, thread within the core. */
struct topology_place {
    uint32_t package, core, thread;
};

struct topology_place topology_place(const struct topology *topology, uint32_t id);

/* What two processors share. */
enum kinship topology_kinship(const struct topology *topology, uint32_t a, uint32_t b);

#endif
