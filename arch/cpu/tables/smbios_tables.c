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
#define SECOND_STRING  5u /* the firmware's version, or the product */
#define VERSION        6u /* of a product */
#define SERIAL         7u
#define RELEASED       8u /* of firmware */
#define UUID           8u /* of the system */
#define UUID_BYTES     16u
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

static void complain(struct smbios_names *out, unsigned number, const uint8_t *structure,
                     const char *what)
{
    if (out->problem[0] == '\0')
        format_string(out->problem, sizeof(out->problem), "structure %u, of type %u, %s", number,
                      structure[0], what);
}

/* The string whose number that byte of a structure holds; "" if none, NULL if there is no such
 * string. */
static const char *string_of(const uint8_t *structure, size_t byte)
{
    const char *string = (const char *)structure + structure[1];
    unsigned number = byte < structure[1] ? structure[byte] : 0;

    if (number == 0)
        return "";
    while (--number > 0 && *string != '\0')
        string += strlen(string) + 1;
    return *string != '\0' ? string : NULL;
}

/* Without padding, with '?' for unprintable bytes. */
static void clean(char *text)
{
    size_t length;

    for (length = 0; text[length] != '\0'; length++) {
        if (text[length] < ' ' || text[length] > '~')
            text[length] = '?';
    }
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
}

/* What is being read: structure `number` of the table, from 1. */
struct place {
    const uint8_t *structure;
    unsigned number;
    struct smbios_names *out;
};

static const char *string_at(const struct place *at, size_t byte)
{
    const char *string = string_of(at->structure, byte);

    if (string == NULL)
        complain(at->out, at->number, at->structure, "names a string that it lacks");
    return string != NULL ? string : "";
}

static void take_word(const struct place *at, size_t byte, char word[SMBIOS_WORD_SIZE])
{
    format_string(word, SMBIOS_WORD_SIZE, "%.*s", STRING_MOST, string_at(at, byte));
    clean(word);
}

static void take_name(const struct place *at, char name[SMBIOS_NAME_SIZE])
{
    const char *first = string_at(at, FIRST_STRING);

    format_string(name, SMBIOS_NAME_SIZE, "%.*s%s%.*s", STRING_MOST, first,
                  *first != '\0' ? " " : "", STRING_MOST, string_at(at, SECOND_STRING));
    clean(name);
}

static void take_product(const struct place *at, struct smbios_product *product)
{
    take_name(at, product->name);
    take_word(at, VERSION, product->version);
    take_word(at, SERIAL, product->serial);
}

static bool are_all(const uint8_t *bytes, size_t size, uint8_t value)
{
    while (size > 0 && bytes[size - 1] == value)
        size--;
    return size == 0;
}

/* All bits alike stand for none; the first three numbers are little-endian (F11.52). */
static void take_uuid(const struct place *at, char text[SMBIOS_UUID_SIZE])
{
    const uint8_t *u = at->structure + UUID;

    if (at->structure[1] < UUID + UUID_BYTES || are_all(u, UUID_BYTES, 0) ||
        are_all(u, UUID_BYTES, UINT8_MAX))
        return;
    format_string(text, SMBIOS_UUID_SIZE, "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                  (unsigned)number_at(u, 4), (unsigned)number_at(u + 4, 2),
                  (unsigned)number_at(u + 6, 2), u[8], u[9], u[10], u[11], u[12], u[13], u[14],
                  u[15]);
}

static void take_structure(const struct place *at)
{
    struct smbios_names *out = at->out;
    uint8_t type = at->structure[0];

    if (type == TYPE_FIRMWARE && out->firmware[0] == '\0') {
        take_name(at, out->firmware);
        take_word(at, RELEASED, out->released);
    } else if (type == TYPE_SYSTEM && out->system.name[0] == '\0') {
        take_product(at, &out->system);
        take_uuid(at, out->uuid);
    } else if (type == TYPE_BOARD && out->board.name[0] == '\0') {
        take_product(at, &out->board);
    }
}

void smbios_parse(const uint8_t *table, size_t length, struct smbios_names *out)
{
    struct place at = {.structure = table, .number = 1, .out = out};

    *out = (struct smbios_names){0};
    while (length > 0) {
        size_t size = structure_size(at.structure, length);

        if (size == 0)
            complain(out, at.number, at.structure, "does not end in the table");
        else
            take_structure(&at);
        if (size == 0 || at.structure[0] == TYPE_END)
            return;
        at.structure += size;
        at.number++;
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
