/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up UARTs (uart_part.h), in ports and memory, of every width and stride, at any rate: sound,
 * without FIFO, absent, broken, dying in mid-line, vanishing. */
#include "tests/host/unit/check.h"
#include "tests/host/unit/uart_part.h"

/* The files under test, over the accesses of uart_part.h instead of the processor's. */
#define ARCH_CPU_GROUND_INSN_H
#include "arch/cpu/ground/device_registers.c"
#include "kernel/console/uart.c"
#include "kernel/console/console_sinks.c"

static uint32_t rate = SERIAL_RATE;

static void set_up(struct part state)
{
    part = state;
    part.base = part.base == 0 && !part.in_memory ? SERIAL_COM1 : part.base;
    part.divisor[1] = 0xa5;
}

static const char *open_anew(struct part state)
{
    set_up(state);
    console_serial_choose(&(struct serial_line){.port = (uint16_t)part.base, .rate = rate});
    return console_serial.open();
}

static bool write_text(const char *text)
{
    return console_serial.write(text, strlen(text), COLOUR_PLAIN);
}

static void check_sound(bool no_fifo)
{
    CHECK(open_anew((struct part){.no_fifo = no_fifo}) == NULL, "not opened");
    CHECK(part.sent_count == 0, "the loopback reached the line");
    for (int i = 0; i < 20; i++)
        CHECK(write_text("a line longer than the FIFO\n"), "given up");
    CHECK(part.sent_count == 20 * 29, "%u bytes", part.sent_count);
    CHECK(strncmp(part.sent, "a line longer than the FIFO\r\na line", 35) == 0, "%.40s", part.sent);
    CHECK(part.overruns == 0, "%u overruns", part.overruns);
}

static void check_absent(void)
{
    const char *why = open_anew((struct part){.absent = true});

    CHECK(why != NULL && strstr(why, "no UART at port 0x3f8") != NULL, "%s", why ? why : "opened");
    why = open_anew((struct part){.absent = true, .base = 0x2e8});
    CHECK(why != NULL &&
              strstr(why, "no UART at port 0x2e8; console=serial:PORT names another") != NULL,
          "%s", why ? why : "opened");
    why = open_anew((struct part){.loop_broken = true, .base = 0x2f8});
    CHECK(why != NULL && strstr(why, "loopback at port 0x2f8") != NULL, "%s", why ? why : "opened");
    CHECK(part.modem == MODEM_READY, "left in loopback: %02x", part.modem);
    for (unsigned bit = 0; bit < 8; bit++)
        CHECK(open_anew((struct part){.stuck_bits = (uint8_t)(1u << bit)}) != NULL, "bit %u", bit);
}

static void check_death(void)
{
    CHECK(open_anew((struct part){.stuck_after = 40}) == NULL, "not opened");
    CHECK(write_text("0123456789"), "given up too early");
    CHECK(!write_text("01234567890123456789012345678901234567890123456789"), "not given up");
    CHECK(part.looks < 2 * LOOKS, "%u looks", part.looks);
    CHECK(console_slowest_rate() == 0, "still counted as open");
}

/* All its registers read FFH, the bit for an empty transmitter too. */
static void check_vanishing(void)
{
    CHECK(open_anew((struct part){.vanishes_after = 40}) == NULL, "not opened");
    CHECK(write_text("0123456789"), "given up too early");
    CHECK(!write_text("01234567890123456789012345678901234567890123456789"), "not noticed");
    CHECK(part.looks < 1000, "%u looks", part.looks);
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
            CHECK(open_anew((struct part){.base = ports[i]}) == NULL, "port %#x", ports[i]);
            CHECK(part.divisor[0] == divisor && part.divisor[1] == 0, "%u baud", rate);
            CHECK((part.line & DLAB_BIT) == 0, "line control %02x", part.line);
            CHECK(write_text("one line\n") && strncmp(part.sent, "one line\r\n", 10) == 0, "%s",
                  part.sent);
            CHECK(part.foreign == 0, "port %#x: %u accesses elsewhere", ports[i], part.foreign);
        }
    }
    rate = SERIAL_RATE;
}

static const char *open_other(struct uart uart, struct part state, const char *source)
{
    set_up(state);
    uart.registers.address = state.in_memory ? 0xfe030000 : state.base;
    uart.registers.memory = state.in_memory ? memory + state.base : NULL;
    console_uart_choose(&uart, source);
    return console_uart.open();
}

static struct uart standard(unsigned width, unsigned stride)
{
    return (struct uart){
        .registers.shape = {(uint8_t)width, (uint8_t)stride}, .clock = UART_CLOCK, .rate = 57600};
}

