/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys are distinguished from the mouse, from released keys, and from a missing controller; one
 * that never runs dry does not block. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

#define FOR_EVER 1000000u

static const uint8_t *waiting; /* pairs of status and byte */
static unsigned left, reads;

static uint8_t insn_in8(uint16_t port)
{
    CHECK(port == 0x60 || port == 0x64, "port %x", port);
    CHECK(++reads < 1000, "it is read for ever");
    if (port == 0x64)
        return left == 0 ? 0x1c : waiting[0];
    if (left != FOR_EVER) {
        waiting += 2;
        left--;
    }
    return waiting[left == FOR_EVER ? 1 : -1];
}

/* The file under test, over the port instruction above instead of the processor's. */
#define ARCH_CPU_GROUND_INSN_H
#include "kernel/screen/keyboard.c"

static void expect(const char *what, const uint8_t *bytes, unsigned count, enum keyboard_key key)
{
    enum keyboard_key got;

    waiting = bytes;
    left = count;
    reads = 0;
    got = keyboard_read();
    CHECK(got == key, "%s: %d", what, got);
}

int main(void)
{
    expect("nothing", NULL, 0, KEY_NONE);
    expect("no controller", (const uint8_t[]){0xff, 0xff}, FOR_EVER, KEY_NONE);
    expect("space", (const uint8_t[]){0x1d, 0x39}, 1, KEY_OTHER);
    expect("space let go", (const uint8_t[]){0x1d, 0xb9}, 1, KEY_NONE);
    expect("space and let go", (const uint8_t[]){0x1d, 0x39, 0x1d, 0xb9}, 2, KEY_OTHER);
    expect("page up", (const uint8_t[]){0x1d, 0xe0, 0x1d, 0x49}, 2, KEY_BACK);
    expect("page up let go", (const uint8_t[]){0x1d, 0xe0, 0x1d, 0xc9}, 2, KEY_NONE);
    expect("r", (const uint8_t[]){0x1d, 0x13}, 1, KEY_RESTART);
    expect("r let go", (const uint8_t[]){0x1d, 0x93}, 1, KEY_NONE);
    expect("cursor left", (const uint8_t[]){0x1d, 0x4b}, 1, KEY_BACK);
    expect("page down", (const uint8_t[]){0x1d, 0xe0, 0x1d, 0x51}, 2, KEY_OTHER);
    expect("a mouse", (const uint8_t[]){0x3d, 0x08, 0x3d, 0x09, 0x3d, 0x00}, 3, KEY_NONE);
    expect("a key that never ends", (const uint8_t[]){0x1d, 0x39}, FOR_EVER, KEY_OTHER);
    CHECK(reads <= 32, "%u reads", reads);
    return check_result();
}
