/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If there is no UART, the scratch register or the loopback fails (F26.18). Undecoded memory or
 * ports read FFH.
 */
#include "kernel/console/uart.h"

#include "arch/cpu/ground/insn.h"
#include "arch/lib/printf.h"

#define DATA             0u /* and the divisor's low byte while DLAB is set */
#define INTERRUPT_ENABLE 1u /* and the divisor's high byte */
#define FIFO_CONTROL     2u /* read: interrupt identification */
#define LINE_CONTROL     3u
#define MODEM_CONTROL    4u
#define LINE_STATUS      5u
#define SCRATCH          7u

#define LINE_8N1      0x03
#define LINE_8_BITS   0x03 /* a word; 0 after reset (F26.8a) */
#define LINE_DLAB     0x80
#define FIFO_ON_EMPTY 0xc7
#define FIFO_IS_ON    0xc0 /* read back, both bits */
#define FIFO_SIZE     16u  /* bytes */
#define MODEM_READY   0x0b /* DTR, RTS, OUT2 */
#define MODEM_LOOP    0x1e /* loopback with RTS, OUT1, OUT2 */
#define STATUS_DATA   0x01
#define STATUS_EMPTY  0x20
#define STATUS_SENT   0x40 /* the shift register too */
#define NOBODY        0xff

/* Polls; each takes about a microsecond on a real bus. A byte takes 87, or 1042 at the slowest
 * rate, so a stuck port costs seconds. */
#define LOOKS 3000000u

#define LINE_TRIES 1000u /* some milliseconds, after which a busy line is left as it is */

#define CLOCKS_A_BIT  16u
#define DIVISOR_MOST  0xffffu
#define TOLERANCE     33u /* a rate may be off by 1 / 33 */
#define BITS_OF_BYTES 8u
#define LOOP_BYTES    16u /* 1.4 ms at 115200 baud */

static uint8_t get(const struct uart *uart, unsigned number)
{
    return device_read(&uart->registers, number);
}

static void set(const struct uart *uart, unsigned number, uint8_t value)
{
    device_write(&uart->registers, number, value);
}

/* We set the line's settings, so all ones mean that it is gone. */
static bool is_gone(const struct uart *uart, uint8_t status)
{
    return status == NOBODY && get(uart, LINE_CONTROL) == NOBODY;
}

static bool wait_status(const struct uart *uart, uint8_t bit, unsigned looks)
{
    while (looks-- > 0) {
        uint8_t status = get(uart, LINE_STATUS);

        if (is_gone(uart, status))
            return false;
        if ((status & bit) != 0)
            return true;
    }
    return false;
}

static bool scratch_holds(const struct uart *uart, uint8_t value)
{
    set(uart, SCRATCH, value);
    return get(uart, SCRATCH) == value;
}

/* A byte in loopback must return within some hundreds of byte times. The fastest gives the time of
 * a byte. */
static bool comes_back(struct uart *uart, uint8_t value)
{
    uint64_t ticks = insn_rdtsc();
    bool came;

    set(uart, DATA, value);
    came = wait_status(uart, STATUS_DATA, LOOKS / 100);
    ticks = insn_rdtsc() - ticks;
    if (ticks < uart->byte_ticks)
        uart->byte_ticks = ticks;
    return came && get(uart, DATA) == value;
}

/* Sends each data line alone, and all but it: enough bytes that one is undisturbed, even on a busy
 * emulator. */
static bool loopback_works(struct uart *uart)
{
    bool works = true;

    uart->byte_ticks = UINT64_MAX;
    set(uart, MODEM_CONTROL, MODEM_LOOP);
    for (unsigned i = 0; works && i < LOOP_BYTES; i++)
        works = comes_back(uart, (uint8_t)(1u << i / 2 ^ (i % 2 == 0 ? 0 : 0xffu)));
    set(uart, MODEM_CONTROL, MODEM_READY);
    return works;
}

/* Returns 0 if the clock cannot make the rate. */
static uint32_t divisor_of(const struct uart *uart, uint32_t rate)
{
    uint64_t wanted = (uint64_t)rate * CLOCKS_A_BIT, divisor, made;

    if (rate == UART_KEEP_RATE || wanted == 0 || wanted > uart->clock)
        return 0;
    divisor = (uart->clock + wanted / 2) / wanted;
    made = divisor * wanted;
    made = made > uart->clock ? made - uart->clock : uart->clock - made;
    return divisor > DIVISOR_MOST || made > uart->clock / TOLERANCE ? 0 : (uint32_t)divisor;
}

bool uart_can(const struct uart *uart, uint32_t rate)
{
    return divisor_of(uart, rate) != 0;
}

/* Some UARTs ignore the write while a byte is being sent, received, or waits to be read
 * (F26.10b). */
