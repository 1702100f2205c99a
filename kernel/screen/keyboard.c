/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/pager.h"

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/ground/insn.h"

#define DATA_PORT   0x60u
#define STATUS_PORT 0x64u
#define STATUS_FULL 0x01u /* a byte waits */
#define FROM_MOUSE  0x20u /* … and is the mouse's */
#define RELEASED    0x80u /* in a code: a release, or more of the code follows */
#define BYTES_MOST  16u   /* that its controller holds */

/* Codes of set 1; the controller translates to it. */
#define CODE_BACKSPACE 0x0eu
#define CODE_R         0x13u
#define CODE_UP        0x48u
#define CODE_PAGE_UP   0x49u
#define CODE_LEFT      0x4bu

static bool goes_back(uint8_t code)
{
    return code == CODE_BACKSPACE || code == CODE_UP || code == CODE_PAGE_UP || code == CODE_LEFT;
}

/* Without a controller all bits read as 1, as if the mouse had sent a byte. */
enum keyboard_key keyboard_read(void)
{
    enum keyboard_key key = KEY_NONE;

    for (unsigned i = 0; i < BYTES_MOST; i++) {
        uint8_t status = insn_in8(STATUS_PORT), code;

        if (!(status & STATUS_FULL))
            break;
        code = insn_in8(DATA_PORT);
        if (!(status & FROM_MOUSE) && !(code & RELEASED))
            key = goes_back(code) ? KEY_BACK : code == CODE_R ? KEY_RESTART : KEY_OTHER;
    }
    return key;
}
