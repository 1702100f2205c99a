/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few ACPI tables that the kernel reads, found through the RSDP that the loader handed over
 * (F11.20 to F11.24, F26.1 to F26.5). Needs paging_init(). Every failure is a reason, never a hang:
 * lengths are bounded and checksums must be right.
 */
#ifndef ARCH_CPU_TABLES_ACPI_H
#define ARCH_CPU_TABLES_ACPI_H

#include "arch/cpu/tables/acpi_console.h"
#include "arch/cpu/tables/acpi_tables.h"

/* The reason, the pointer itself, where the board has no such table. */
extern const char acpi_no_such_table[];

/* All return NULL, or the reason why *out could not be filled. */
const char *acpi_read_madt(struct acpi_madt *out);
const char *acpi_read_fadt(struct acpi_fadt *out);
const char *acpi_read_spcr(struct acpi_uart *out);
const char *acpi_read_dbg2(struct acpi_uart *out);

#endif
