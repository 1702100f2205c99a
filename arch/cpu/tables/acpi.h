/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a few ACPI tables, found through the loader's RSDP (F11.20 to F11.24, F26.1 to F26.5).
 * Needs paging_init(). Lengths are bounded and checksums checked, so a bad table gives a reason and
 * never a hang.
 */
#ifndef ARCH_CPU_TABLES_ACPI_H
#define ARCH_CPU_TABLES_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/device_registers.h"
#include "arch/cpu/ground/pci.h"

/* Parsers of ACPI tables. Pure: runs on the host too. */

#define ACPI_HEADER_SIZE    36u /* bytes that every table but the RSDP begins with (F11.21) */
#define ACPI_LENGTH_LARGEST (16u << 20) /* no table that we read comes near */

#define ACPI_ISA_IRQ_COUNT 16u
#define ACPI_PROCESSORS    4096u /* the list's capacity; more are left out */

/* Where an ISA interrupt arrives. Without an override: GSI = IRQ, edge-triggered, active high. */
struct acpi_isa_route {
    uint32_t gsi; /* global system interrupt */
    bool active_low;
    bool level;
};

struct acpi_madt {
    bool has_8259;
    bool has_ioapic;
    uint32_t ioapic_physical; /* address of the registers of the first I/O APIC listed */
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
        acpi_disable; /* values for smi_command, like the next three; 0 when absent */
    uint8_t s4bios_request, pstate_control, cstate_control;
    uint8_t day_alarm, month_alarm, century; /* registers of the real-time clock; 0: absent */
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
    uint32_t rsdt;     /* the RSDT, in case the XSDT is unusable; 0: none */
};

/*
 * Checks the RSDP (length bytes) and prefers the XSDT if its address is plausible. Returns NULL, or
 * what is wrong.
 */
const char *acpi_parse_rsdp(const uint8_t *rsdp, size_t length, struct acpi_root *root);

/* The length in the header, in bytes; 0 if no table can be so short or long. */
size_t acpi_table_length(const uint8_t header[ACPI_HEADER_SIZE]);
bool acpi_has_signature(const uint8_t *table, const char *signature);

/* A little-endian number of 1 to 8 bytes at any alignment. */
uint64_t acpi_number(const uint8_t *at, size_t bytes);

/* Is the sum of the bytes 0 modulo 256? */
bool acpi_checksum_ok(const uint8_t *bytes, size_t length);

/* Reads address `i` of an RSDT or XSDT of `length` bytes. Returns false past the end. */
bool acpi_root_entry(const uint8_t *table, size_t length, size_t entry_size, size_t i,
                     uint64_t *physical);

/* Both take a whole table with its header, already checked. Return NULL, or what is wrong. */
const char *acpi_parse_madt(const uint8_t *table, size_t length, struct acpi_madt *out);
const char *acpi_parse_fadt(const uint8_t *table, size_t length, struct acpi_fadt *out);

/*
 * A value for smi_command that asks nothing of the firmware: neither 0 nor one of the FADT's
 * commands (F10.9); 4AH unless the FADT uses it (F10.10).
 */
uint8_t acpi_idle_smi_command(const struct acpi_fadt *fadt);

/*
 * The values for PM1a_CNT and PM1b_CNT that switch the machine off: the first two elements of the
 * package \_S5 in the DSDT (header included). Searches for the name instead of interpreting AML for
 * two constants. Returns false if there is no such package.
 */
bool acpi_off_types(const uint8_t *dsdt, size_t length, uint8_t types[2]);

/*
 * UARTs that the firmware's tables name: SPCR has the firmware's own console (F26.1, F26.6), DBG2 a
 * debugger's (F26.4). Pure: runs on the host too.
 */

#define ACPI_UART_SHAPES 3u

struct acpi_uart { /* a 16550 */
    bool in_memory;
    bool is_lpss;     /* Intel's, whose registers want 32-bit accesses (F26.10) */
    uint64_t address; /* of register 0; 0: the PCI function's first BAR */
    /* Register layouts to try in turn; at least one. */
    struct register_shape shapes[ACPI_UART_SHAPES];
    unsigned shape_count;
    bool says_rate;
    uint32_t rate;  /* baud; 0: as the firmware left it (F26.3) */
    uint32_t clock; /* Hz; the divisor is clock / (16 * rate); 0: not said */
    bool is_pci;    /* in segment 0 */
    struct pci_function pci;
    uint16_t pci_vendor, pci_device;
};

/*
 * Take a whole table with its header, already checked. Return NULL, or why it names no usable UART;
 * the text is valid until the next call.
 */
const char *acpi_parse_spcr(const uint8_t *table, size_t length, struct acpi_uart *out);
const char *acpi_parse_dbg2(const uint8_t *table, size_t length, struct acpi_uart *out);

/* The following return this pointer as the reason if the board lacks the table. */
extern const char acpi_no_such_table[];

/* All fill *out and return NULL, or the reason they failed. */
const char *acpi_read_madt(struct acpi_madt *out);
const char *acpi_read_fadt(struct acpi_fadt *out);
const char *acpi_read_spcr(struct acpi_uart *out);
const char *acpi_read_dbg2(struct acpi_uart *out);

#endif
