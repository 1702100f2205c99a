/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do good ACPI tables give the right numbers, and bad ones a reason, without a look outside? */
#include "tests/host/unit/acpi_bytes.h"

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
    CHECK(root.physical == 0x123456789000 && root.entry_size == 8 && root.rsdt == 0x1000,
          "the XSDT is preferred");
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
    expect("extended checksum, an RSDT", parse_rsdp(36, &root), NULL);
    CHECK(root.physical == 0x1000 && root.entry_size == 4 && root.rsdt == 0, "the RSDT alone");
    make_rsdp(2, 0, 0x2000);
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
    expect("one byte of an entry", parse_madt(&madt), NULL);
    CHECK(madt.has_ioapic && madt.isa[9].level, "what stands before it counts");
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
    return check_result();
}
