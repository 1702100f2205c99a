/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names are read from what boards have, and nothing outside of the table however it is damaged. */
#include "arch/cpu/tables/smbios.h"

#include <stdlib.h>

#include "tests/host/unit/check.h"

#define MOST 1024u

static uint8_t bytes[MOST];
static size_t used;

static void put(const void *what, size_t size)
{
    memcpy(bytes + used, what, size);
    used += size;
}

/* A structure of so many formatted bytes, those from 4 on given, and its strings, "a\0b\0". */
static void put_structure(uint8_t type, const char *formatted, size_t size, const char *strings,
                          size_t strings_size)
{
    const uint8_t header[4] = {type, (uint8_t)(4 + size), 0x12, 0x34};

    put(header, 4);
    put(formatted, size);
    put(strings, strings_size);
    put("\0\0", strings_size > 0 ? 1 : 2);
}

#define STRUCTURE(type, formatted, strings)                                                        \
    put_structure(type, formatted, sizeof(formatted) - 1, strings, sizeof(strings) - 1)

static void put_everything(void)
{
    used = 0;
    STRUCTURE(0, "\1\2\0\0\3",
              "Some Vendor  \0P1.40\0"
              "07/01/2018\0");
    STRUCTURE(1, "\1\2\3\4\x33\x22\x11\x00\x55\x44\x77\x66\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
              "System Maker\0A System\0\1\x80\0S-1 \0");
    STRUCTURE(17, "\0\0\0\0\0\0\0\0", "");
    STRUCTURE(2, "\2\1\3\4", "Board Nine\0Board Maker\0rev 2\0B-7\0");
    STRUCTURE(2, "\1\2\0\3", "Another\0Board\0B-8\0");
    STRUCTURE(127, "", "");
}

/* Reads from a block of exactly that size, so that sanitizers catch a read past it. */
static struct smbios_names parse(size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    struct smbios_names names;

    memcpy(copy, bytes, length);
    smbios_parse(copy, length, &names);
    free(copy);
    return names;
}

static void expect(const char *firmware, const char *system, const char *board)
{
    struct smbios_names names = parse(used);

    CHECK_TEXT(names.firmware, firmware);
    CHECK_TEXT(names.system.name, system);
    CHECK_TEXT(names.board.name, board);
    CHECK_TEXT(names.problem, "");
}

static void check_names(void)
{
    put_everything();
    expect("Some Vendor   P1.40", "System Maker A System", "Board Maker Board Nine");
    used = 0;
    STRUCTURE(2, "\1\2", "Board Maker\0Board Nine\0");
    STRUCTURE(1, "\1\2", "System Maker\0A System\0");
    expect("", "System Maker A System", "Board Maker Board Nine");
    used = 0;
    STRUCTURE(1, "\1\2", "System Maker\0A System\0");
    expect("", "System Maker A System", "");
    used = 0;
    STRUCTURE(0, "\0\1", "Only one\0");
    STRUCTURE(1, "\0\0", "");
    expect("Only one", "", "");
    used = 0;
    STRUCTURE(1, "", "\1\2\0is no number of a string\0");
    expect("", "", "");
    used = 0;
    STRUCTURE(127, "", "");
    STRUCTURE(0, "\1\2", "behind\0the end\0");
    expect("", "", "");
    used = 0;
    STRUCTURE(0, "\1\2", "\1\x80\0second\0");
    expect("?? second", "", "");
}

static void check_more(void)
{
    struct smbios_names names;

    put_everything();
    names = parse(used);
    CHECK_TEXT(names.released, "07/01/2018");
    CHECK_TEXT(names.system.version, "??");
    CHECK_TEXT(names.system.serial, "S-1");
    CHECK_TEXT(names.board.version, "rev 2");
    CHECK_TEXT(names.board.serial, "B-7");
    CHECK_TEXT(names.uuid, "00112233-4455-6677-8899-aabbccddeeff");
}

/* Nothing is a UUID that a structure has no room for, or that stands for none. */
static void check_no_uuid(void)
{
    static const uint8_t fills[] = {0, 0xff, 0x5a};
    char formatted[20] = "";

    for (size_t i = 0; i < 3; i++) {
        memset(formatted + 4, fills[i], 16);
        used = 0;
        put_structure(1, formatted, 20, "", 0);
        CHECK((parse(used).uuid[0] != '\0') == (fills[i] == 0x5a), "%02x", fills[i]);
        used = 0;
        put_structure(1, formatted, 19, "", 0);
        CHECK_TEXT(parse(used).uuid, "");
    }
}

