/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses to names, from a table of every label that is embedded in the image at link time. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* Name of the nearest symbol at or below the address and the offset into it; NULL outside the
 * image. */
const char *symbol_find(uint64_t address, uint64_t *offset);

/* "ds_build+0x1c", or "0xffff800000001234" when unknown. Returns text. */
char *symbol_format(uint64_t address, char *text, size_t size);

#endif