static void check_shape(bool in_memory, unsigned width, unsigned stride)
{
    struct part state = {.base = 0x400, .in_memory = in_memory, .width = width, .stride = stride};

    CHECK(open_other(standard(width, stride), state, "SPCR") == NULL, "%u bytes, %u apart", width,
          stride);
    CHECK(part.divisor[0] == 2 && part.divisor[1] == 0 && part.interrupts == 0, "not set up");
    CHECK(console_uart.write("text\n", 5, COLOUR_PLAIN) && strcmp(part.sent, "text\r\n") == 0, "%s",
          part.sent);
    CHECK(part.foreign == 0, "%u accesses elsewhere", part.foreign);
    for (unsigned other_width = 1; other_width <= 4; other_width *= 2) {
        if (other_width == width && width == stride)
            continue;
        CHECK(open_other(standard(other_width, other_width), state, "SPCR") != NULL,
              "%u bytes wide, taken for %u", width, other_width);
        CHECK(part.sent_count == 0, "something was sent");
    }
}

static void check_shapes(void)
{
    for (unsigned width = 1; width <= 4; width *= 2) {
        for (unsigned stride = width; stride <= 4; stride *= 2) {
            check_shape(true, width, stride);
            check_shape(false, width, stride);
        }
    }
}

static void expect_description(const char *expected)
{
    char text[SERIAL_TEXT_SIZE];

    CHECK_TEXT(console_serial_describe(CONSOLE_UART, text), expected);
}

/* A divisor whose clock is not known stays, whatever rate is asked for. */
static void check_clocks(void)
{
    struct part in_ports = {.base = 0x2f8, .divisor = {0}};
    struct uart uart = standard(1, 1);

    CHECK(open_other(uart, in_ports, "SPCR") == NULL, "not opened");
    expect_description("16550 at port 0x2f8 (SPCR), 57600 baud");
    uart.clock = 0;
    CHECK(open_other(uart, in_ports, "DBG2") == NULL, "not opened");
    CHECK(part.divisor[1] == 0xa5, "an unknown clock's divisor was changed");
    expect_description("16550 at port 0x2f8 (DBG2), its rate as the firmware left it");
    uart.said_rate = 9600;
    CHECK(open_other(uart, in_ports, "SPCR") == NULL && console_slowest_rate() == 9600, "%u",
          console_slowest_rate());
    expect_description("16550 at port 0x2f8 (SPCR), 9600 baud as the firmware left it");
    uart.clock = UART_CLOCK;
    uart.rate = UART_KEEP_RATE;
    CHECK(open_other(uart, in_ports, "SPCR") == NULL, "not opened");
    CHECK(part.divisor[1] == 0xa5, "a divisor to be kept was changed");
    expect_description("16550 at port 0x2f8 (SPCR), 2 baud");
    uart.clock = 48000000;
    uart.rate = 115200; /* 26.04 */
    CHECK(open_other(uart, in_ports, "SPCR") == NULL && part.divisor[0] == 26, "%u",
          part.divisor[0]);
    uart.rate = 2000000; /* 1.5: neither 1 nor 2 will do */
    CHECK(!uart_can(&uart, uart.rate) && open_other(uart, in_ports, "SPCR") == NULL, "not opened");
    CHECK(part.divisor[1] == 0xa5, "%u", part.divisor[0]);
    CHECK(!uart_can(&uart, UINT32_MAX) && !uart_can(&uart, 1) && uart_can(&uart, 3000000), "rates");
}

/* A card with an unknown clock that firmware set up, and one after reset, or stopped. */
static void check_set_up(void)
{
    static const struct {
        uint8_t line, high, kept;
    } rows[] = {{LINE_8N1, 0xa5, true},
                {0x1b, 0xa5, true},
                {0x00, 0xa5, false},
                {0x02, 0xa5, false},
                {LINE_8N1, 0x00, false}};
    struct uart uart = standard(1, 1);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uart.keeps_if_set = true;
        set_up((struct part){.base = 0x2f8, .line = rows[i].line});
        part.divisor[1] = rows[i].high;
        uart.registers.address = part.base;
        console_uart_choose(&uart, "PCI 00:04.0");
        CHECK(console_uart.open() == NULL, "row %zu is not opened", i);
        CHECK((part.divisor[1] == 0xa5) == rows[i].kept, "row %zu: %02x", i, part.divisor[1]);
        CHECK(part.line == LINE_8N1 && part.sent_count == 0, "row %zu: %02x", i, part.line);
        expect_description(
            rows[i].kept ? "16550 at port 0x2f8 (PCI 00:04.0), its rate as the firmware left it"
                         : "16550 at port 0x2f8 (PCI 00:04.0), 57600 baud");
    }
}

