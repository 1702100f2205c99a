/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Driver of a 16550 UART (F14.13) in ports or in memory. Each wait is bounded by a number of polls;
 * a UART that is gone or no longer sends is given up.
 */
#ifndef KERNEL_CONSOLE_UART_H
#define KERNEL_CONSOLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/device_registers.h"
#include "arch/cpu/ground/pci.h"

#define UART_CLOCK     1843200u /* Hz, of a PC's ports and of cards that copy them */
#define UART_KEEP_RATE 0u       /* as the firmware left it (F26.3) */
#define UART_TEXT_SIZE 96u

struct uart {
    struct device_registers registers;
    uint32_t clock;     /* Hz that the divisor divides; 0: unknown, and the divisor is left alone */
    uint32_t rate;      /* baud to set, or UART_KEEP_RATE; after uart_open() its rate, 0: unknown */
    uint32_t said_rate; /* baud that the firmware has set, by its tables; 0: they do not say */
    bool is_trusted;    /* table or option names it: open it even if its loopback fails */
    bool keeps_if_set;  /* the clock is a guess (F26.8): if firmware has set a rate, it stays */
    /* Set by the driver: */
    bool has_loopback;
    uint64_t byte_ticks; /* TSC ticks that a byte takes through the loopback */
    unsigned fifo_size;  /* bytes that an empty transmitter takes */
    unsigned room;       /* how many of them it certainly still takes */
};

/*
 * Tests the UART, sets 8 bits, no parity, and the rate if the clock can make it. Returns NULL, or
 * why it is no UART; the text is valid until the next call.
 */
const char *uart_open(struct uart *uart);

/* Changes the rate of an open UART, after it has sent what it was given. */
void uart_set_rate(struct uart *uart, uint32_t rate);

/* Can the clock make this rate within 3 percent? */
bool uart_can(const struct uart *uart, uint32_t rate);

/* Sends "\n" as "\r\n". False if the UART takes no more bytes or is gone. */
bool uart_write(struct uart *uart, const char *text, size_t length);

/* Writes "port 0x3f8" or "memory 0xfe030000, 32-bit accesses". Returns text, of UART_TEXT_SIZE
 * bytes. */
char *uart_format_place(const struct uart *uart, char *text);

/*
 * UARTs that are PCI functions: 16550s, recognised by class (F26.7), and those of Intel's low-power
 * subsystem (LPSS), recognised only by id (F26.10 to F26.13).
 */

#define UART_PCI_SHAPES 2u

enum uart_pci_kind { UART_PCI_NONE, UART_PCI_16550, UART_PCI_LPSS };

enum uart_pci_kind uart_pci_kind(const struct pci_function *function);

struct uart_pci {
    struct uart uart; /* without its shape and rate */
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

/* Maps `size` bytes at uart->registers.address. Returns NULL, or why no device can be there. */
const char *uart_map(struct uart *uart, size_t size);

#endif
