/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a few ACPI tables, found through the loader's RSDP (F11.20 to F11.24, F26.1 to F26.5).
 * Needs paging_init(). Lengths are bounded and checksums checked, so a bad table gives a reason and
 * never a hang.
 */
#ifndef ARCH_CPU_TABLES_ACPI_H
#define ARCH_CPU_TABLES_ACPI_H

#include "arch/cpu/tables/acpi_console.h"
#include "arch/cpu/tables/acpi_tables.h"

/* This pointer is the reason if the board lacks the table. */
extern const char acpi_no_such_table[];

/* All fill *out and return NULL, or the reason they failed. */
const char *acpi_read_madt(struct acpi_madt *out);
const char *acpi_read_fadt(struct acpi_fadt *out);
const char *acpi_read_spcr(struct acpi_uart *out);
const char *acpi_read_dbg2(struct acpi_uart *out);

#endif
