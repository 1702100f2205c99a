/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader's information (F11.32 to F11.36) into a struct boot_info. Pure: runs on the host too.
 */
#ifndef BOOT_MULTIBOOT2_H
#define BOOT_MULTIBOOT2_H

#include <stddef.h>
#include "boot/boot_info.h"

/*
 * Reads the information at info, of which at most limit bytes may be touched. Fills *out, every
 * field, and returns NULL; or returns what is wrong, which is then out->error as well, and *out
 * holds what was read up to there.
 */
const char *multiboot2_parse(const void *info, size_t limit, struct boot_info *out);

#endif
