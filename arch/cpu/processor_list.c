/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/processor_list.h"

/* The smallest distance to another id that is greater than the given one, or 0. */
static uint32_t next_distance(const struct acpi_madt *madt, uint32_t own_id, enum apic_mode mode,
                              uint32_t after)
{
    uint32_t nearest = 0;
    for (unsigned i = 0; i < madt->processor_count; i++) {
        uint32_t distance = madt->processors[i] ^ own_id;
        if (apic_mode_reaches(mode, madt->processors[i]) && distance > after &&
            (nearest == 0 || distance < nearest))
            nearest = distance;
    }
    return nearest;
}

static uint32_t largest_distance(const struct acpi_madt *madt, uint32_t own_id, enum apic_mode mode)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < madt->processor_count; i++) {
        uint32_t distance = madt->processors[i] ^ own_id;
        if (apic_mode_reaches(mode, madt->processors[i]) && distance > largest)
            largest = distance;
    }
    return largest;
}

struct processor_list processor_list_make(const struct acpi_madt *madt, uint32_t own_id,
                                          enum apic_mode mode)
{
    struct processor_list list = {.count = 1, .ids = {own_id}};
    uint32_t distance = 0, largest = largest_distance(madt, own_id, mode);
    while (list.count < PROCESSORS_MAX && distance < largest) {
        distance = list.count == PROCESSORS_MAX - 1 ? largest
                                                    : next_distance(madt, own_id, mode, distance);
        list.ids[list.count++] = distance ^ own_id;
    }
    for (unsigned i = 0; i < madt->processor_count; i++)
        list.out_of_reach += !apic_mode_reaches(mode, madt->processors[i]);
    return list;
}

bool processor_list_needs_x2apic(const struct acpi_madt *madt)
{
    for (unsigned i = 0; i < madt->processor_count; i++)
        if (!apic_mode_reaches(APIC_MODE_XAPIC, madt->processors[i]))
            return true;
    return false;
}