static bool set_line_control(const struct uart *uart, uint8_t value)
{
    for (unsigned tries = LINE_TRIES; tries > 0; tries--) {
        set(uart, LINE_CONTROL, value);
        if (get(uart, LINE_CONTROL) == value)
            return true;
        set(uart, FIFO_CONTROL, FIFO_ON_EMPTY);
        get(uart, DATA);
    }
    return false;
}

/* While DLAB is set. */
static uint32_t get_divisor(const struct uart *uart)
{
    return get(uart, DATA) | (uint32_t)get(uart, INTERRUPT_ENABLE) << BITS_OF_BYTES;
}

/* Has somebody set its format and rate? */
static bool is_set_up(const struct uart *uart)
{
    uint32_t divisor = 0;

    if ((get(uart, LINE_CONTROL) & LINE_8_BITS) != LINE_8_BITS)
        return false;
    if (set_line_control(uart, LINE_DLAB | LINE_8N1))
        divisor = get_divisor(uart);
    set_line_control(uart, LINE_8N1);
    return divisor != 0;
}

/* A divisor that is kept tells the rate, if the clock is known. If the divisor is not accessible,
 * writing it would send its bytes, so the rate is kept. */
static uint32_t set_divisor(struct uart *uart)
{
    uint32_t divisor = divisor_of(uart, uart->rate);

    if (!set_line_control(uart, LINE_DLAB | LINE_8N1)) {
        uart->rate = UART_KEEP_RATE;
        return 0;
    }
    if (divisor != 0) {
        set(uart, DATA, (uint8_t)divisor);
        set(uart, INTERRUPT_ENABLE, (uint8_t)(divisor >> BITS_OF_BYTES));
    } else {
        divisor = get_divisor(uart);
    }
    set_line_control(uart, LINE_8N1);
    return divisor;
}

static void set_line(struct uart *uart)
{
    uint32_t divisor;

    set_line_control(uart, LINE_8N1);
    set(uart, INTERRUPT_ENABLE, 0);
    divisor = set_divisor(uart);
    if (!uart_can(uart, uart->rate))
        uart->rate = divisor == 0 ? 0 : uart->clock / CLOCKS_A_BIT / divisor;
    set(uart, FIFO_CONTROL, FIFO_ON_EMPTY);
    uart->fifo_size = (get(uart, FIFO_CONTROL) & FIFO_IS_ON) == FIFO_IS_ON ? FIFO_SIZE : 1;
    uart->room = 0;
}

static const char *explain(const struct uart *uart, const char *what)
{
    static char why[2 * UART_TEXT_SIZE];
    char place[UART_TEXT_SIZE];

    format_string(why, sizeof(why), "%s at %s", what, uart_format_place(uart, place));
    return why;
}

const char *uart_open(struct uart *uart)
{
    if (!scratch_holds(uart, 0x5a) || !scratch_holds(uart, 0xa5) ||
        get(uart, LINE_STATUS) == NOBODY)
        return explain(uart, "no UART");
    wait_status(uart, STATUS_SENT, LOOKS / 100); /* last bytes of firmware and loader */
    if (uart->keeps_if_set && is_set_up(uart))
        uart->clock = 0;
    set_line(uart);
    if (get(uart, LINE_CONTROL) & LINE_DLAB)
        return explain(uart, "a UART that does not let go of its divisor");
    uart->has_loopback = loopback_works(uart);
    if (!uart->has_loopback && !uart->is_trusted)
        return explain(uart, "a UART that fails its loopback");
    return NULL;
}

void uart_set_rate(struct uart *uart, uint32_t rate)
{
    wait_status(uart, STATUS_SENT, LOOKS / 100);
    uart->rate = rate;
    set_line(uart);
}

static bool put(struct uart *uart, uint8_t byte)
{
    if (uart->room == 0) {
        if (!wait_status(uart, STATUS_EMPTY, LOOKS))
            return false;
        uart->room = uart->fifo_size;
    }
    uart->room--;
    set(uart, DATA, byte);
    return true;
}

bool uart_write(struct uart *uart, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' && !put(uart, '\r'))
            return false;
        if (!put(uart, (uint8_t)text[i]))
            return false;
    }
    return true;
}

char *uart_format_place(const struct uart *uart, char *text)
{
    const struct device_registers *registers = &uart->registers;
    unsigned width = registers->shape.width, stride = registers->shape.stride;

    format_string(text, UART_TEXT_SIZE, "%s %#lx", registers->memory == NULL ? "port" : "memory",
                  (unsigned long)registers->address);
    if (width > 1)
        format_append(text, UART_TEXT_SIZE, ", %u-bit accesses", width * BITS_OF_BYTES);
    if (stride > width)
        format_append(text, UART_TEXT_SIZE, ", registers %u bytes apart", stride);
    return text;
}