/* It ignores its line control for a while, from one of the writes on, or for ever. */
static void check_busy(void)
{
    struct uart uart = standard(1, 1);

    for (unsigned from = 0; from < 3; from++) {
        struct part state = {.base = 0x2f8, .line = LINE_8N1, .busy = 7, .busy_at = from};

        CHECK(open_other(uart, state, "SPCR") == NULL, "not opened");
        CHECK(part.line == LINE_8N1 && part.divisor[0] == 2 && part.divisor[1] == 0,
              "%02x %02x%02x", part.line, part.divisor[1], part.divisor[0]);
        CHECK(part.sent_count == 0, "%u bytes sent, busy from %u on", part.sent_count, from);
    }
    for (unsigned from = 0; from < 2; from++) {
        struct part state = {.base = 0x2f8, .line = LINE_8N1, .busy = UINT_MAX, .busy_at = from};

        CHECK(open_other(uart, state, "SPCR") == NULL, "not opened");
        CHECK(part.divisor[1] == 0xa5 && part.sent_count == 0, "%u bytes sent", part.sent_count);
        expect_description("16550 at port 0x2f8 (SPCR), its rate as the firmware left it");
    }
    struct part held = {.base = 0x2f8, .line = LINE_8N1, .busy = UINT_MAX, .busy_at = 2};
    const char *why = open_other(uart, held, "SPCR");

    CHECK(why != NULL && strstr(why, "does not let go of its divisor") != NULL, "%s", why);
}

/* A UART that the user names is trusted: a virtual one may have no loopback. */
static void check_trust(void)
{
    struct uart uart = standard(4, 4);
    struct part state = {
        .base = 0x200, .in_memory = true, .width = 4, .stride = 4, .loop_broken = true};

    CHECK(open_other(uart, state, "PCI 00:16.3") != NULL, "opened");
    uart.is_trusted = true;
    CHECK(open_other(uart, state, "SPCR") == NULL, "not opened");
    expect_description(
        "16550 at memory 0xfe030000, 32-bit accesses (SPCR), 57600 baud, fails its loopback");
    state.absent = true;
    CHECK(open_other(uart, state, "SPCR") != NULL, "opened, and there is none");
}

/* What the rate changes to is said at the rate before. */
static void check_following(void)
{
    CHECK(open_anew((struct part){.no_fifo = false}) == NULL, "not opened");
    console_serial_follow(57600, "SPCR");
    CHECK(part.divisor[0] == 2 && console_slowest_rate() == 57600, "%u", part.divisor[0]);
    CHECK_TEXT(part.sent, "\r\n# console: 57600 baud from here on (SPCR)\r\n");
    console_serial_follow(UART_KEEP_RATE, "SPCR");
    CHECK(part.divisor[0] == 2, "%u", part.divisor[0]);
    console_serial_follow(57600, "SPCR");
    CHECK(part.sent_count == strlen(part.sent), "said twice: %s", part.sent);
}

/* A byte that takes longer was disturbed: something else had the processor. */
static void check_speed(void)
{
    struct uart uart = standard(1, 1);
    struct part slow = {.base = 0x200, .in_memory = true, .byte_ticks = 900, .quick_ticks = 300};

    set_up((struct part){.absent = true});
    CHECK(console_serial.open() != NULL, "opened");
    CHECK(open_other(uart, (struct part){.absent = true}, "SPCR") != NULL, "opened");
    CHECK(console_byte_ticks() == 0, "of no UART: %lu", console_byte_ticks());
    for (unsigned at = 0; at < 16; at++) {
        struct part busy = {.byte_ticks = 1000, .quick_ticks = 200, .quick_at = at};

        CHECK(open_anew(busy) == NULL, "not opened");
        CHECK(console_byte_ticks() == 200, "%u: %lu", at, console_byte_ticks());
    }
    CHECK(open_other(uart, slow, "SPCR") == NULL, "not opened");
    CHECK(console_byte_ticks() == 300, "not the slower one: %lu", console_byte_ticks());
    uart.is_trusted = slow.loop_broken = true;
    CHECK(open_other(uart, slow, "SPCR") == NULL, "not opened");
    CHECK(console_byte_ticks() == UINT64_MAX, "measured: %lu", console_byte_ticks());
}

int main(void)
{
    check_sound(false);
    check_sound(true);
    check_absent();
    check_death();
    check_vanishing();
    check_ports_and_rates();
    check_shapes();
    check_clocks();
    check_busy();
    check_set_up();
    check_trust();
    check_following();
    check_speed();
    return check_result();
}
