/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/page_alias.h"

#include <stddef.h>
#include "arch/cpu/insn.h"
#include "arch/cpu/page_tables.h"

bool page_alias_map(uint64_t address, const void *page)
{
    const uint64_t *original = page_tables_entry((uint64_t)(uintptr_t)page, false, false);
    uint64_t *alias;

    if (original == NULL)
        return false;
    alias = page_tables_entry(address, true, (*original & PTE_USER) != 0);
    if (alias == NULL)
        return false;
    *alias = *original;
    insn_invlpg((const void *)(uintptr_t)address);
    return true;
}

void page_alias_unmap(uint64_t address)
{
    uint64_t *alias = page_tables_entry(address, false, false);

    if (alias != NULL)
        *alias = 0;
    insn_invlpg((const void *)(uintptr_t)address);
}
