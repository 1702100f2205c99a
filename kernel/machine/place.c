/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/place.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/memory/world.h"
#include "arch/lib/printf.h"

static WORLD_SHARED struct known {
    bool is_known;
    unsigned number;
    struct cpu_identity identity;
} places[PLACE_SLOTS];

static unsigned current;
static char name[PLACE_LABEL_SIZE + 1]; /* "@E2" */

void place_become(unsigned slot, unsigned number)
{
    char label[PLACE_LABEL_SIZE];

    current = slot;
    places[slot] = (struct known){true, number, cpu_features()->identity};
    format_string(name, sizeof(name), "@%s", place_label(number, &cpu_features()->identity, label));
}

unsigned place(void)
{
    return places[current].number;
}

unsigned place_slot(void)
{
    return current;
}

const struct cpu_identity *place_identity(unsigned slot)
{
    return places[slot].is_known ? &places[slot].identity : NULL;
}

char *place_label(unsigned number, const struct cpu_identity *identity, char text[PLACE_LABEL_SIZE])
{
    const char *letter = identity_core_letter(identity);

    format_string(text, PLACE_LABEL_SIZE, "%s%u", letter[0] != '\0' ? letter : "cpu", number);
    return text;
}

const char *place_suffix(void)
{
    return current != 0 ? name : "";
}

const char *place_name(void)
{
    return name;
}

unsigned place_first_of_kind(unsigned number)
{
    unsigned first = 0;

    while (first < number &&
           !identity_same_kind(features_identity(first), features_identity(number)))
        first++;
    return first;
}

bool place_kinds_differ(void)
{
    for (unsigned i = 1; i < processor_count(); i++)
        if (features_are_probed(i) && place_first_of_kind(i) != 0)
            return true;
    return false;
}
