// SPDX-License-Identifier: GPL-2.0-or-later
/* What the UARTs of boards without COM1 have in common: a 16550 behind another bus. */
#ifndef DEBUG_STORE_BOARD_UART_H
#define DEBUG_STORE_BOARD_UART_H

#include "hw/char/serial.h"
#include "board_device.h"

#define UART_REGISTERS     8
#define UART_TRANSMIT      0 /* write, while DLAB is clear */
#define UART_FIFO_CONTROL  2
#define UART_LINE_CONTROL  3
#define UART_MODEM_CONTROL 4
#define UART_FIFOS_CLEARED 6
#define UART_DLAB          0x80 /* of line control */
#define UART_LOOP_BACK     0x10 /* of modem control */
#define UART_NOTHING       UINT64_MAX

/* Registers 0 to 7 of a 16550, each stride bytes after the other, accesses of width bytes. The
 * register at offset; -1: none is. */
static inline int uart_register(hwaddr offset, unsigned size, unsigned stride, unsigned width)
{
    bool none = size != width || offset % stride != 0 || offset / stride >= UART_REGISTERS;

    return none ? -1 : (int)(offset / stride);
}

#endif
