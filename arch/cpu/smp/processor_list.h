/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the processors that the MADT lists are used, and under which numbers. Pure: it can be
 * called on the host.
 */
#ifndef ARCH_CPU_SMP_PROCESSOR_LIST_H
#define ARCH_CPU_SMP_PROCESSOR_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/tables/acpi_tables.h"
#include "arch/cpu/apic/apic_mode.h"
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
 * Those of the MADT's that a message can be sent to: which the mode can address, and which are not
 * the running one. Returns how many the mode cannot.
 */
unsigned processor_ids_reached(const struct acpi_madt *madt, uint32_t own_id, enum apic_mode mode,
                               struct processor_ids *out);

/* It has that one. */
void processor_ids_take_out(struct processor_ids *ids, uint32_t id);

/*
 * Number 0 is the running processor, which has own_id; the nearest to it by APIC id come next, and
 * where there is no room for all, the last place is the farthest one's. others does not have
 * own_id.
 */
struct processor_list processor_list_make(const struct processor_ids *others, uint32_t own_id);

/*
 * The same of those that come when they are called: each that would be in the list is called once,
 * until all have come that are in it. Those that did not are taken out of others. When there is no
 * time for more calls the list has those that came so far.
 */
enum call_result { CALL_CAME, CALL_CAME_NOT, CALL_NO_TIME };
struct processor_list processor_list_call(struct processor_ids *others, uint32_t own_id,
                                          enum call_result (*call)(uint32_t id));

/*
 * Takes in one that has come, of a kind that none in the list has; the list has a kind for each
 * place. Where it is full, in the place of the last but the farthest that is not the only one of
 * its kind; false where there is none.
 */
bool processor_list_admit(struct processor_list *list, uint64_t kinds[PROCESSORS_MAX], uint32_t id,
                          uint64_t kind);

/* Does it list one that only x2APIC mode can address? */
bool processor_list_needs_x2apic(const struct acpi_madt *madt);

#endif
