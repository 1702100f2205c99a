/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/smp/processor_list.h"

unsigned processor_ids_reached(const struct acpi_madt *madt, uint32_t own_id, enum apic_mode mode,
                               struct processor_ids *out)
{
    unsigned out_of_reach = 0;
    out->count = 0;
    for (unsigned i = 0; i < madt->processor_count; i++) {
        if (!apic_mode_reaches(mode, madt->processors[i]))
            out_of_reach++;
        else if (madt->processors[i] != own_id)
            out->id[out->count++] = madt->processors[i];
    }
    return out_of_reach;
}

/* The next larger distance to another id, or 0. */
static uint32_t next_distance(const struct processor_ids *others, uint32_t own_id, uint32_t after)
{
    uint32_t nearest = 0;
    for (unsigned i = 0; i < others->count; i++) {
        uint32_t distance = others->id[i] ^ own_id;
        if (distance > after && (nearest == 0 || distance < nearest))
            nearest = distance;
    }
    return nearest;
}

static uint32_t largest_distance(const struct processor_ids *others, uint32_t own_id)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < others->count; i++)
        if ((others->id[i] ^ own_id) > largest)
            largest = others->id[i] ^ own_id;
    return largest;
}

struct processor_list processor_list_make(const struct processor_ids *others, uint32_t own_id)
{
    struct processor_list list = {.count = 1, .ids = {own_id}};
    uint32_t distance = 0, largest = largest_distance(others, own_id);
    while (list.count < PROCESSORS_MAX && distance < largest) {
        distance =
            list.count == PROCESSORS_MAX - 1 ? largest : next_distance(others, own_id, distance);
        list.ids[list.count++] = distance ^ own_id;
    }
    return list;
}

void processor_ids_take_out(struct processor_ids *ids, uint32_t id)
{
    unsigned at = 0;
    while (at < ids->count && ids->id[at] != id)
        at++;
    for (; at < ids->count; at++)
        ids->id[at] = at + 1 < ids->count ? ids->id[at + 1] : 0;
    ids->count--;
}

static bool is_in(const struct processor_list *list, uint32_t id)
{
    unsigned at = 0;
    while (at < list->count && list->ids[at] != id)
        at++;
    return at < list->count;
}

/* Index of the first entry of one list that the other lacks, or past the last. */
static unsigned first_new(const struct processor_list *wanted, const struct processor_list *came)
{
    unsigned i = 0;
    while (i < wanted->count && is_in(came, wanted->ids[i]))
        i++;
    return i;
}

/* Entries of both lists, in the order of the second. */
static struct processor_list both(const struct processor_list *order,
                                  const struct processor_list *came)
{
    struct processor_list list = {.count = 0};
    for (unsigned i = 0; i < order->count; i++)
        if (is_in(came, order->ids[i]))
            list.ids[list.count++] = order->ids[i];
    return list;
}

/* A processor that started stays wanted, because no nearer one appears later. */
struct processor_list processor_list_call(struct processor_ids *others, uint32_t own_id,
                                          enum call_result (*call)(uint32_t id))
{
    struct processor_list wanted = processor_list_make(others, own_id);
    struct processor_list came = {.count = 1, .ids = {own_id}};
    for (unsigned i; (i = first_new(&wanted, &came)) < wanted.count;) {
        uint32_t id = wanted.ids[i];
        enum call_result result = call(id);
        if (result == CALL_NO_TIME)
            break;
        if (result == CALL_CAME)
            came.ids[came.count++] = id;
        else
            processor_ids_take_out(others, id);
        wanted = processor_list_make(others, own_id);
    }
    return both(&wanted, &came);
}

static unsigned of_kind(const uint64_t *kinds, unsigned count, uint64_t kind)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++)
        found += kinds[i] == kind;
    return found;
}

/* 0, the running processor's, if none can be replaced. */
static unsigned place_for_another(const struct processor_list *list, const uint64_t *kinds)
{
    unsigned at = list->count - 2;
    while (at > 0 && of_kind(kinds, list->count, kinds[at]) == 1)
        at--;
    return at;
}

bool processor_list_admit(struct processor_list *list, uint64_t kinds[PROCESSORS_MAX], uint32_t id,
                          uint64_t kind)
{
    unsigned at = list->count;
    if (of_kind(kinds, list->count, kind) > 0)
        return false;
    if (at == PROCESSORS_MAX)
        at = place_for_another(list, kinds);
    else
        list->count++;
    if (at == 0)
        return false;
    list->ids[at] = id;
    kinds[at] = kind;
    return true;
}

bool processor_list_needs_x2apic(const struct acpi_madt *madt)
{
    for (unsigned i = 0; i < madt->processor_count; i++)
        if (!apic_mode_reaches(APIC_MODE_XAPIC, madt->processors[i]))
            return true;
    return false;
}
