/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows the pages at the end of a run, and turns them while the machine stays on. */
#ifndef KERNEL_SCREEN_PAGER_H
#define KERNEL_SCREEN_PAGER_H

#include "kernel/screen/end_page.h"

/* Shows the first page. The report must stay valid; its foot may change. */
void pager_start(const struct end_report *report);

/* Draws the page again, with changes. */
void pager_again(void);

/*
 * Turns pages by keys, or by itself until a key is pressed; halts the processor meanwhile. Returns
 * if there is nothing to turn, or no timer to wake it.
 */
void pager_run(void);

enum keyboard_key {
    KEY_NONE,
    KEY_BACK, /* cursor up or left, page up, backspace */
    KEY_OTHER,
};

/* Returns the last key that was pressed since the last call, or KEY_NONE. Polls a PS/2 keyboard, or
 * a USB one that the firmware presents as a PS/2 one. Never waits. */
enum keyboard_key keyboard_read(void);

#endif
