/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: arch/cpu/acpi_tables.c */
/* Do good ACPI tables give the right numbers, and bad ones a reason, without a look outside? */
#include "arch/cpu/acpi_tables.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define MOST 512u

static uint8_t table[MOST];
static size_t used;

static void put(uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        table[used++] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
}

static void put_at(size_t at, uint64_t value, size_t size)
{
    size_t end = used;
    used = at;
    put(value, size);
    used = end;
}

static void fix_checksum(size_t at, size_t length)
{
    uint8_t sum = 0;
    table[at] = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + table[i]);
    table[at] = (uint8_t)-sum;
}

static void expect(const char *what, const char *got, const char *expected)
{
    if (expected == NULL)
        CHECK(got == NULL, "%s: refused: %s", what, got);
    else
        CHECK(got != NULL && strstr(got, expected) != NULL, "%s: expected '%s', got '%s'", what,
              expected, got ? got : "nothing");
}

/* A copy of exactly the size, so that the sanitizer sees one byte too many. */
static uint8_t *exact(size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, table, size);
    return copy;
}

static const char *parse_rsdp(size_t size, struct acpi_root *root)
{
    uint8_t *copy = exact(size);
    const char *error = acpi_parse_rsdp(copy, size, root);
    free(copy);
    return error;
}

static void make_rsdp(uint8_t revision, uint32_t rsdt, uint64_t xsdt)
{
    memset(table, 0, MOST);
    memcpy(table, "RSD PTR ", 8);
    used = 36;
    put_at(15, revision, 1);
    put_at(16, rsdt, 4);
    put_at(20, 36, 4);
    put_at(24, xsdt, 8);
    fix_checksum(8, 20);
    fix_checksum(32, 36);
}

static void check_rsdp(void)
{
    struct acpi_root root;
    make_rsdp(2, 0x1000, 0x123456789000);
    expect("revision 2", parse_rsdp(36, &root), NULL);
    CHECK(root.physical == 0x123456789000 && root.entry_size == 8, "the XSDT is preferred");
    expect("revision 2, cut", parse_rsdp(20, &root), NULL);
    CHECK(root.physical == 0x1000 && root.entry_size == 4, "then the RSDT");
    expect("19 bytes", parse_rsdp(19, &root), "gave no RSDP");
    make_rsdp(0, 0x1000, 0x2000);
    expect("revision 0", parse_rsdp(36, &root), NULL);
    CHECK(root.entry_size == 4, "revision 0 has no XSDT");
    make_rsdp(2, 0x1000, 0);
    expect("no XSDT", parse_rsdp(36, &root), NULL);
    CHECK(root.entry_size == 4, "an XSDT at 0 is none");
    make_rsdp(0, 0, 0);
    expect("no table", parse_rsdp(36, &root), "names no table");
    table[9] ^= 1;
    expect("checksum", parse_rsdp(36, &root), "checksum is wrong");
    make_rsdp(2, 0x1000, 0x2000);
    table[24] ^= 1;
    expect("extended checksum", parse_rsdp(36, &root), "extended checksum");
    table[0] = 'X';
    expect("signature", parse_rsdp(36, &root), "signature");
}

static void check_headers(void)
{
    memset(table, 0, MOST);
    memcpy(table, "XSDT", 4);
    used = ACPI_HEADER_SIZE;
    put(0x1111, 8);
    put(0x2222, 8);
    put(0, 4); /* half an entry */
    put_at(4, used, 4);
    fix_checksum(9, used);
    uint64_t physical = 0;
    CHECK(acpi_table_length(table) == used, "length %zu", acpi_table_length(table));
    CHECK(acpi_checksum_ok(table, used), "checksum");
    table[20] ^= 4;
    CHECK(!acpi_checksum_ok(table, used), "a wrong checksum");
    CHECK(acpi_has_signature(table, "XSDT") && !acpi_has_signature(table, "RSDT"), "signature");
    CHECK(acpi_root_entry(table, used, 8, 1, &physical) && physical == 0x2222, "second entry");
    CHECK(!acpi_root_entry(table, used, 8, 2, &physical), "half an entry is none");
    put_at(4, ACPI_HEADER_SIZE - 1, 4);
    CHECK(acpi_table_length(table) == 0, "shorter than a header");
    put_at(4, 0xffffffff, 4);
    CHECK(acpi_table_length(table) == 0, "longer than any table");
}

