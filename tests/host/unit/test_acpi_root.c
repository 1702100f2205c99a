/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory with ACPI tables made up here: is a table found by the XSDT, and by the RSDT without? */
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/memory/paging.h"
#include "boot/boot_info.h"
#include "tests/host/unit/acpi_bytes.h"

#define RSDT 0x100u
#define XSDT 0x200u
#define GOOD 0x300u /* a MADT with the 8259s, and one without */
#define LAST 0x400u

struct boot_info boot_info;
static uint8_t memory[0x100000];

void *paging_map_physical(uint64_t physical, size_t length, enum page_cache cache)
{
    (void)cache;
    return physical < sizeof memory && length <= sizeof memory - physical ? memory + physical
                                                                          : NULL;
}

static void place(uint64_t at, const char *signature)
{
    memcpy(table, signature, 4);
    put_at(4, used, 4);
    fix_checksum(9, used);
    memcpy(memory + at, table, used);
}

static void start(void)
{
    memset(table, 0, MOST);
    used = ACPI_HEADER_SIZE;
}

static void place_madt(uint64_t at, bool has_8259)
{
    start();
    put(0, 4);
    put(has_8259, 4);
    place(at, "APIC");
}

static void place_list(uint64_t at, const char *signature, uint64_t madt, size_t size)
{
    start();
    put(madt, size);
    place(at, signature);
}

static void place_rsdp(uint32_t rsdt, uint64_t xsdt)
{
    memset(table, 0, MOST);
    memcpy(table, "RSD PTR ", 8);
    used = 36;
    put_at(15, 2, 1);
    put_at(16, rsdt, 4);
    put_at(20, 36, 4);
    put_at(24, xsdt, 8);
    fix_checksum(8, 20);
    fix_checksum(32, 36);
    memcpy(boot_info.rsdp, table, used);
    boot_info.rsdp_length = (uint32_t)used;
}

static void machine(void)
{
    place_madt(GOOD, true);
    place_madt(LAST, false);
    place_list(RSDT, "RSDT", LAST, 4);
    place_list(XSDT, "XSDT", GOOD, 8);
    place_rsdp(RSDT, XSDT);
}

static void expect_found(const char *what, bool by_xsdt)
{
    struct acpi_madt madt;

    expect(what, acpi_read_madt(&madt), NULL);
    CHECK(madt.has_8259 == by_xsdt, "%s: by the other list", what);
}

int main(void)
{
    struct acpi_madt madt;

    machine();
    expect_found("both", true);
    memory[XSDT + 20] ^= 1;
    expect_found("an XSDT whose checksum is wrong", false);
    machine();
    place_rsdp(RSDT, sizeof memory);
    expect_found("an XSDT that cannot be reached", false);
    memory[RSDT] ^= 1;
    expect("neither", acpi_read_madt(&madt), "points at no RSDT or XSDT");
    machine();
    place_rsdp(0, XSDT);
    memory[XSDT + 20] ^= 1;
    expect("the XSDT alone, broken", acpi_read_madt(&madt), "checksum is wrong");
    machine();
    memory[XSDT + 20] ^= 1;
    memory[RSDT] ^= 1;
    expect("both broken", acpi_read_madt(&madt), "checksum is wrong");
    machine();
    boot_info.rsdp_length = 0;
    expect("a loader that passes no RSDP", acpi_read_madt(&madt), "gave no RSDP");
    memcpy(memory + 0xf5ac0, boot_info.rsdp, sizeof boot_info.rsdp);
    expect_found("one in the BIOS", true);
    boot_info.firmware = BOOT_FIRMWARE_EFI;
    expect("of UEFI nobody looks there", acpi_read_madt(&madt), "gave no RSDP");
    return check_result();
}
