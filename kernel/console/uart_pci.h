/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UARTs that are PCI functions: 16550s, recognised by class (F26.7), and those of Intel's low-power
 * subsystem (LPSS), recognised only by id (F26.10 to F26.13).
 */
#ifndef KERNEL_CONSOLE_UART_PCI_H
#define KERNEL_CONSOLE_UART_PCI_H

#include "arch/cpu/ground/pci.h"
#include "kernel/console/uart.h"

#define UART_PCI_SHAPES 2u

enum uart_pci_kind { UART_PCI_NONE, UART_PCI_16550, UART_PCI_LPSS };

enum uart_pci_kind uart_pci_kind(const struct pci_function *function);

struct uart_pci {
    struct uart uart; /* but for its shape and rate */
    struct register_shape shapes[UART_PCI_SHAPES];
    unsigned shape_count;
};

/*
 * Wakes the function and maps its registers. Takes an LPSS UART out of reset, and gives it a clock
 * if the firmware gave none. by_hand: an unknown id of Intel's may be an LPSS UART too. Returns
 * NULL, or why it failed; the text is valid until the next call.
 */
const char *uart_pci_prepare(const struct pci_function *function, bool by_hand,
                             struct uart_pci *out);

/* Wakes the function so that it decodes its base addresses, if it can. */
void uart_pci_wake(const struct pci_function *function);

/* Maps size bytes. Returns NULL, or why no device can be there. */
const char *uart_map(struct uart *uart, size_t size);

#endif
