/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/apic.h"

#define KEPT_MAX 32u

static struct firmware_lvt kept[KEPT_MAX];
static size_t kept_count;

void firmware_lvt_note(const char *what, uint32_t number, uint32_t entry)
{
    if (kept_count < KEPT_MAX)
        kept[kept_count++] = (struct firmware_lvt){.what = what, .number = number, .entry = entry};
}

const struct firmware_lvt *firmware_lvt(size_t number)
{
    return number < kept_count ? &kept[number] : NULL;
}
