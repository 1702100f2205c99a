/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of firmware and board, from SMBIOS. */
#ifndef ARCH_CPU_TABLES_SMBIOS_H
#define ARCH_CPU_TABLES_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parsers of SMBIOS and of EFI's list of tables (F11.50, F11.51). Pure. */

#define SMBIOS_ENTRY_MOST     32u /* bytes of an entry point that are looked at */
#define SMBIOS_TABLE_MOST     65536u
#define SMBIOS_NAME_SIZE      96u
#define SMBIOS_WORD_SIZE      65u
#define SMBIOS_PROBLEM_SIZE   96u
#define SMBIOS_UUID_SIZE      37u
#define EFI_SYSTEM_TABLE_SIZE 120u
#define EFI_ENTRY_SIZE        24u /* of the list of tables */
#define EFI_ENTRIES_MOST      64u

struct smbios_area {
    uint64_t physical;
    size_t length; /* bytes, SMBIOS_TABLE_MOST at most */
};

struct smbios_product {
    char name[SMBIOS_NAME_SIZE]; /* manufacturer and product */
    char version[SMBIOS_WORD_SIZE], serial[SMBIOS_WORD_SIZE];
};

/* Printable ASCII; what SMBIOS lacks is "". */
struct smbios_names {
    char firmware[SMBIOS_NAME_SIZE];     /* vendor and version */
    char released[SMBIOS_WORD_SIZE];     /* its date, as the vendor writes it */
    struct smbios_product system, board; /* the first of each */
    char uuid[SMBIOS_UUID_SIZE];         /* of the system, "4c4c4544-0042-…" */
    char problem[SMBIOS_PROBLEM_SIZE];   /* why there are no tables, or what is wrong with them */
};

/* Parses the entry point, 32-bit or 64-bit, at the start of `bytes`. Returns false if there is
 * none. */
bool smbios_parse_entry(const uint8_t *bytes, size_t size, struct smbios_area *out);

/* Reads the names from a table of `length` bytes, as far as it is well formed; problem says where
 * it is not. */
void smbios_parse(const uint8_t *table, size_t length, struct smbios_names *out);

/* Reads an EFI system table (EFI_SYSTEM_TABLE_SIZE bytes): sets the address of its list of tables
 * and returns the number of entries, 0 if there is none. */
size_t efi_parse_system_table(const uint8_t *bytes, uint64_t *physical);

/* Is this entry of the list SMBIOS's? If so, sets the address of the SMBIOS entry point. */
bool efi_entry_is_smbios(const uint8_t *entry, uint64_t *physical);

/* The first call reads the tables. Needs paging_init(). */
const struct smbios_names *smbios_names(void);

/* Name of the board, or of the system if the board has none. */
const char *smbios_board(void);

#endif
