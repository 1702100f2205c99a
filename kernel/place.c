/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/place.h"

#include "arch/cpu/features.h"
#include "arch/cpu/processors.h"
#include "arch/lib/printf.h"

static enum places wanted;
static unsigned current;
static char suffixes[PROCESSORS_MAX][PLACE_LABEL_SIZE + 1];

void places_choose(enum places places)
{
    wanted = places;
}

unsigned place_first_of_kind(unsigned processor)
{
    unsigned first = 0;

    while (first < processor &&
           !identity_same_kind(features_identity(first), features_identity(processor)))
        first++;
    return first;
}

bool place_is_one(unsigned processor)
{
    if (processor == 0)
        return true;
    if (wanted == PLACES_BOOT || !features_are_probed(processor))
        return false;
    return wanted == PLACES_EACH || place_first_of_kind(processor) == processor;
}

bool place_kinds_differ(void)
{
    for (unsigned i = 1; i < processor_count(); i++)
        if (features_are_probed(i) && place_first_of_kind(i) != 0)
            return true;
    return false;
}

char *place_label(unsigned processor, char text[PLACE_LABEL_SIZE])
{
    const char *letter = identity_core_letter(features_identity(processor));

    format_string(text, PLACE_LABEL_SIZE, "%s%u", letter[0] != '\0' ? letter : "cpu", processor);
    return text;
}

void place_go(unsigned processor)
{
    char label[PLACE_LABEL_SIZE];

    current = processor;
    features_view(processor);
    if (processor != 0)
        format_string(suffixes[processor], sizeof(suffixes[0]), "@%s",
                      place_label(processor, label));
}

unsigned place(void)
{
    return current;
}

const char *place_suffix(void)
{
    return suffixes[current];
}
