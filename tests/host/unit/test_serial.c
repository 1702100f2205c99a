/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: arch/lib/printf.c */
/* UARTs made up here, at any port and rate: sound, without FIFO, absent, broken, and dying in
 * mid-line. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

#define DLAB_BIT 0x80
#define LOOP_BIT 0x10

static struct uart {
    uint16_t base;
    bool absent, no_fifo, loop_broken, stuck;
    unsigned queued;      /* bytes in the transmitter */
    unsigned looks;       /* at the line status, in all */
    unsigned stuck_after; /* bytes; then it never empties again */
    unsigned overruns;
    unsigned foreign; /* accesses outside its eight ports */
    uint8_t scratch, line, modem, looped, divisor[2];
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
    if (port < uart.base || port > uart.base + 7)
        uart.foreign++;
    if (uart.absent)
        return 0xff;
    switch (port - uart.base) {
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
    if ((uart.line & DLAB_BIT) != 0) {
        uart.divisor[0] = value;
        return;
    }
    if ((uart.modem & LOOP_BIT) == 0) {
        send(value);
        return;
    }
    uart.looped = value;
    uart.has_looped = !uart.loop_broken;
}

static void insn_out8(uint16_t port, uint8_t value)
{
    if (port < uart.base || port > uart.base + 7)
        uart.foreign++;
    if (port == uart.base)
        write_data(value);
    else if (port == uart.base + 1 && (uart.line & DLAB_BIT) != 0)
        uart.divisor[1] = value;
    else if (port == uart.base + 3)
        uart.line = value;
    else if (port == uart.base + 4)
        uart.modem = value;
    else if (port == uart.base + 7)
        uart.scratch = value;
}

/* The file under test, over the port instructions above instead of the processor's. */
#define ARCH_CPU_INSN_H
#include "kernel/console_serial.c"

static uint32_t rate = SERIAL_RATE;

static const char *open_anew(struct uart state)
{
    uart = state;
    uart.base = uart.base == 0 ? SERIAL_COM1 : uart.base;
    uart.divisor[1] = 0xa5;
    room = 0;
    console_serial_choose(&(struct serial_line){uart.base, rate});
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

    CHECK(why != NULL && strstr(why, "no UART at port 0x3f8") != NULL, "%s", why ? why : "opened");
    why = open_anew((struct uart){.absent = true, .base = 0x2e8});
    CHECK(why != NULL && strstr(why, "no UART at port 0x2e8") != NULL, "%s", why ? why : "opened");
    why = open_anew((struct uart){.loop_broken = true, .base = 0x2f8});
    CHECK(why != NULL && strstr(why, "loopback at port 0x2f8") != NULL, "%s", why ? why : "opened");
    CHECK(uart.modem == MODEM_READY, "left in loopback: %02x", uart.modem);
}

static void check_death(void)
{
    CHECK(open_anew((struct uart){.stuck_after = 40}) == NULL, "not opened");
    CHECK(write_text("0123456789"), "given up too early");
    CHECK(!write_text("01234567890123456789012345678901234567890123456789"), "not given up");
    CHECK(uart.looks < 2 * LOOKS, "%u looks", uart.looks);
}

/* Another port than the one chosen may be anything: it is not touched. */
static void check_ports_and_rates(void)
{
    static const uint16_t ports[] = {0x3f8, 0x2f8, 0x3e8, 0x2e8, 0x100, 0xfff8};

    for (size_t i = 0; i < 6; i++) {
        for (unsigned divisor = 1; divisor <= 12; divisor++) {
            if (115200 % divisor != 0)
                continue;
            rate = 115200 / divisor;
            CHECK(open_anew((struct uart){.base = ports[i]}) == NULL, "port %#x", ports[i]);
            CHECK(uart.divisor[0] == divisor && uart.divisor[1] == 0, "%u baud", rate);
            CHECK((uart.line & DLAB_BIT) == 0, "line control %02x", uart.line);
            CHECK(write_text("one line\n") && strncmp(uart.sent, "one line\r\n", 10) == 0, "%s",
                  uart.sent);
            CHECK(uart.foreign == 0, "port %#x: %u accesses elsewhere", ports[i], uart.foreign);
        }
    }
    rate = SERIAL_RATE;
}

int main(void)
{
    check_sound(false);
    check_sound(true);
    check_absent();
    check_death();
    check_ports_and_rates();
    return check_result();
}
