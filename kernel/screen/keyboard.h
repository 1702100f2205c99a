/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Polls a PS/2 keyboard, or a USB one that the firmware shows as such. Never waits. */
#ifndef KERNEL_SCREEN_KEYBOARD_H
#define KERNEL_SCREEN_KEYBOARD_H

enum keyboard_key {
    KEY_NONE,
    KEY_BACK, /* cursor up or left, page up, backspace */
    KEY_OTHER,
};

/* A key pressed since the last call. */
enum keyboard_key keyboard_read(void);

#endif
