/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the screen shows: two rows at its foot that say what goes on, and at the end a page in
 * place of the log. Where no screen is open nothing happens.
 */
#ifndef KERNEL_CONSOLE_SCREEN_H
#define KERNEL_CONSOLE_SCREEN_H

#include "kernel/console.h"
#include "kernel/screen_page.h"

/* Cuts what is longer than a row. Stands until the next one, the log moves above it. */
void console_screen_status(const char *first, const char *second, enum console_colour colour);

/* Makes the page as large as the screen above its foot, and empty; false: there is no screen. */
bool console_screen_start_page(struct screen_page *page);

/* From now on the page stands there, and the log is for the other sinks. */
void console_screen_show_page(const struct screen_page *page);

#endif
