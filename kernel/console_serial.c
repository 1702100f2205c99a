/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A UART, 8N1 (F14.13). A port that is not there fails the scratch register or the loopback; one
 * that stops taking bytes is given up after a bounded number of looks at its status.
 */
#include "kernel/console.h"

#include <stdint.h>

#include "arch/cpu/insn.h"
#include "arch/lib/printf.h"

#define DATA             0u /* and the divisor's low byte while DLAB is set */
#define INTERRUPT_ENABLE 1u /* and the divisor's high byte */
#define FIFO_CONTROL     2u /* read: interrupt identification */
#define LINE_CONTROL     3u
#define MODEM_CONTROL    4u
#define LINE_STATUS      5u
#define SCRATCH          7u

#define LINE_8N1      0x03
#define LINE_DLAB     0x80
#define FIFO_ON_EMPTY 0xc7
#define FIFO_IS_ON    0xc0 /* read back, both bits */
#define FIFO_SIZE     16u  /* bytes */
#define MODEM_READY   0x0b /* DTR, RTS, OUT2 */
#define MODEM_LOOP    0x1e /* loopback with RTS, OUT1, OUT2 */
#define STATUS_DATA   0x01
#define STATUS_EMPTY  0x20

/* A look takes about a microsecond on a real bus, a byte 87, or 1042 at the slowest rate: this is
 * seconds of a stuck port. */
#define LOOKS 3000000u

#define WHY_SIZE 80u

static struct serial_line line = {SERIAL_COM1, SERIAL_RATE};
static unsigned fifo_size; /* bytes that an empty transmitter takes */
static unsigned room;      /* of those, how many it still takes for certain */

static uint8_t get(unsigned offset)
{
    return insn_in8((uint16_t)(line.port + offset));
}

static void set(unsigned offset, uint8_t value)
{
    insn_out8((uint16_t)(line.port + offset), value);
}

static bool wait_status(uint8_t bit, unsigned looks)
{
    while (looks-- > 0) {
        if ((get(LINE_STATUS) & bit) != 0)
            return true;
    }
    return false;
}

static bool scratch_holds(uint8_t value)
{
    set(SCRATCH, value);
    return get(SCRATCH) == value;
}

/* A byte sent to itself must come back within some hundreds of byte times. */
static bool loopback_works(uint8_t value)
{
    set(DATA, value);
    return wait_status(STATUS_DATA, LOOKS / 100) && get(DATA) == value;
}

static void set_line(void)
{
    uint32_t divisor = SERIAL_RATE / line.rate;

    set(INTERRUPT_ENABLE, 0);
    set(LINE_CONTROL, LINE_DLAB);
    set(DATA, (uint8_t)divisor);
    set(INTERRUPT_ENABLE, (uint8_t)(divisor >> 8));
    set(LINE_CONTROL, LINE_8N1);
    set(FIFO_CONTROL, FIFO_ON_EMPTY);
    fifo_size = (get(FIFO_CONTROL) & FIFO_IS_ON) == FIFO_IS_ON ? FIFO_SIZE : 1;
}

void console_serial_choose(const struct serial_line *chosen)
{
    line = *chosen;
}

static const char *explain(const char *what, const char *advice)
{
    static char why[WHY_SIZE];

    format_string(why, sizeof(why), "%s at port %#x%s", what, line.port, advice);
    return why;
}

static const char *serial_open(void)
{
    bool works;

    if (!scratch_holds(0x5a) || !scratch_holds(0xa5))
        return explain("no UART", "; console=serial:PORT names another");
    set_line();
    set(MODEM_CONTROL, MODEM_LOOP);
    works = loopback_works(0x5a) && loopback_works(0xa5);
    set(MODEM_CONTROL, MODEM_READY);
    return works ? NULL : explain("a UART that fails its loopback", "");
}

static bool put(uint8_t byte)
{
    if (room == 0) {
        if (!wait_status(STATUS_EMPTY, LOOKS))
            return false;
        room = fifo_size;
    }
    room--;
    set(DATA, byte);
    return true;
}

static bool serial_write(const char *text, size_t length, enum console_colour colour)
{
    (void)colour;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' && !put('\r'))
            return false;
        if (!put((uint8_t)text[i]))
            return false;
    }
    return true;
}

const struct console_sink console_serial = {serial_open, serial_write};
