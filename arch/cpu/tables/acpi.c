/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/memory/paging.h"
#include "boot/boot_info.h"

/* A BIOS has the RSDP here, on a boundary of 16 bytes, or in its extended data area, where nobody
 * looks (F11.20). */
#define BIOS_AREA      0xe0000u
#define BIOS_AREA_SIZE 0x20000u
#define RSDP_MOST      36u

const char acpi_no_such_table[] = "ACPI: there is no such table";

static const uint8_t *map(uint64_t physical, size_t length)
{
    return paging_map_physical(physical, length, PAGE_WRITE_BACK);
}

/* Maps the table at the address if its signature matches; sets *wrong if it is broken. */
static const uint8_t *open_table(uint64_t physical, const char *signature, size_t *length,
                                 const char **wrong)
{
    const uint8_t *header = map(physical, ACPI_HEADER_SIZE);
    if (header == NULL || !acpi_has_signature(header, signature))
        return NULL;
    *length = acpi_table_length(header);
    const uint8_t *table = *length == 0 ? NULL : map(physical, *length);
    if (table == NULL)
        *wrong = "ACPI: a table has an impossible length or place";
    else if (!acpi_checksum_ok(table, *length))
        *wrong = "ACPI: a table's checksum is wrong";
    return *wrong == NULL ? table : NULL;
}

static const uint8_t *open_list(const struct acpi_root *root, size_t *length, const char **why)
{
    *why = NULL;
    const uint8_t *table =
        open_table(root->physical, root->entry_size == 8 ? "XSDT" : "RSDT", length, why);
    if (table == NULL && *why == NULL)
        *why = "ACPI: the RSDP points at no RSDT or XSDT";
    return table;
}

/* GRUB passes the RSDP, kexec does not. */
static const char *read_rsdp(struct acpi_root *root)
{
    bool is_told = boot_info.rsdp_length != 0 || boot_info.firmware != BOOT_FIRMWARE_BIOS;
    const uint8_t *area = is_told ? NULL : map(BIOS_AREA, BIOS_AREA_SIZE);

    for (size_t at = 0; area != NULL && at + RSDP_MOST <= BIOS_AREA_SIZE; at += 16)
        if (acpi_parse_rsdp(area + at, RSDP_MOST, root) == NULL)
            return NULL;
    return acpi_parse_rsdp(boot_info.rsdp, boot_info.rsdp_length, root);
}

/* Falls back to the RSDT: some systems read only that, so firmware with a broken XSDT may work. */
static const uint8_t *open_root(struct acpi_root *root, size_t *length, const char **why)
{
    *why = read_rsdp(root);
    if (*why != NULL)
        return NULL;
    const uint8_t *table = open_list(root, length, why);
    if (table != NULL || root->rsdt == 0)
        return table;
    const char *ignored;
    *root = (struct acpi_root){.physical = root->rsdt, .entry_size = 4};
    table = open_list(root, length, &ignored);
    if (table != NULL)
        *why = NULL;
    return table;
}

/*
 * Finds and maps a table by its four-letter signature. *length is in bytes, header included.
 * Returns NULL and sets *why if it is missing or broken.
 */
static const void *find_table(const char *signature, size_t *length, const char **why)
{
    struct acpi_root root;
    size_t root_length = 0;
    uint64_t physical;
    const uint8_t *list = open_root(&root, &root_length, why);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; acpi_root_entry(list, root_length, root.entry_size, i, &physical); i++) {
        const uint8_t *table = open_table(physical, signature, length, why);
        if (table != NULL || *why != NULL)
            return table;
    }
    *why = acpi_no_such_table;
    return NULL;
}

const char *acpi_read_madt(struct acpi_madt *out)
{
    size_t length;
    const char *why;
    const void *table = find_table("APIC", &length, &why);
    return table == NULL ? why : acpi_parse_madt(table, length, out);
}

const char *acpi_read_fadt(struct acpi_fadt *out)
{
    size_t length;
    const char *why;
    const void *table = find_table("FACP", &length, &why);
    return table == NULL ? why : acpi_parse_fadt(table, length, out);
}

const char *acpi_read_spcr(struct acpi_uart *out)
{
    size_t length;
    const char *why;
    const void *table = find_table("SPCR", &length, &why);
    return table == NULL ? why : acpi_parse_spcr(table, length, out);
}

const char *acpi_read_dbg2(struct acpi_uart *out)
{
    size_t length;
    const char *why;
    const void *table = find_table("DBG2", &length, &why);
    return table == NULL ? why : acpi_parse_dbg2(table, length, out);
}
