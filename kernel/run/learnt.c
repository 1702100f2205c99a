/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/learnt.h"

#include "arch/lib/string.h"
#include "kernel/report/test.h"

extern const struct learnt __learnt_start[], __learnt_end[];

void learnt_remember(void)
{
    for (const struct learnt *row = __learnt_start; row < __learnt_end; row++)
        memcpy(row->before, row->now, row->size);
}

void learnt_take_back(void)
{
    for (const struct learnt *row = __learnt_start; row < __learnt_end; row++)
        memcpy(row->now, row->before, row->size);
}
