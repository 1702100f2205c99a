/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/machine/power.h"

#include <stdbool.h>
#include <stddef.h>

#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/paging.h"
#include "kernel/machine/time.h"

#define PM1_SCI_ENABLED     0x0001u
#define PM1_SLEEP_ENABLE    0x2000u
#define PM1_SLEEP_TYPE      10u /* bit position */
#define PM1_SLEEP_TYPES     0x1c00u
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

/* The DSDT in memory with its length, or NULL. */
static const uint8_t *map_dsdt(uint64_t physical, size_t *length)
{
    const uint8_t *dsdt;

    if (physical == 0)
        return NULL;
    dsdt = paging_map_physical(physical, ACPI_HEADER_SIZE, PAGE_WRITE_BACK);
    if (dsdt == NULL || !acpi_has_signature(dsdt, "DSDT"))
        return NULL;
    *length = acpi_table_length(dsdt);
    return *length == 0 ? NULL : paging_map_physical(physical, *length, PAGE_WRITE_BACK);
}

static bool smi_is_forbidden;

void power_without_smi(void)
{
    smi_is_forbidden = true;
}

static void enable_acpi(const struct acpi_fadt *fadt)
{
    uint64_t deadline = time_deadline_microseconds(ENABLE_MICROSECONDS);
    uint16_t port = fadt->pm1a_control;

    if ((insn_in16(port) & PM1_SCI_ENABLED) != 0 || fadt->smi_command == 0 || smi_is_forbidden)
        return;
    insn_out8((uint16_t)fadt->smi_command, fadt->acpi_enable);
    while ((insn_in16(port) & PM1_SCI_ENABLED) == 0 && !time_passed(deadline))
        insn_pause();
}

/* Keeps the register's other bits. */
static void sleep(uint16_t port, uint8_t type)
{
    uint16_t control = insn_in16(port) & (uint16_t) ~(PM1_SLEEP_TYPES | PM1_SLEEP_ENABLE);

    insn_out16(port,
               (uint16_t)(control | (type << PM1_SLEEP_TYPE & PM1_SLEEP_TYPES) | PM1_SLEEP_ENABLE));
}

const char *power_off(void)
{
    struct acpi_fadt fadt;
    const char *why = acpi_read_fadt(&fadt);
    const uint8_t *dsdt;
    size_t length;
    uint8_t types[2];

    if (why != NULL)
        return why;
    if (fadt.pm1a_control == 0)
        return "the FADT names no port PM1a_CNT";
    dsdt = map_dsdt(fadt.dsdt, &length);
    if (dsdt == NULL)
        return "the FADT names no DSDT";
    if (!acpi_off_types(dsdt, length, types))
        return "the DSDT has no package _S5 of constants";
    enable_acpi(&fadt);
    sleep(fadt.pm1a_control, types[0]);
    if (fadt.pm1b_control != 0)
        sleep(fadt.pm1b_control, types[1]);
    wait(OBEY_MICROSECONDS);
    return "PM1a_CNT was written, and the machine stays on";
}

const char *power_reset(void)
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
    return "reset register, port CF9H and keyboard controller were written, and nothing happened";
}
