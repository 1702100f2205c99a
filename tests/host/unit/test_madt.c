/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MADTs drawn at random: entries of every type in any order, ids twice, processors that may only be
 * switched on later, in both kinds of entry. Is what is listed exactly what is enabled, each once?
 * And tables that are cut, spoilt or noise: is there never a look outside, and always an end?
 */
#include "tests/host/unit/acpi_bytes.h"

#define TABLES 20000u
#define NOISES 20000u
#define IDS    0x500u /* those that are drawn are below, or all ones */

#define ENABLED        1u
#define ONLINE_CAPABLE 2u

static uint8_t *bytes; /* of the table that is drawn */
static size_t length;
static struct acpi_madt madt;

static bool expected[IDS];
static uint32_t expected_order[IDS];
static unsigned expected_count;
static bool expected_wakeup;

static unsigned draw(unsigned below)
{
    return (unsigned)rand() % below;
}

static void byte(unsigned value)
{
    bytes[length++] = (uint8_t)value;
}

static void word(uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        byte(value >> 8 * i & 0xff);
}

/* Sizes of the entries that are fixed, by type; what a later version has more stands behind. */
static void head(unsigned type, unsigned size)
{
    byte(type);
    byte(size);
}

static void noise(unsigned count)
{
    while (count-- > 0)
        byte(draw(256));
}

static uint32_t draw_flags(void)
{
    return (draw(3) ? ENABLED : draw(2) * ONLINE_CAPABLE) | (draw(4) ? 0 : (uint32_t)rand() << 2);
}

static void note(uint32_t id, uint32_t flags)
{
    if (!(flags & ENABLED) || id >= IDS || expected[id])
        return;
    expected[id] = true;
    expected_order[expected_count++] = id;
}

static void draw_processor(void)
{
    unsigned id = draw(8) ? draw(256) : 255, more = draw(4) ? 0 : draw(20);
    uint32_t flags = draw_flags();
    head(0, 8 + more);
    byte(draw(256));
    byte(id);
    word(flags);
    noise(more);
    if (id != 255)
        note(id, flags);
}

static void draw_x2apic(void)
{
    uint32_t id = draw(8) ? draw(IDS) : UINT32_MAX, flags = draw_flags();
    unsigned more = draw(4) ? 0 : draw(20);
    head(9, 16 + more);
    noise(2);
    word(id);
    word(flags);
    noise(4 + more);
    note(id, flags);
}

static void draw_wakeup(void)
{
    unsigned version = draw(2);
    if (draw(20))
        return;
    head(16, version ? 24 : 16);
    byte(version);
    noise(version ? 21 : 13);
    expected_wakeup = true;
}

/* I/O APICs, overrides, NMIs of both kinds, address overrides, types of the future. */
static void draw_other(void)
{
    static const struct {
        unsigned type, size;
    } others[] = {{1, 12}, {2, 10}, {3, 8}, {4, 6}, {5, 12}, {10, 12}, {17, 15}, {200, 2}};
    unsigned which = draw(sizeof(others) / sizeof(others[0]));
    head(others[which].type, others[which].size);
    noise(others[which].size - 2);
}

static void draw_table(void)
{
    static void (*const kinds[])(void) = {draw_processor, draw_x2apic, draw_wakeup, draw_other};
    memset(expected, 0, sizeof expected);
    expected_count = 0;
    expected_wakeup = false;
    length = 0;
    noise(44);
    for (unsigned entries = draw(2) ? draw(8) : draw(400); entries > 0; entries--)
        kinds[draw(sizeof(kinds) / sizeof(kinds[0]))]();
}

static const char *parse(size_t size)
{
    uint8_t *copy = malloc(size + !size);
    memcpy(copy, bytes, size);
    memset(&madt, 0xa5, sizeof madt);
    const char *wrong = acpi_parse_madt(copy, size, &madt);
    free(copy);
    return wrong;
}

static void expect_all(unsigned number)
{
    const char *wrong = parse(length);
    CHECK(wrong == NULL, "table %u is refused: %s", number, wrong);
    CHECK(madt.processor_count == expected_count, "table %u: %u processors, expected %u", number,
          madt.processor_count, expected_count);
    for (unsigned i = 0; i < expected_count && i < madt.processor_count; i++)
        CHECK(madt.processors[i] == expected_order[i], "table %u: number %u is %x, expected %x",
              number, i, madt.processors[i], expected_order[i]);
    CHECK(madt.has_wakeup == expected_wakeup, "table %u: wake-up mailbox", number);
}

static void expect_sane(unsigned number)
{
    CHECK(madt.processor_count <= ACPI_PROCESSORS, "noise %u: %u processors", number,
          madt.processor_count);
    for (unsigned i = 0; i < madt.processor_count; i++) {
        CHECK(madt.processors[i] != UINT32_MAX, "noise %u: everybody is listed", number);
        for (unsigned j = 0; j < i; j++)
            CHECK(madt.processors[i] != madt.processors[j], "noise %u: %x twice", number,
                  madt.processors[i]);
    }
    for (unsigned irq = 0; irq < ACPI_ISA_IRQ_COUNT; irq++)
        CHECK(length < 44 || madt.isa[irq].gsi != 0xa5a5a5a5, "noise %u: no route of %u", number,
              irq);
}

/* Returns whether it was refused. */
static bool check_noise(unsigned number)
{
    draw_table();
    for (unsigned times = draw(4); times > 0; times--)
        bytes[draw((unsigned)length)] = (uint8_t)(draw(2) ? draw(20) : draw(256));
    if (!draw(4))
        for (size_t i = 44; i < length; i++)
            bytes[i] = (uint8_t)draw(draw(2) ? 20 : 256);
    if (!draw(3))
        length = draw((unsigned)length + 1);
    const char *wrong = parse(length);
    expect_sane(number);
    return wrong != NULL;
}

int main(void)
{
    unsigned refused = 0;
    srand(1);
    bytes = malloc(44 + 400 * 40);
    for (unsigned i = 0; i < TABLES; i++) {
        draw_table();
        noise(draw(2)); /* too short for an entry */
        expect_all(i);
    }
    for (unsigned i = 0; i < NOISES; i++)
        refused += check_noise(i);
    CHECK(refused > NOISES / 10 && refused < NOISES, "%u of %u were refused", refused, NOISES);
    free(bytes);
    return check_result();
}
