/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UARTs that are PCI functions: 16550s, which their class tells (F26.7), and those of Intel's
 * low-power subsystem, LPSS, which only their ids tell (F26.10 to F26.13).
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
 * Wakes the function, maps its registers, and where it is an LPSS one takes it out of reset and
 * gives it a clock if the firmware gave none. by_hand: an Intel function with an id that is not
 * known may be an LPSS UART as well. NULL, or why not: text that stands until the next call.
 */
const char *uart_pci_prepare(const struct pci_function *function, bool by_hand,
                             struct uart_pci *out);

/* Makes it answer at its base addresses, if it can. */
void uart_pci_wake(const struct pci_function *function);

/* NULL, or why no device can be there; otherwise mapped. size in bytes. */
const char *uart_map(struct uart *uart, size_t size);

#endif
