/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the loader's information (F11.32 to F11.36). Pure: runs on the host too. */
#ifndef BOOT_MULTIBOOT2_H
#define BOOT_MULTIBOOT2_H

#include <stddef.h>
#include "boot/boot_info.h"

/*
 * Reads at most limit bytes at info. Sets every field of *out and returns NULL, or returns what is
 * wrong; out->error then has the same text, and *out what was read before the error.
 */
const char *multiboot2_parse(const void *info, size_t limit, struct boot_info *out);

#endif
