/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the pages at the end of a run, and turns them while the machine stays on. */
#ifndef KERNEL_SCREEN_PAGER_H
#define KERNEL_SCREEN_PAGER_H

#include <stdbool.h>

#include "kernel/screen/end_page.h"

/* Shows the first page. The report must stay valid; its foot may change, and pager_run() changes
 * has_keys. */
void pager_start(struct end_report *report);

/* Draws the page again, with changes. */
void pager_again(void);

/*
 * Turns pages by keys, or by itself until a key is pressed; halts the processor meanwhile. Returns
 * true once the key for a restart is pressed, and false at once if no page is shown, or if there is
 * no timer to wake it.
 */
bool pager_run(void);

enum keyboard_key {
    KEY_NONE,
    KEY_BACK,    /* cursor up or left, page up, backspace */
    KEY_RESTART, /* r */
    KEY_OTHER,
};

/* Returns the last key that was pressed since the last call, or KEY_NONE. Polls a PS/2 keyboard, or
 * a USB one that the firmware presents as a PS/2 one. Never waits. */
enum keyboard_key keyboard_read(void);

#endif
