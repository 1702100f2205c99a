/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FADT and its DSDT: ports, clocks, how to switch off, the SMI command. */
#include "tests/host/unit/acpi_bytes.h"

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
    put_at(108, 0x32, 1);
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
    CHECK(fadt.day_alarm == 0xd && fadt.month_alarm == 0x7e && fadt.century == 0x32,
          "real-time clock");
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

/* Whatever the commands are, the value is a different one, and not 0. */
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

int main(void)
{
    check_fadt();
    check_long_fadt();
    check_off_types();
    check_idle_smi_command();
    return check_result();
}
