/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Local APICs made up here, as firmware and INIT leave them: what raises SMIs stays, a thermal
 * entry that does so comes to the other processors as well, all else is masked.
 */
#include "arch/cpu/apic/apic_entries.c"

#include "tests/host/unit/check.h"

#define AFTER_INIT 0x10000u
#define MASKED     0x100ffu
#define SMI        0x200u
#define UNTOUCHED  UINT32_MAX

static uint32_t held[0x400 / 0x10];
static uint32_t written[0x400 / 0x10];

uint32_t apic_read(uint32_t offset)
{
    return held[offset >> 4];
}

/* Bits that are read-only, or missing in x2APIC mode, may not be written as 1. */
void apic_write(uint32_t offset, uint32_t value)
{
    CHECK((value & APIC_LVT_STATUS) == 0, "%#x of %#x", value, offset);
    held[offset >> 4] = written[offset >> 4] = value;
}

static void apic_with(unsigned last)
{
    for (unsigned i = 0; i < sizeof(held) / sizeof(*held); i++) {
        held[i] = AFTER_INIT;
        written[i] = UNTOUCHED;
    }
    held[APIC_VERSION >> 4] = 0x14 | last << 16;
}

static void expect(uint32_t offset, uint32_t value, const char *where)
{
    CHECK(written[offset >> 4] == value, "%s: %#x was written %#x, expected %#x", where, offset,
          written[offset >> 4], value);
}

static void expect_left(size_t number, uint32_t offset, uint32_t entry)
{
    const struct firmware_lvt *one = firmware_lvt(number);

    CHECK(one != NULL && one->number == offset && one->entry == entry, "number %zu", number);
}

/* The performance entry is masked all the same, and a status that is on its way is not written. */
static void test_first(void)
{
    apic_with(6);
    held[APIC_THERMAL >> 4] = SMI | APIC_LVT_STATUS;
    held[APIC_CMCI >> 4] = SMI | APIC_LVT_MASKED;
    held[APIC_PMI >> 4] = SMI;
    held[APIC_LINT1 >> 4] = 0x400;
    apic_put_entries_right();
    expect(APIC_THERMAL, UNTOUCHED, "first");
    expect(APIC_CMCI, UNTOUCHED, "first");
    expect(APIC_PMI, MASKED, "first");
    expect(APIC_LINT1, MASKED, "first");
    expect(APIC_TIMER, MASKED, "first");
    expect_left(0, APIC_THERMAL, SMI);
    expect_left(1, APIC_CMCI, SMI | APIC_LVT_MASKED);
    CHECK(firmware_lvt(2) == NULL, "two are left");
}

/* Another processor, and again the same, to which it was given before. */
static void test_others(void)
{
    apic_with(6);
    apic_put_entries_right();
    expect(APIC_THERMAL, SMI, "another");
    expect(APIC_CMCI, MASKED, "another");
    expect(APIC_ERROR, MASKED, "another");
    written[APIC_THERMAL >> 4] = UNTOUCHED;
    apic_put_entries_right();
    expect(APIC_THERMAL, UNTOUCHED, "another, again");
    CHECK(firmware_lvt(2) == NULL, "the first one's alone are told");
}

/* Entries that it lacks are not touched, nor the performance entry where nothing may be. */
static void test_small(void)
{
    apic_with(3);
    apic_put_entries_right();
    expect(APIC_ERROR, MASKED, "small");
    expect(APIC_PMI, UNTOUCHED, "small");
    expect(APIC_THERMAL, UNTOUCHED, "small");
    apic_with(6);
    apic_leave_pmi_alone();
    apic_put_entries_right();
    expect(APIC_PMI, UNTOUCHED, "dry run");
}

int main(void)
{
    test_first();
    test_others();
    test_small();
    return check_result();
}
