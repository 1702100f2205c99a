/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/cpu_label.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/memory/private_image.h"
#include "arch/lib/printf.h"

static SHARED_BY_IMAGES struct known {
    bool is_known;
    unsigned number;
    struct cpu_identity identity;
} places[CPU_SLOTS];

static unsigned current;
static char name[CPU_LABEL_SIZE + 1]; /* "@E2" */

void cpu_become(unsigned slot, unsigned number)
{
    char label[CPU_LABEL_SIZE];

    current = slot;
    places[slot] = (struct known){true, number, cpu_features()->identity};
    format_string(name, sizeof(name), "@%s",
                  cpu_label_of(number, &cpu_features()->identity, label));
}

unsigned cpu_number(void)
{
    return places[current].number;
}

unsigned cpu_slot(void)
{
    return current;
}

const struct cpu_identity *cpu_slot_identity(unsigned slot)
{
    return places[slot].is_known ? &places[slot].identity : NULL;
}

char *cpu_label_of(unsigned number, const struct cpu_identity *identity, char text[CPU_LABEL_SIZE])
{
    const char *letter = identity_core_letter(identity);

    format_string(text, CPU_LABEL_SIZE, "%s%u", letter[0] != '\0' ? letter : "cpu", number);
    return text;
}

const char *cpu_label_suffix(void)
{
    return current != 0 ? name : "";
}

const char *cpu_label_name(void)
{
    return name;
}

unsigned cpu_first_of_kind(unsigned number)
{
    unsigned first = 0;

    while (first < number &&
           !identity_same_kind(features_identity(first), features_identity(number)))
        first++;
    return first;
}

bool cpu_kinds_differ(void)
{
    for (unsigned i = 1; i < processor_count(); i++)
        if (features_are_probed(i) && cpu_first_of_kind(i) != 0)
            return true;
    return false;
}
