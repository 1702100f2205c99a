/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/power.h"

#include "arch/cpu/acpi.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/paging.h"
#include "kernel/string.h"
#include "kernel/time.h"

#define FADT_DSDT           40u /* physical address, 4 bytes */
#define TABLE_LENGTH        4u
#define TABLE_HEADER_SIZE   36u
#define DSDT_LENGTH_LIMIT   (4u << 20)
#define PM1_SCI_ENABLED     0x0001u
#define PM1_SLEEP_ENABLE    0x2000u
#define PM1_SLEEP_TYPE      10u /* bit position */
#define AML_PACKAGE         0x12u
#define AML_BYTE            0x0au
#define RESET_CONTROL_PORT  0xcf9u
#define RESET_CONTROL_FULL  0x06u
#define KEYBOARD_PORT       0x64u
#define KEYBOARD_PULSE      0xfeu
#define OBEY_MICROSECONDS   100000u
#define ENABLE_MICROSECONDS 500000u

static void wait(uint64_t microseconds)
{
    uint64_t deadline = time_deadline_microseconds(microseconds);

    while (!time_passed(deadline))
        insn_pause();
}

static uint32_t read32(const uint8_t *bytes)
{
    uint32_t value;

    memcpy(&value, bytes, sizeof(value));
    return value;
}

/* The DSDT in memory with its length, or NULL. */
static const uint8_t *find_dsdt(size_t *length)
{
    const char *why;
    const uint8_t *fadt = acpi_find("FACP", length, &why);
    uint32_t physical;
    const uint8_t *dsdt;

    if (fadt == NULL || *length < FADT_DSDT + 4)
        return NULL;
    physical = read32(fadt + FADT_DSDT);
    dsdt = paging_map_physical(physical, TABLE_HEADER_SIZE, PAGE_WRITE_BACK);
    if (physical == 0 || dsdt == NULL || memcmp(dsdt, "DSDT", 4) != 0)
        return NULL;
    *length = read32(dsdt + TABLE_LENGTH);
    if (*length < TABLE_HEADER_SIZE || *length > DSDT_LENGTH_LIMIT)
        return NULL;
    return paging_map_physical(physical, *length, PAGE_WRITE_BACK);
}

/*
 * The first element of the package \_S5, which is what to write as sleep type. The package is found
 * by its name: an interpreter for the one constant would be a kernel of its own.
 */
static bool find_sleep_type(uint32_t *type)
{
    size_t length;
    const uint8_t *dsdt = find_dsdt(&length);

    for (size_t i = TABLE_HEADER_SIZE; dsdt != NULL && i + 12 < length; i++) {
        const uint8_t *package = dsdt + i + 4;

        if (memcmp(dsdt + i, "_S5_", 4) != 0 || package[0] != AML_PACKAGE)
            continue;
        package += 2 + (package[1] >> 6) + 1; /* operator, length of 1 to 4 bytes, element count */
        *type = package[0] == AML_BYTE ? package[1] : package[0];
        return true;
    }
    return false;
}

static void enable_acpi(const struct acpi_fadt *fadt)
{
    uint64_t deadline = time_deadline_microseconds(ENABLE_MICROSECONDS);
    uint16_t port = (uint16_t)fadt->pm1a_control;

    if ((insn_in16(port) & PM1_SCI_ENABLED) != 0 || fadt->smi_command == 0)
        return;
    insn_out8((uint16_t)fadt->smi_command, fadt->acpi_enable);
    while ((insn_in16(port) & PM1_SCI_ENABLED) == 0 && !time_passed(deadline))
        insn_pause();
}

void power_off(void)
{
    struct acpi_fadt fadt;
    uint32_t type;

    if (acpi_read_fadt(&fadt) != NULL || fadt.pm1a_control == 0 || !find_sleep_type(&type))
        return;
    enable_acpi(&fadt);
    insn_out16((uint16_t)fadt.pm1a_control,
               (uint16_t)((type & 7) << PM1_SLEEP_TYPE | PM1_SLEEP_ENABLE));
    wait(OBEY_MICROSECONDS);
}

void power_reset(void)
{
    struct acpi_fadt fadt;

    if (acpi_read_fadt(&fadt) == NULL && fadt.has_reset && fadt.reset_space == ACPI_SPACE_PORT) {
        insn_out8((uint16_t)fadt.reset_address, fadt.reset_value);
        wait(OBEY_MICROSECONDS);
    }
    insn_out8(RESET_CONTROL_PORT, RESET_CONTROL_FULL);
    wait(OBEY_MICROSECONDS);
    insn_out8(KEYBOARD_PORT, KEYBOARD_PULSE);
    wait(OBEY_MICROSECONDS);
}
