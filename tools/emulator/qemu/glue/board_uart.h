// SPDX-License-Identifier: GPL-2.0-or-later
/* Shared by the UARTs of boards without COM1: a 16550 on another bus. */
#ifndef DEBUG_STORE_BOARD_UART_H
#define DEBUG_STORE_BOARD_UART_H

#include "hw/char/serial.h"
#include "board_device.h"

#define UART_REGISTERS     8
#define UART_TRANSMIT      0 /* write, while DLAB is clear */
#define UART_FIFO_CONTROL  2
#define UART_LINE_CONTROL  3
#define UART_MODEM_CONTROL 4
#define UART_FIFOS_CLEARED 6          /* bits of FIFO control that clear the FIFOs */
#define UART_DLAB          0x80       /* of line control */
#define UART_LOOP_BACK     0x10       /* of modem control */
#define UART_NOTHING       UINT64_MAX /* what a read gives where no register answers */

/* Returns the number, 0 to 7, of the register at `offset`; -1 if there is none, or if the access is
 * not `width` bytes wide. Registers are `stride` bytes apart. */
static inline int uart_register(hwaddr offset, unsigned size, unsigned stride, unsigned width)
{
    bool none = size != width || offset % stride != 0 || offset / stride >= UART_REGISTERS;

    return none ? -1 : (int)(offset / stride);
}

#endif