static const char *parse_madt(struct acpi_madt *madt)
{
    uint8_t *copy = exact(used);
    const char *error = acpi_parse_madt(copy, used, madt);
    free(copy);
    return error;
}

static void start_madt(void)
{
    memset(table, 0, MOST);
    used = 36;
    put(0xfee00000, 4);
    put(1, 4);
}

static void put_ioapic(uint32_t physical, uint32_t base)
{
    put(1, 1);
    put(12, 1);
    put(0, 2);
    put(physical, 4);
    put(base, 4);
}

static void put_override(uint8_t bus, uint8_t irq, uint32_t gsi, uint16_t flags)
{
    put(2, 1);
    put(10, 1);
    put(bus, 1);
    put(irq, 1);
    put(gsi, 4);
    put(flags, 2);
}

static void check_madt(void)
{
    struct acpi_madt madt;
    start_madt();
    expect("empty", parse_madt(&madt), NULL);
    CHECK(madt.has_8259 && !madt.has_ioapic && madt.isa[8].gsi == 8, "defaults");
    put(4, 1); /* a local APIC's NMI, skipped by its length */
    put(6, 1);
    put(0, 4);
    put_ioapic(0xfec00000, 0);
    put_ioapic(0xfec01000, 24);
    put_override(0, 0, 2, 0);
    put_override(0, 9, 9, 0xd);
    put_override(0, 8, 20, 0xf);
    put_override(1, 3, 99, 0);
    put_override(0, 200, 99, 0);
    expect("full", parse_madt(&madt), NULL);
    CHECK(madt.has_ioapic && madt.ioapic_physical == 0xfec00000 && madt.ioapic_gsi_base == 0,
          "the first I/O APIC");
    CHECK(madt.isa[0].gsi == 2 && !madt.isa[0].level && !madt.isa[0].active_low, "override of 0");
    CHECK(madt.isa[9].level && !madt.isa[9].active_low, "level, active high");
    CHECK(madt.isa[8].gsi == 20 && madt.isa[8].level && madt.isa[8].active_low, "level, low");
    CHECK(madt.isa[3].gsi == 3, "another bus is not ISA");
    size_t good = used;
    put(5, 1);
    expect("one byte of an entry", parse_madt(&madt), "impossible length");
    put(0, 1);
    expect("an entry of no bytes", parse_madt(&madt), "impossible length");
    used = good;
    put(5, 1);
    put(12, 1);
    put(0, 9);
    expect("an entry past the end", parse_madt(&madt), "impossible length");
    start_madt();
    put(1, 1);
    put(11, 1);
    put(0, 9);
    expect("a short I/O APIC", parse_madt(&madt), "I/O APIC entry");
    start_madt();
    put(2, 1);
    put(9, 1);
    put(0, 7);
    expect("a short override", parse_madt(&madt), "override entry");
    used = 43;
    expect("a short MADT", parse_madt(&madt), "MADT is too short");
}

static const char *parse_fadt(size_t size, struct acpi_fadt *fadt)
{
    uint8_t *copy = exact(size);
    const char *error = acpi_parse_fadt(copy, size, fadt);
    free(copy);
    return error;
}

static void check_fadt(void)
{
    struct acpi_fadt fadt;
    memset(table, 0, MOST);
    put_at(48, 0xb2, 4);
    put_at(52, 2, 1);
    put_at(53, 3, 1);
    put_at(54, 4, 1);
    put_at(55, 0x80, 1);
    put_at(95, 0x81, 1);
    put_at(106, 0xd, 1);
    put_at(107, 0x7e, 1);
    put_at(56, 0x600, 4);
    put_at(64, 0x604, 4);
    put_at(76, 0x608, 4);
    put_at(112, 1u << 8 | 1u << 10, 4);
    put_at(116, ACPI_SPACE_PORT, 1);
    put_at(120, 0xcf9, 8);
    put_at(128, 0xf, 1);
    expect("revision 2", parse_fadt(129, &fadt), NULL);
    CHECK(fadt.smi_command == 0xb2 && fadt.acpi_enable == 2 && fadt.acpi_disable == 3, "SMI");
    CHECK(fadt.s4bios_request == 4 && fadt.pstate_control == 0x80 && fadt.cstate_control == 0x81,
          "more SMI commands");
    CHECK(fadt.day_alarm == 0xd && fadt.month_alarm == 0x7e, "real-time clock");
    CHECK(fadt.pm1a_event == 0x600 && fadt.pm1a_control == 0x604, "PM1a");
    CHECK(fadt.pm_timer == 0x608 && fadt.pm_timer_32_bits, "timer");
    CHECK(fadt.has_reset && fadt.reset_space == ACPI_SPACE_PORT && fadt.reset_address == 0xcf9 &&
              fadt.reset_value == 0xf,
          "reset register");
    expect("revision 1", parse_fadt(116, &fadt), NULL);
    CHECK(!fadt.has_reset && fadt.reset_address == 0, "no reset register in revision 1");
    put_at(112, 0, 4);
    expect("no flags", parse_fadt(129, &fadt), NULL);
    CHECK(!fadt.has_reset && !fadt.pm_timer_32_bits, "flags decide");
    expect("short", parse_fadt(115, &fadt), "FADT is too short");
}

