/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/tables/smbios.h"

#include "arch/cpu/tables/acpi.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define ENTRY_32_LEAST 0x1eu /* bytes; some firmware says one less than 1FH */
#define ENTRY_64_LEAST 0x18u
#define HEADER_SIZE    4u
#define TYPE_FIRMWARE  0u
#define TYPE_SYSTEM    1u
#define TYPE_BOARD     2u
#define TYPE_END       127u
#define FIRST_STRING   4u /* byte of a structure with its number: the vendor or manufacturer */
#define SECOND_STRING  5u /* the version, or the product */
#define STRING_MOST    64

static uint64_t number_at(const uint8_t *bytes, size_t size)
{
    uint64_t number = 0;

    memcpy(&number, bytes, size);
    return number;
}

/* Byte number at of an entry point has its length; the sum of its bytes is 0. */
static bool is_entry(const uint8_t *bytes, size_t size, const char *anchor, size_t at, size_t least)
{
    size_t anchor_length = strlen(anchor);

    return size >= least && memcmp(bytes, anchor, anchor_length) == 0 && bytes[at] >= least &&
           bytes[at] <= size && acpi_checksum_ok(bytes, bytes[at]);
}

bool smbios_parse_entry(const uint8_t *bytes, size_t size, struct smbios_area *out)
{
    if (is_entry(bytes, size, "_SM3_", 6, ENTRY_64_LEAST)) {
        out->length = number_at(bytes + 12, 4);
        out->physical = number_at(bytes + 16, 8);
    } else if (is_entry(bytes, size, "_SM_", 5, ENTRY_32_LEAST)) {
        out->length = number_at(bytes + 22, 2);
        out->physical = number_at(bytes + 24, 4);
    } else {
        return false;
    }
    if (out->length > SMBIOS_TABLE_MOST)
        out->length = SMBIOS_TABLE_MOST;
    return out->physical != 0 && out->length > 0;
}

/* Size of a structure and its strings, which two zeros end; 0 if it does not end in the table. */
static size_t structure_size(const uint8_t *at, size_t left)
{
    size_t end = left >= HEADER_SIZE ? at[1] : 0;

    if (end < HEADER_SIZE)
        return 0;
    while (end + 2 <= left) {
        if (at[end] == 0 && at[end + 1] == 0)
            return end + 2;
        end++;
    }
    return 0;
}

/* The string whose number that byte of a structure holds; "" if none. */
static const char *string_of(const uint8_t *structure, size_t byte)
{
    const char *string = (const char *)structure + structure[1];
    unsigned number = byte < structure[1] ? structure[byte] : 0;

    if (number == 0)
        return "";
    while (--number > 0 && *string != '\0')
        string += strlen(string) + 1;
    return string;
}

/* Builds "vendor version" without padding, with '?' for unprintable bytes. */
static void take_names(const uint8_t *structure, char name[SMBIOS_NAME_SIZE])
{
    size_t length;

    format_string(name, SMBIOS_NAME_SIZE, "%.*s %.*s", STRING_MOST,
                  string_of(structure, FIRST_STRING), STRING_MOST,
                  string_of(structure, SECOND_STRING));
    for (length = 0; name[length] != '\0'; length++) {
        if (name[length] < ' ' || name[length] > '~')
            name[length] = '?';
    }
    while (length > 0 && name[length - 1] == ' ')
        name[--length] = '\0';
}

void smbios_parse(const uint8_t *table, size_t length, struct smbios_names *out)
{
    bool has_board = false;
    size_t size;

    *out = (struct smbios_names){0};
    while ((size = structure_size(table, length)) != 0 && table[0] != TYPE_END) {
        if (table[0] == TYPE_FIRMWARE)
            take_names(table, out->firmware);
        else if (table[0] == TYPE_BOARD || (table[0] == TYPE_SYSTEM && !has_board))
            take_names(table, out->board);
        has_board |= table[0] == TYPE_BOARD;
        table += size;
        length -= size;
    }
}

size_t efi_parse_system_table(const uint8_t *bytes, uint64_t *physical)
{
    uint64_t count = number_at(bytes + 104, 8);

    *physical = number_at(bytes + 112, 8);
    if (memcmp(bytes, "IBI SYST", 8) != 0 || *physical == 0)
        return 0;
    return count < EFI_ENTRIES_MOST ? count : EFI_ENTRIES_MOST;
}

bool efi_entry_is_smbios(const uint8_t *entry, uint64_t *physical)
{
    static const uint8_t ids[][16] = {
        /* f2fd1544-9794-4a2c-992e-e5bbcf20e394: an entry point for 64 bits */
        {0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a, 0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3,
         0x94},
        /* eb9d2d31-2d88-11d3-9a16-0090273fc14d: … for 32 */
        {0x31, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11, 0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1,
         0x4d},
    };

    *physical = number_at(entry + 16, 8);
    return memcmp(entry, ids[0], 16) == 0 || memcmp(entry, ids[1], 16) == 0;
}
