/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both ways into long mode need, for assembly: the temporary tables are boot/entry.S's. */
#ifndef BOOT_LONG_MODE_H
#define BOOT_LONG_MODE_H

#define CR0_PE  (1 << 0)
#define CR0_ET  (1 << 4)
#define CR0_NE  (1 << 5)
#define CR0_PG  (1 << 31)
#define CR4_PAE (1 << 5)

/* Selectors in boot_gdt. */
#define BOOT_CODE64   0x08
#define BOOT_DATA     0x10
#define BOOT_GDT_SIZE 24 /* bytes */

#endif
