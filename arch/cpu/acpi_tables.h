/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the bytes of ACPI tables say. Pure: every function can be called on the host. */
#ifndef ARCH_CPU_ACPI_TABLES_H
#define ARCH_CPU_ACPI_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/acpi.h"

#define ACPI_HEADER_SIZE    36u /* bytes that every table but the RSDP begins with (F11.21) */
#define ACPI_LENGTH_LARGEST (16u << 20) /* no table that we read comes near */

struct acpi_root { /* where the list of tables is */
    uint64_t physical;
    size_t entry_size; /* 4 for an RSDT, 8 for an XSDT */
};

/* Checks the RSDP, length bytes of it at hand, and prefers the XSDT. NULL, or what is wrong. */
const char *acpi_parse_rsdp(const uint8_t *rsdp, size_t length, struct acpi_root *root);

/* The length that a header claims, or 0 when no table can be so short or so long. */
size_t acpi_table_length(const uint8_t header[ACPI_HEADER_SIZE]);
bool acpi_has_signature(const uint8_t *table, const char *signature);

/* True when length bytes sum up to 0 modulo 256. */
bool acpi_checksum_ok(const uint8_t *bytes, size_t length);

/* Address number i of an RSDT or XSDT of the given length; false past the end. */
bool acpi_root_entry(const uint8_t *table, size_t length, size_t entry_size, size_t i,
                     uint64_t *physical);

/* Both take a whole table, header included and checked. NULL, or what is wrong. */
const char *acpi_parse_madt(const uint8_t *table, size_t length, struct acpi_madt *out);
const char *acpi_parse_fadt(const uint8_t *table, size_t length, struct acpi_fadt *out);

/*
 * A value for smi_command that asks the firmware for nothing: none of the FADT's commands and not
 * 0 (F10.9); 4AH unless that is taken (F10.10).
 */
uint8_t acpi_idle_smi_command(const struct acpi_fadt *fadt);

/*
 * What the DSDT, header included, says to write into PM1a_CNT and PM1b_CNT to switch the machine
 * off: the first two elements of the package \_S5. Found by its name: an interpreter for two
 * constants would be a kernel of its own. False when there is none.
 */
bool acpi_off_types(const uint8_t *dsdt, size_t length, uint8_t types[2]);

#endif
