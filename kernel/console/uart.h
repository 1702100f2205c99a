/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 16550 (F14.13), in ports or in memory: is it one, at which rate does it send, and its bytes
 * out. Each wait counts its looks; one that is gone, or does not send any more, is given up.
 */
#ifndef KERNEL_CONSOLE_UART_H
#define KERNEL_CONSOLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/cpu/ground/device_registers.h"

#define UART_CLOCK     1843200u /* Hz, of a PC's ports and of cards that copy them */
#define UART_KEEP_RATE 0u       /* as the firmware left it (F26.3) */
#define UART_TEXT_SIZE 96u

struct uart {
    struct device_registers registers;
    uint32_t clock;     /* Hz that the divisor divides; 0: unknown, and the divisor is left alone */
    uint32_t rate;      /* baud, or UART_KEEP_RATE; after uart_open() the one it has, 0: unknown */
    uint32_t said_rate; /* baud that the firmware is said to have set; 0: nobody says */
    bool is_trusted;    /* somebody says that there is one: a loopback that fails is no reason */
    bool keeps_if_set;  /* the clock is a guess: what somebody has set up keeps its rate (F26.8) */
    /* Its own: */
    bool has_loopback;
    uint64_t byte_ticks; /* TSC, that a byte took through the loopback */
    unsigned fifo_size;  /* bytes that an empty transmitter takes */
    unsigned room;       /* of those, how many it still takes for certain */
};

/*
 * Tries it, sets 8 bits, no parity, and the rate where the clock makes it. NULL, or why it is none:
 * text that stands until the next call.
 */
const char *uart_open(struct uart *uart);

/* Changes the rate of one that is open, behind what it was given to send. */
void uart_set_rate(struct uart *uart, uint32_t rate);

/* Whether the clock can make the rate, to 3 in 100. */
bool uart_can(const struct uart *uart, uint32_t rate);

/* Each "\n" as "\r\n". False: it takes no more bytes, or is gone. */
bool uart_write(struct uart *uart, const char *text, size_t length);

/* "port 0x3f8", "memory 0xfe030000, 32-bit accesses"; returns text, of UART_TEXT_SIZE bytes. */
char *uart_format_place(const struct uart *uart, char *text);

#endif
