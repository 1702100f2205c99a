/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each line to every sink, and to one that opens later what came before. */
#include "kernel/console/console.h"

#include "kernel/screen/console_screen.h"
#include "tests/host/unit/check.h"

#define SINKS 4u

static struct sink {
    const char *why; /* it cannot be opened */
    bool dies;
    unsigned opened;
    char text[16384];
    size_t length;
} serial, screen, debugcon, uart;

static const char *open_sink(struct sink *sink)
{
    sink->opened++;
    return sink->why;
}

static bool write_sink(struct sink *sink, const char *text, size_t length)
{
    memcpy(sink->text + sink->length, text, length);
    sink->length += length;
    return !sink->dies;
}

#define SINK(name)                                                                                 \
    static const char *open_##name(void)                                                           \
    {                                                                                              \
        return open_sink(&name);                                                                   \
    }                                                                                              \
    static bool write_##name(const char *text, size_t length, enum console_colour colour)          \
    {                                                                                              \
        (void)colour;                                                                              \
        return write_sink(&name, text, length);                                                    \
    }                                                                                              \
    const struct console_sink console_##name = {open_##name, write_##name, screen_leave};

static bool screen_is_left;

static void screen_leave(void)
{
    screen_is_left = true;
}

SINK(serial)
SINK(screen)
SINK(debugcon)
SINK(uart)

static void say(const char *text)
{
    console_write(text, strlen(text), COLOUR_PLAIN);
}

/* Nobody is there at first; then one that is, one that is not, and one that dies of it. */
static void check_late_sinks(void)
{
    console_open(0);
    say("first\n");
    CHECK(!console_is_open(), "open");
    debugcon.why = "none";
    console_open(CONSOLE_SERIAL | CONSOLE_DEBUGCON);
    CHECK_TEXT(serial.text, "first\n");
    CHECK(debugcon.length == 0 && strcmp(console_problem(CONSOLE_DEBUGCON), "none") == 0, "told");
    say("second\n");
    CHECK_TEXT(serial.text, "first\nsecond\n");
    screen.dies = true;
    console_open(CONSOLE_SCREEN | CONSOLE_SERIAL);
    CHECK(!console_is_in_use(CONSOLE_SCREEN) && console_problem(CONSOLE_SCREEN) != NULL, "in use");
    CHECK(serial.opened == 1 && strcmp(serial.text, "first\nsecond\n") == 0, "said twice");
    screen.dies = false;
    screen.length = 0;
    memset(screen.text, 0, sizeof(screen.text));
    console_open(CONSOLE_SCREEN);
    CHECK_TEXT(screen.text, "first\nsecond\n");
    CHECK(console_problem(CONSOLE_SCREEN) == NULL, "still a problem");
}

/* Prints to some sinks; text for the screen alone is not kept for the others. */
static void check_set(void)
{
    size_t before[] = {serial.length, screen.length};

    console_write_to(CONSOLE_SCREEN, "s\n", 2, COLOUR_PLAIN);
    CHECK(serial.length == before[0] && screen.length == before[1] + 2, "not to the screen alone");
    console_write_to(~(unsigned)CONSOLE_SCREEN, "o", 1, COLOUR_PLAIN);
    CHECK(serial.length == before[0] + 1 && screen.length == before[1] + 2, "not to the others");
    console_fresh_line();
    CHECK_TEXT(serial.text + before[0], "o\n");
}

/* What there is no room for is left out whole, and the late sink says so. */
static void check_limit(void)
{
    char line[101];

    memset(line, 'x', 99);
    line[99] = '\n';
    line[100] = '\0';
    for (unsigned i = 0; i < 100; i++)
        say(line);
    CHECK(serial.length == 15 + 100 * 100, "%zu bytes", serial.length);
    console_open(CONSOLE_UART);
    CHECK(uart.length > 3000 && uart.length < 5000, "%zu bytes", uart.length);
    CHECK(strncmp(uart.text, "first\nsecond\no\nxxx", 18) == 0, "%.20s", uart.text);
    CHECK(strstr(uart.text, "x\n\n# console: what came between is not shown here\n") != NULL, "%s",
          uart.text);
    say("last\n");
    CHECK(strcmp(uart.text + uart.length - 5, "last\n") == 0, "not the newest");
}

static void check_death(void)
{
    serial.dies = true;
    say("a\n");
    say("b\n");
    CHECK(strcmp(serial.text + serial.length - 2, "a\n") == 0, "written after its death");
    CHECK(!console_is_in_use(CONSOLE_SERIAL) && console_is_open(), "in use");
    CHECK_TEXT(console_problem(CONSOLE_SERIAL), "stopped taking bytes");
}

/* Another processor's kernel says nothing by itself, to whoever comes later either. */
static void check_leaving(void)
{
    size_t before = uart.length;

    console_leave();
    say("unheard\n");
    CHECK(uart.length == before && !console_is_open() && screen_is_left, "said");
    serial.dies = false;
    memset(&serial, 0, sizeof(serial));
    console_open(CONSOLE_SERIAL);
    CHECK(strstr(serial.text, "unheard") == NULL, "kept");
}

int main(void)
{
    console_add_screen(&console_screen);
    check_late_sinks();
    check_set();
    check_limit();
    check_death();
    check_leaving();
    return check_result();
}
