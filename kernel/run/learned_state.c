/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/learned_state.h"

#include "arch/lib/string.h"
#include "kernel/report/test.h"

extern const struct learned_state __learned_state_start[], __learned_state_end[];

void learned_state_save(void)
{
    for (const struct learned_state *row = __learned_state_start; row < __learned_state_end; row++)
        memcpy(row->before, row->now, row->size);
}

void learned_state_restore(void)
{
    for (const struct learned_state *row = __learned_state_start; row < __learned_state_end; row++)
        memcpy(row->now, row->before, row->size);
}
