/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds an address's symbol in a table of all labels, which is embedded at link time. */
#ifndef ARCH_LIB_SYMBOLS_H
#define ARCH_LIB_SYMBOLS_H

#include <stdint.h>

/* Name of the nearest symbol at or below the address, and the offset from it; NULL outside the
 * image. */
const char *symbol_find(uint64_t address, uint64_t *offset);

#endif