static void put_generic(size_t at, uint8_t space, uint64_t address)
{
    put_at(at, space, 1);
    put_at(at + 1, 0x200010, 3); /* bits, first bit, size of access: no part of the address */
    put_at(at + 4, address, 8);
}

static void check_long_fadt(void)
{
    struct acpi_fadt fadt;
    memset(table, 0, MOST);
    put_at(140, 0x123456789, 8);
    put_generic(148, ACPI_SPACE_PORT, 0x1800);
    put_generic(172, ACPI_SPACE_PORT, 0x1804);
    put_generic(184, ACPI_SPACE_PORT, 0x1806);
    put_generic(208, ACPI_SPACE_PORT, 0x1808);
    expect("long", parse_fadt(244, &fadt), NULL);
    CHECK(fadt.dsdt == 0x123456789, "DSDT above 4 GiB");
    CHECK(fadt.pm1a_event == 0x1800 && fadt.pm1a_control == 0x1804 && fadt.pm1b_control == 0x1806,
          "PM1 by the long fields");
    CHECK(fadt.pm_timer == 0x1808, "timer by the long field");
    expect("cut in the timer's field", parse_fadt(219, &fadt), NULL);
    CHECK(fadt.pm_timer == 0 && fadt.pm1b_control == 0x1806, "half a field is none");
    expect("cut in the DSDT's field", parse_fadt(147, &fadt), NULL);
    CHECK(fadt.dsdt == 0 && fadt.pm1a_control == 0, "revision 2 has none of them");
    put_at(40, 0x7000, 4);
    put_at(64, 0x604, 4);
    put_at(68, 0x606, 4);
    put_at(76, 0x12345, 4);
    put_generic(148, ACPI_SPACE_MEMORY, 0xfed0);
    expect("both", parse_fadt(244, &fadt), NULL);
    CHECK(fadt.dsdt == 0x7000 && fadt.pm1a_control == 0x604 && fadt.pm1b_control == 0x606,
          "the old fields first");
    CHECK(fadt.pm1a_event == 0 && fadt.pm_timer == 0, "what is no port is absent");
}

/* A DSDT with these bytes behind its header, cut after all but cut of them. */
static bool off_types(const char *bytes, size_t size, size_t cut, uint8_t types[2])
{
    memset(table, 0, MOST);
    memcpy(table, "DSDT", 4);
    memcpy(table + ACPI_HEADER_SIZE, bytes, size);
    size_t length = ACPI_HEADER_SIZE + size - cut;
    uint8_t *copy = exact(length);
    bool found = acpi_off_types(copy, length, types);
    free(copy);
    return found;
}

static void check_off_types(void)
{
    static const struct {
        const char *what, *bytes;
        size_t size;
        bool found;
        uint8_t a, b;
    } rows[] = {
#define ROW(what, bytes, ...) {what, bytes, sizeof(bytes) - 1, __VA_ARGS__}
        ROW("bytes", "\x08_S5_\x12\x0a\x04\x0a\x05\x0a\x07\0\0", true, 5, 7),
        ROW("zeros", "\x08_S5_\x12\x06\x04\0\0\0\0\0", true, 0, 0),
        ROW("one, then a byte", "\x08_S5_\x12\x07\x04\x01\x0a\x06\0\0\0", true, 1, 6),
        ROW("a length of two bytes", "_S5_\x12\x4a\0\x04\x0a\x07\x0a\x07\0\0", true, 7, 7),
        ROW("one element", "_S5_\x12\x04\x01\x0a\x05\x33\0\0", true, 5, 0),
        ROW("no element", "_S5_\x12\x02\0\x0a\x05\0\0\0\0", false, 0, 0),
        ROW("a name in it",
            "_S5_\x12\x0a\x04"
            "ABCD\0\0\0\0",
            false, 0, 0),
        ROW("a method", "_S5_\x14\x0a\x04\x0a\x05\x0a\x07\0\0", false, 0, 0),
        ROW("mentioned before", "_S5_\x70_S5_\x12\x0a\x04\x0a\x05\x0a\x07\0\0", true, 5, 7),
#undef ROW
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint8_t types[2] = {0xff, 0xff};
        bool found = off_types(rows[i].bytes, rows[i].size, 0, types);
        CHECK(found == rows[i].found, "%s: %d", rows[i].what, found);
        CHECK(!found || (types[0] == rows[i].a && types[1] == rows[i].b), "%s: %x %x", rows[i].what,
              types[0], types[1]);
        for (size_t cut = 1; cut <= rows[i].size; cut++)
            off_types(rows[i].bytes, rows[i].size, cut, types);
    }
}

