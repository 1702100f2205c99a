/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console_list.h"

#include "arch/lib/printf.h"
#include "kernel/words.h"

/* Below are the mainboard's own devices; a UART has eight ports, on a boundary of eight. */
#define PORT_LOWEST  0x100u
#define PORT_HIGHEST 0xfff8u
#define PORT_COUNT   8u

struct reader {
    struct console_list *out;
    bool rate_may_follow;
    char *error;
    size_t size;
};

static bool complain(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_string_v(reader->error, reader->size, format, arguments);
    va_end(arguments);
    return false;
}

/* In decimal it would be taken for a rate. */
static bool read_hexadecimal_port(const char *text, uint16_t *port)
{
    uint64_t number;

    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || !words_number(text, &number) ||
        number < PORT_LOWEST || number > PORT_HIGHEST || number % PORT_COUNT != 0)
        return false;
    *port = (uint16_t)number;
    return true;
}

static bool read_port(struct reader *reader, const char *text)
{
    static const char *const words[] = {"com1", "com2", "com3", "com4"};
    static const uint16_t ports[] = {SERIAL_COM1, 0x2f8, 0x3e8, 0x2e8};
    size_t i = words_index(text, words, 4);

    if (i < 4)
        reader->out->serial.port = ports[i];
    else if (!read_hexadecimal_port(text, &reader->out->serial.port))
        return complain(
            reader,
            "serial:%.60s: wants com1, com2, com3, com4 or a port such as 0x2f8 (%#x to "
            "%#x, a multiple of %u); the rate comes after a comma",
            text, PORT_LOWEST, PORT_HIGHEST, PORT_COUNT);
    return true;
}

static bool read_rate(struct reader *reader, const char *text)
{
    uint64_t rate;

    if (!reader->rate_may_follow)
        return complain(reader, "%.60s: a rate stands right behind serial or serial:PORT", text);
    if (!words_number(text, &rate) || rate < SERIAL_SLOWEST_RATE || rate > SERIAL_RATE ||
        SERIAL_RATE % rate != 0)
        return complain(reader,
                        "serial,%.60s: wants a rate from %u to %u that divides %u: 115200, 57600, "
                        "38400, 19200 or 9600",
                        text, SERIAL_SLOWEST_RATE, SERIAL_RATE, SERIAL_RATE);
    reader->rate_may_follow = false;
    reader->out->serial.rate = (uint32_t)rate;
    return true;
}

/* Cuts "serial:com2" in two; NULL when there is no colon. */
static char *cut_port(char *item)
{
    while (*item != '\0' && *item != ':')
        item++;
    if (*item == '\0')
        return NULL;
    *item = '\0';
    return item + 1;
}

static bool read_sink(struct reader *reader, char *item)
{
    static const char *const words[] = {"serial", "screen", "debugcon"};
    char *port = cut_port(item);
    size_t i = words_index(item, words, 3);
    unsigned sink = 1u << i;

    if (i == 3)
        return complain(reader, "%.60s: wants a list of serial, screen, debugcon", item);
    if (port != NULL && sink != CONSOLE_SERIAL)
        return complain(reader, "%s:%.60s: only serial has a port", item, port);
    if ((reader->out->sinks & sink) != 0)
        return complain(reader, "%s is named twice, and there is only one", item);
    reader->out->sinks |= sink;
    reader->rate_may_follow = sink == CONSOLE_SERIAL;
    return port == NULL || read_port(reader, port);
}

bool console_list_read(char *value, struct console_list *out, char *error, size_t size)
{
    struct reader reader = {.out = out, .error = error, .size = size};
    char *item;

    *out = (struct console_list){.serial = {SERIAL_COM1, SERIAL_RATE}};
    while ((item = words_next(&value)) != NULL) {
        bool is_number = item[0] >= '0' && item[0] <= '9';

        if (is_number ? !read_rate(&reader, item) : !read_sink(&reader, item))
            return false;
    }
    return true;
}