/* What is wrong is told, and what stands before it is kept. */
static void check_problems(void)
{
    struct smbios_names names;

    used = 0;
    STRUCTURE(0, "\1\7", "Only one\0");
    STRUCTURE(2, "\1\2", "Board Maker\0Board Nine\0");
    names = parse(used);
    CHECK_TEXT(names.firmware, "Only one");
    CHECK_TEXT(names.board.name, "Board Maker Board Nine");
    CHECK_TEXT(names.problem, "structure 1, of type 0, names a string that it lacks");
    put_everything();
    names = parse(used - 1);
    CHECK_TEXT(names.board.name, "Board Maker Board Nine");
    CHECK_TEXT(names.problem, "structure 6, of type 127, does not end in the table");
    memset(bytes, 0xff, used);
    CHECK_TEXT(parse(used).problem, "structure 1, of type 255, does not end in the table");
    memset(bytes, 0, used);
    CHECK_TEXT(parse(used).problem, "structure 1, of type 0, does not end in the table");
}

static void check_damage(void)
{
    static const uint8_t values[] = {0, 1, 3, 4, 0x7f, 0x80, 0xff};
    struct smbios_names names;

    put_everything();
    for (size_t at = 0; at < used; at++) {
        uint8_t was = bytes[at];

        for (size_t i = 0; i < sizeof(values); i++) {
            bytes[at] = values[i];
            names = parse(used);
            CHECK(memchr(names.board.name, 0, sizeof(names.board.name)) != NULL, "byte %zu", at);
        }
        bytes[at] = was;
    }
    for (size_t size = 1; size < used; size++) {
        names = parse(size);
        CHECK(names.firmware[0] == '\0' || size > 30, "a name from %zu bytes", size);
        CHECK(names.problem[0] != '\0' || bytes[size - 1] == '\0', "%zu bytes are enough", size);
    }
}

static void set_sum(uint8_t *entry, size_t at, size_t length)
{
    uint8_t sum = 0;

    entry[at] = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + entry[i]);
    entry[at] = (uint8_t)-sum;
}

static void check_entry(const uint8_t *entry, size_t sum_at, size_t length, uint64_t physical,
                        size_t table_length)
{
    uint8_t copy[SMBIOS_ENTRY_MOST];
    struct smbios_area area = {0};

    memcpy(copy, entry, sizeof(copy));
    set_sum(copy, sum_at, length);
    CHECK(smbios_parse_entry(copy, sizeof(copy), &area), "refused");
    CHECK(area.physical == physical && area.length == table_length, "%llx, %zu bytes",
          (unsigned long long)area.physical, area.length);
    for (size_t i = 0; i < length; i++) {
        copy[i] ^= 0x10;
        CHECK(!smbios_parse_entry(copy, sizeof(copy), &area), "byte %zu is wrong, and taken", i);
        copy[i] ^= 0x10;
    }
    for (size_t size = 0; size < length; size++)
        CHECK(!smbios_parse_entry(copy, size, &area), "%zu bytes are enough", size);
}

static void check_entries(void)
{
    uint8_t old[SMBIOS_ENTRY_MOST] = "_SM_\0\x1f\2\x8", new[SMBIOS_ENTRY_MOST] = "_SM3_\0\x18\3";
    uint8_t nothing[SMBIOS_ENTRY_MOST] = "_SM3_\0\x18\3";
    struct smbios_area area;

    memcpy(old + 22, "\x34\x12\x00\x50\x0e\x00", 6);
    check_entry(old, 4, 0x1f, 0xe5000, 0x1234);
    old[5] = 0x1e;
    check_entry(old, 4, 0x1e, 0xe5000, 0x1234);
    memcpy(new + 12, "\x00\x02\x00\x00\x00\x10\x00\x78\x01\x00\x00\x00", 12);
    check_entry(new, 5, 0x18, 0x178001000, 0x200);
    memset(new + 12, 0xff, 4);
    check_entry(new, 5, 0x18, 0x178001000, SMBIOS_TABLE_MOST);
    set_sum(nothing, 5, 0x18);
    CHECK(!smbios_parse_entry(nothing, sizeof(nothing), &area), "a table that is nowhere");
}

static void check_efi(void)
{
    uint8_t system[EFI_SYSTEM_TABLE_SIZE] = "IBI SYST";
    uint8_t entry[EFI_ENTRY_SIZE] = {0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a, 0x99, 0x2e,
                                     0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94, 0x00, 0x70, 0x01};
    uint64_t physical;

    system[104] = 9;
    system[113] = 0x80;
    CHECK(efi_parse_system_table(system, &physical) == 9 && physical == 0x8000, "not taken");
    memset(system + 104, 0xff, 8);
    CHECK(efi_parse_system_table(system, &physical) == EFI_ENTRIES_MOST, "not bounded");
    system[113] = 0;
    CHECK(efi_parse_system_table(system, &physical) == 0, "a list that is nowhere");
    system[113] = 0x80;
    system[0] = 'X';
    CHECK(efi_parse_system_table(system, &physical) == 0, "something else");
    CHECK(efi_entry_is_smbios(entry, &physical) && physical == 0x17000, "not found");
    for (size_t i = 0; i < 16; i++) {
        entry[i] ^= 1;
        CHECK(!efi_entry_is_smbios(entry, &physical), "byte %zu", i);
        entry[i] ^= 1;
    }
}

int main(void)
{
    check_names();
    check_more();
    check_no_uuid();
    check_problems();
    check_damage();
    check_entries();
    check_efi();
    return check_result();
}
