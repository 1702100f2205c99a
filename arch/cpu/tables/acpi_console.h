/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UARTs that the firmware's tables name: SPCR has the firmware's own console (F26.1, F26.6), DBG2 a
 * debugger's (F26.4). Pure: runs on the host too.
 */
#ifndef ARCH_CPU_TABLES_ACPI_CONSOLE_H
#define ARCH_CPU_TABLES_ACPI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/device_registers.h"
#include "arch/cpu/ground/pci.h"

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
    uint32_t clock; /* Hz, what the divisor divides by 16 times the rate; 0: not said */
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

#endif
