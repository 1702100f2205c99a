/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few ACPI tables that the kernel reads, found through the RSDP that the loader handed over
 * (F11.20 to F11.24). Needs paging_init(). Every failure is a reason, never a hang: lengths are
 * bounded and checksums must be right.
 */
#ifndef ARCH_CPU_ACPI_H
#define ARCH_CPU_ACPI_H

#include <stddef.h>
#include "arch/cpu/acpi_tables.h"

/*
 * Finds a table by its four-letter signature and maps it. *length is in bytes, header included.
 * Returns NULL and sets *why when there is none or it is broken.
 */
const void *acpi_find(const char *signature, size_t *length, const char **why);

/* Both return NULL, or the reason why *out could not be filled. */
const char *acpi_read_madt(struct acpi_madt *out);
const char *acpi_read_fadt(struct acpi_fadt *out);

#endif
