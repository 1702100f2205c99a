/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the bytes of ACPI tables say. Pure: every function can be called on the host. */
#ifndef ARCH_CPU_TABLES_ACPI_TABLES_H
#define ARCH_CPU_TABLES_ACPI_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACPI_HEADER_SIZE    36u /* bytes that every table but the RSDP begins with (F11.21) */
#define ACPI_LENGTH_LARGEST (16u << 20) /* no table that we read comes near */

#define ACPI_ISA_IRQ_COUNT 16u
#define ACPI_PROCESSORS    4096u /* what a list has room for; more are left out */

/* Where an ISA interrupt arrives: identity, edge and active high unless an override says other. */
struct acpi_isa_route {
    uint32_t gsi; /* global system interrupt */
    bool active_low;
    bool level;
};

struct acpi_madt {
    bool has_8259;
    bool has_ioapic;          /* the first one listed: */
    uint32_t ioapic_physical; /* address of its registers */
    uint32_t ioapic_gsi_base; /* GSI of its pin 0 */
    struct acpi_isa_route isa[ACPI_ISA_IRQ_COUNT];
    bool has_wakeup; /* a mailbox of the firmware starts processors: INIT may not (F24.18) */
    unsigned processor_count;             /* enabled ones */
    uint32_t processors[ACPI_PROCESSORS]; /* their APIC ids, each once, as listed */
};

enum acpi_space { ACPI_SPACE_MEMORY = 0, ACPI_SPACE_PORT = 1 };

struct acpi_fadt { /* ports are 0 when absent */
    uint64_t dsdt; /* physical address, or 0 */
    uint32_t smi_command;
    uint8_t acpi_enable,
        acpi_disable; /* values for smi_command; these and the next 0 when absent */
    uint8_t s4bios_request, pstate_control, cstate_control;
    uint8_t day_alarm, month_alarm; /* registers of the real-time clock; 0 when absent */
    uint16_t pm1a_event, pm1a_control, pm1b_control;
    uint16_t pm_timer; /* 3.579545 MHz */
    bool pm_timer_32_bits;
    bool has_reset;
    uint8_t reset_space; /* enum acpi_space or another */
    uint64_t reset_address;
    uint8_t reset_value;
};

struct acpi_root { /* where the list of tables is */
    uint64_t physical;
    size_t entry_size; /* 4 for an RSDT, 8 for an XSDT */
    uint32_t rsdt;     /* beside an XSDT, should that be of no use; 0: none */
};

/*
 * Checks the RSDP, length bytes of it at hand, and prefers the XSDT where its address can be
 * believed. NULL, or what is wrong.
 */
const char *acpi_parse_rsdp(const uint8_t *rsdp, size_t length, struct acpi_root *root);

/* The length that a header claims, or 0 when no table can be so short or so long. */
size_t acpi_table_length(const uint8_t header[ACPI_HEADER_SIZE]);
bool acpi_has_signature(const uint8_t *table, const char *signature);

/* A number of 1 to 8 bytes, the lowest first, at any alignment. */
uint64_t acpi_number(const uint8_t *at, size_t bytes);

/* True when length bytes sum up to 0 modulo 256. */
bool acpi_checksum_ok(const uint8_t *bytes, size_t length);

/* Address number i of an RSDT or XSDT of the given length; false past the end. */
bool acpi_root_entry(const uint8_t *table, size_t length, size_t entry_size, size_t i,
                     uint64_t *physical);

/* Both take a whole table, header included and checked. NULL, or what is wrong. */
const char *acpi_parse_madt(const uint8_t *table, size_t length, struct acpi_madt *out);
const char *acpi_parse_fadt(const uint8_t *table, size_t length, struct acpi_fadt *out);

/*
 * A value for smi_command that asks the firmware for nothing: none of the FADT's commands and not
 * 0 (F10.9); 4AH unless that is taken (F10.10).
 */
uint8_t acpi_idle_smi_command(const struct acpi_fadt *fadt);

/*
 * What the DSDT, header included, says to write into PM1a_CNT and PM1b_CNT to switch the machine
 * off: the first two elements of the package \_S5. Found by its name: an interpreter for two
 * constants would be a kernel of its own. False when there is none.
 */
bool acpi_off_types(const uint8_t *dsdt, size_t length, uint8_t types[2]);

#endif
