/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Port E9H of emulators: a read returns E9H, a write sends one byte of the log. */
#include "kernel/console/console.h"

#include "arch/cpu/ground/insn.h"

#define DEBUGCON 0xe9u

static const char *debugcon_open(void)
{
    return insn_in8(DEBUGCON) == DEBUGCON ? NULL : "no debug console at port E9H";
}

static bool debugcon_write(const char *text, size_t length, enum console_colour colour)
{
    (void)colour;
    for (size_t i = 0; i < length; i++)
        insn_out8(DEBUGCON, (uint8_t)text[i]);
    return true;
}

const struct console_sink console_debugcon = {.open = debugcon_open, .write = debugcon_write};
