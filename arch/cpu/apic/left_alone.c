/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/left_alone.h"

#define KEPT_MAX 32u

static struct left_alone kept[KEPT_MAX];
static size_t kept_count;

void left_alone_note(const char *what, uint32_t number, uint32_t entry)
{
    if (kept_count < KEPT_MAX)
        kept[kept_count++] = (struct left_alone){.what = what, .number = number, .entry = entry};
}

const struct left_alone *left_alone(size_t number)
{
    return number < kept_count ? &kept[number] : NULL;
}
