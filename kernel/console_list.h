/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value of console=: sinks with commas between, "serial,screen". The serial line may have a
 * port and a rate, "serial:com2,57600,screen": no sink begins with a digit, so a number is the rate
 * of the serial line before it. Pure.
 */
#ifndef KERNEL_CONSOLE_LIST_H
#define KERNEL_CONSOLE_LIST_H

#include "kernel/console.h"

struct console_list {
    unsigned sinks; /* enum console_sinks */
    struct serial_line serial;
};

/* Takes value apart. False, and in error (size bytes) what is refused and what is allowed. */
bool console_list_read(char *value, struct console_list *out, char *error, size_t size);

#endif
