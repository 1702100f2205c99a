/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the screen shows: a page in place of the log, or two rows at the log's foot that say
 * what goes on. Where no screen is open nothing happens.
 */
#ifndef KERNEL_SCREEN_CONSOLE_SCREEN_H
#define KERNEL_SCREEN_CONSOLE_SCREEN_H

#include "kernel/console/console.h"
#include "kernel/screen/screen_page.h"

extern const struct console_sink console_screen;

/* Cuts what is longer than a row. Stands until the next one, or a page; the log moves above it. */
void console_screen_status(const char *first, const char *second, enum console_colour colour);

/* Whether the log shall stay there as long as tests run (console=log). At first: no. */
void console_screen_keep_log(bool keep);
bool console_screen_keeps_log(void);

bool console_screen_is_open(void);

/* From now on there is none. */
void console_screen_leave(void);

/* The page, as large as the screen and blank; NULL: there is no screen. */
struct screen_page *console_screen_start_page(void);

/* Shows it. From now on pages stand there, and the log is for the other sinks. */
void console_screen_show_page(void);

#endif
