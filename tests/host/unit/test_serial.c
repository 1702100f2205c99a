/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/glob.c */
/* COM1 against UARTs made up here: sound, without FIFO, absent, broken, and dying in mid-line. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

#define BASE     0x3f8
#define DLAB_BIT 0x80
#define LOOP_BIT 0x10

static struct uart {
    bool absent, no_fifo, loop_broken, stuck;
    unsigned queued;      /* bytes in the transmitter */
    unsigned looks;       /* at the line status, in all */
    unsigned stuck_after; /* bytes; then it never empties again */
    unsigned overruns;
    uint8_t scratch, line, modem, looped;
    bool has_looped;
    char sent[4096];
    unsigned sent_count;
} uart;

static void send(uint8_t byte)
{
    unsigned capacity = uart.no_fifo ? 1 : 16;

    if (uart.queued == capacity)
        uart.overruns++;
    else
        uart.queued++;
    uart.sent[uart.sent_count++ % sizeof(uart.sent)] = (char)byte;
    uart.stuck = uart.stuck_after != 0 && uart.sent_count >= uart.stuck_after;
}

/* A transmitter that works empties itself between two looks. */
static uint8_t line_status(void)
{
    uint8_t status = uart.queued == 0 ? 0x60 : 0;

    uart.looks++;
    if (!uart.stuck)
        uart.queued = 0;
    return status | uart.has_looped;
}

static uint8_t read_data(void)
{
    uart.has_looped = false;
    return uart.looped;
}

static uint8_t insn_in8(uint16_t port)
{
    if (uart.absent)
        return 0xff;
    switch (port - BASE) {
    case 0:
        return read_data();
    case 2:
        return uart.no_fifo ? 0x01 : 0xc1;
    case 5:
        return line_status();
    case 7:
        return uart.scratch;
    }
    return 0;
}

static void write_data(uint8_t value)
{
    if ((uart.line & DLAB_BIT) != 0)
        return;
    if ((uart.modem & LOOP_BIT) == 0) {
        send(value);
        return;
    }
    uart.looped = value;
    uart.has_looped = !uart.loop_broken;
}

static void insn_out8(uint16_t port, uint8_t value)
{
    if (port == BASE)
        write_data(value);
    else if (port == BASE + 3)
        uart.line = value;
    else if (port == BASE + 4)
        uart.modem = value;
    else if (port == BASE + 7)
        uart.scratch = value;
}

/* The file under test, over the port instructions above instead of the processor's. */
#define ARCH_CPU_INSN_H
#include "kernel/console_serial.c"

static const char *open_anew(struct uart state)
{
    uart = state;
    room = 0;
    return console_serial.open();
}

static bool write_text(const char *text)
{
    return console_serial.write(text, strlen(text), COLOUR_PLAIN);
}

static void check_sound(bool no_fifo)
{
    CHECK(open_anew((struct uart){.no_fifo = no_fifo}) == NULL, "not opened");
    CHECK(uart.sent_count == 0, "the loopback reached the line");
    for (int i = 0; i < 20; i++)
        CHECK(write_text("a line longer than the FIFO\n"), "given up");
    CHECK(uart.sent_count == 20 * 29, "%u bytes", uart.sent_count);
    CHECK(strncmp(uart.sent, "a line longer than the FIFO\r\na line", 35) == 0, "%.40s", uart.sent);
    CHECK(uart.overruns == 0, "%u overruns", uart.overruns);
}

static void check_absent(void)
{
    const char *why = open_anew((struct uart){.absent = true});

    CHECK(why != NULL && strstr(why, "no UART") != NULL, "%s", why ? why : "opened");
    why = open_anew((struct uart){.loop_broken = true});
    CHECK(why != NULL && strstr(why, "loopback") != NULL, "%s", why ? why : "opened");
    CHECK(uart.modem == MODEM_READY, "left in loopback: %02x", uart.modem);
}

static void check_death(void)
{
    CHECK(open_anew((struct uart){.stuck_after = 40}) == NULL, "not opened");
    CHECK(write_text("0123456789"), "given up too early");
    CHECK(!write_text("01234567890123456789012345678901234567890123456789"), "not given up");
    CHECK(uart.looks < 2 * LOOKS, "%u looks", uart.looks);
}

int main(void)
{
    check_sound(false);
    check_sound(true);
    check_absent();
    check_death();
    return check_result();
}
