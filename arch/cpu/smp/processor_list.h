/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses and numbers the processors to use, of those that the MADT lists. Pure: runs on the host
 * too.
 */
#ifndef ARCH_CPU_SMP_PROCESSOR_LIST_H
#define ARCH_CPU_SMP_PROCESSOR_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/percpu.h"

struct processor_ids {
    unsigned count;
    uint32_t id[ACPI_PROCESSORS];
};

struct processor_list {
    unsigned count; /* of ids: 1 at least */
    uint32_t ids[PROCESSORS_MAX];
};

/*
 * Fills *out with the MADT's processors that the mode can address, except the running one. Returns
 * how many the mode cannot address.
 */
unsigned processor_ids_reached(const struct acpi_madt *madt, uint32_t own_id, enum apic_mode mode,
                               struct processor_ids *out);

/* Removes id, which the list must contain. */
void processor_ids_take_out(struct processor_ids *ids, uint32_t id);

/*
 * Number 0 is the running processor, with own_id. The nearest by APIC id follow; if there is no
 * room for all, the last place goes to the farthest. own_id must not be among `others`.
 */
struct processor_list processor_list_make(const struct processor_ids *others, uint32_t own_id);

/*
 * processor_list_make() for processors that start: calls each candidate once, and removes from
 * `others` those that do not start, until every entry of the list has started. When no time is left
 * the list holds those that started so far.
 */
enum call_result { CALL_CAME, CALL_CAME_NOT, CALL_NO_TIME };
struct processor_list processor_list_call(struct processor_ids *others, uint32_t own_id,
                                          enum call_result (*call)(uint32_t id));

/*
 * Adds a processor that has started, if its kind is new to the list; kinds[] has the kind of each
 * entry. If the list is full, the processor replaces the last entry whose kind another entry has
 * too. The running processor and the farthest one, in the first and the last place, are never
 * replaced. Returns false if the processor was not added.
 */
bool processor_list_admit(struct processor_list *list, uint64_t kinds[PROCESSORS_MAX], uint32_t id,
                          uint64_t kind);

/* Does the MADT list a processor that only x2APIC mode can address? */
bool processor_list_needs_x2apic(const struct acpi_madt *madt);

#endif
