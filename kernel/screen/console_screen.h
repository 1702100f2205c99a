/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the screen shows: a page in place of the log, or two status rows below the log. Nothing
 * happens if no screen is open.
 */
#ifndef KERNEL_SCREEN_CONSOLE_SCREEN_H
#define KERNEL_SCREEN_CONSOLE_SCREEN_H

#include "kernel/console/console.h"
#include "kernel/screen/screen_page.h"

extern const struct console_sink console_screen;

/* Shows two rows, cut to the screen's width, until the next call or a page; the log scrolls
 * above. */
void console_screen_status(const char *first, const char *second, enum console_colour colour);

/* Shall the screen show the log while tests run (console=log)? The default is no. */
void console_screen_keep_log(bool keep);
bool console_screen_keeps_log(void);

bool console_screen_is_open(void);

/* A blank page as large as the screen; NULL if there is no screen. */
struct screen_page *console_screen_start_page(void);

/* Shows the page. From then on the log goes only to the other sinks. */
void console_screen_show_page(void);

#endif
