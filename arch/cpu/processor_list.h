/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the processors that the MADT lists are used, and under which numbers. Pure: it can be
 * called on the host.
 */
#ifndef ARCH_CPU_PROCESSOR_LIST_H
#define ARCH_CPU_PROCESSOR_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/acpi_tables.h"
#include "arch/cpu/apic_mode.h"
#include "arch/cpu/percpu.h"

struct processor_list {
    unsigned out_of_reach; /* listed, but with an APIC id that the mode cannot address */
    unsigned count;        /* of ids: 1 at least */
    uint32_t ids[PROCESSORS_MAX];
};

/*
 * Number 0 is the running processor, which has own_id; the nearest to it by APIC id come next, and
 * where there is no room for all, the last place is the farthest one's.
 */
struct processor_list processor_list_make(const struct acpi_madt *madt, uint32_t own_id,
                                          enum apic_mode mode);

/* Does it list one that only x2APIC mode can address? */
bool processor_list_needs_x2apic(const struct acpi_madt *madt);

#endif
