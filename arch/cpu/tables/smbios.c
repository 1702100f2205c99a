/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/tables/smbios.h"

#include "arch/cpu/memory/paging.h"
#include "arch/lib/printf.h"
#include "boot/boot_info.h"

/* A BIOS has the entry point here, on a boundary of 16 bytes. */
#define BIOS_AREA      0xf0000u
#define BIOS_AREA_SIZE 0x10000u

static const uint8_t *map(uint64_t physical, size_t length)
{
    return paging_map_physical(physical, length, PAGE_WRITE_BACK);
}

static bool find_in_bios(struct smbios_area *out)
{
    const uint8_t *bytes = map(BIOS_AREA, BIOS_AREA_SIZE);

    for (size_t at = 0; bytes != NULL && at + SMBIOS_ENTRY_MOST <= BIOS_AREA_SIZE; at += 16) {
        if (smbios_parse_entry(bytes + at, SMBIOS_ENTRY_MOST, out))
            return true;
    }
    return false;
}

static bool open_entry(uint64_t physical, struct smbios_area *out)
{
    const uint8_t *entry = map(physical, SMBIOS_ENTRY_MOST);

    return entry != NULL && smbios_parse_entry(entry, SMBIOS_ENTRY_MOST, out);
}

static bool find_in_efi(struct smbios_area *out)
{
    const uint8_t *system = map(boot_info.efi_system_table, EFI_SYSTEM_TABLE_SIZE);
    uint64_t list, physical;
    size_t count = system == NULL ? 0 : efi_parse_system_table(system, &list);
    const uint8_t *entries = count == 0 ? NULL : map(list, count * EFI_ENTRY_SIZE);

    for (size_t i = 0; entries != NULL && i < count; i++) {
        if (efi_entry_is_smbios(entries + i * EFI_ENTRY_SIZE, &physical) &&
            open_entry(physical, out))
            return true;
    }
    return false;
}

/* Returns NULL, or why there are no tables. */
static const char *find(struct smbios_area *out)
{
    if (boot_info.efi_system_table != 0)
        return find_in_efi(out) ? NULL : "the EFI system table names no sound entry point";
    if (boot_info.firmware != BOOT_FIRMWARE_BIOS)
        return "the loader gave no EFI system table for 64 bits";
    return find_in_bios(out) ? NULL : "no sound entry point in 0xf0000 to 0xfffff";
}

static void read_names(struct smbios_names *names)
{
    struct smbios_area area;
    const char *why = find(&area);
    const uint8_t *table = why == NULL ? map(area.physical, area.length) : NULL;

    if (table != NULL)
        smbios_parse(table, area.length, names);
    else if (why != NULL)
        format_string(names->problem, sizeof(names->problem), "%s", why);
    else
        format_string(names->problem, sizeof(names->problem),
                      "the table at 0x%lx, %zu bytes, cannot be mapped", area.physical,
                      area.length);
}

const struct smbios_names *smbios_names(void)
{
    static struct smbios_names names;
    static bool is_read;

    if (!is_read)
        read_names(&names);
    is_read = true;
    return &names;
}

const char *smbios_board(void)
{
    const struct smbios_names *names = smbios_names();

    return names->board.name[0] != '\0' ? names->board.name : names->system.name;
}
