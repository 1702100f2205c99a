/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stand-in: an empty table of symbols. */
#ifndef TESTS_HOST_UNIT_NO_SYMBOLS_H
#define TESTS_HOST_UNIT_NO_SYMBOLS_H

#include <stddef.h>

#include "arch/lib/printf.h"

const char *symbol_find(uint64_t address, uint64_t *offset)
{
    (void)address, (void)offset;
    return NULL;
}

#endif
