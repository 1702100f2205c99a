/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of the image at a second address, for a while: code at the ends of the address space. */
#ifndef ARCH_CPU_PAGE_ALIAS_H
#define ARCH_CPU_PAGE_ALIAS_H

#include <stdbool.h>
#include <stdint.h>

/* With the page's own rights. False when there is no memory for the tables. */
bool page_alias_map(uint64_t address, const void *page);
void page_alias_unmap(uint64_t address);

#endif