/* Whatever the commands are, the value is none of them and not 0. */
static void check_idle_smi_command(void)
{
    struct acpi_fadt none = {0};
    CHECK(acpi_idle_smi_command(&none) == 0x4a, "%#x", acpi_idle_smi_command(&none));
    for (unsigned first = 0x40; first <= 0x4a; first++) {
        struct acpi_fadt fadt = {.acpi_enable = (uint8_t)(first + 4),
                                 .acpi_disable = (uint8_t)(first + 3),
                                 .s4bios_request = (uint8_t)first,
                                 .pstate_control = (uint8_t)(first + 1),
                                 .cstate_control = (uint8_t)(first + 2)};
        unsigned value = acpi_idle_smi_command(&fadt), taken = first + 4 < 0x4a ? 0 : first + 5;
        CHECK(value == (taken ? taken : 0x4a), "%#x to %#x are taken: %#x", first, first + 4,
              value);
    }
}

static void put_processor(uint8_t id, uint32_t flags)
{
    put(0, 1);
    put(8, 1);
    put(7, 1); /* the ACPI id, which is no APIC id */
    put(id, 1);
    put(flags, 4);
}

static void put_x2apic(uint32_t id, uint32_t flags)
{
    put(9, 1);
    put(16, 1);
    put(0, 2);
    put(id, 4);
    put(flags, 4);
    put(7, 4);
}

static void check_bad_processors(void)
{
    struct acpi_madt madt;
    start_madt();
    put(0, 1);
    put(7, 1);
    put(0, 5);
    expect("a short processor", parse_madt(&madt), "processor entry");
    start_madt();
    put(9, 1);
    put(15, 1);
    put(0, 13);
    expect("a short x2APIC", parse_madt(&madt), "x2APIC entry");
}

static void check_processors(void)
{
    struct acpi_madt madt;
    start_madt();
    put_processor(2, 1);
    put_processor(0, 1);
    put_processor(4, 0); /* not there */
    put_processor(6, 2); /* may be added later */
    put_processor(0xff, 1);
    put_x2apic(0, 1); /* listed above */
    put_x2apic(0x12345, 1);
    put_x2apic(0x12346, 0);
    put_x2apic(0xffffffff, 1);
    expect("processors", parse_madt(&madt), NULL);
    CHECK(madt.processor_count == 3, "%u processors", madt.processor_count);
    CHECK(madt.processors[0] == 2 && madt.processors[1] == 0 && madt.processors[2] == 0x12345,
          "APIC ids %x %x %x", madt.processors[0], madt.processors[1], madt.processors[2]);
    check_bad_processors();
}

/* More than the list has room for are left out, and nothing is written past it. */
static void check_many_processors(void)
{
    size_t length = 44 + (ACPI_PROCESSORS + 3) * 16;
    uint8_t *large = calloc(1, length);
    struct acpi_madt *madt = malloc(sizeof(*madt));
    start_madt();
    memcpy(large, table, used);
    for (size_t i = 0, at = 44; at < length; i++, at += 16) {
        start_madt();
        put_x2apic((uint32_t)i, 1);
        memcpy(large + at, table + 44, 16);
    }
    expect("many", acpi_parse_madt(large, length, madt), NULL);
    CHECK(madt->processor_count == ACPI_PROCESSORS, "%u processors", madt->processor_count);
    free(large);
    free(madt);
}

int main(void)
{
    check_rsdp();
    check_headers();
    check_madt();
    check_processors();
    check_many_processors();
    check_fadt();
    check_long_fadt();
    check_off_types();
    check_idle_smi_command();
    return check_result();
}
