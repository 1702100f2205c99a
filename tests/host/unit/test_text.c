/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: arch/cpu/text.c */
/* Does the text builder write the digits asked for, and never past its buffer? */
#include "arch/cpu/text.h"
#include "tests/host/unit/check.h"

static void check_numbers(void)
{
    char buffer[64];
    struct text text = text_start(buffer, sizeof(buffer));
    text_add(&text, "a ");
    text_add_decimal(&text, 0);
    text_add(&text, " ");
    text_add_decimal(&text, UINT64_MAX);
    text_add(&text, " ");
    text_add_hex(&text, 0x1a0, 1);
    text_add(&text, " ");
    text_add_hex(&text, 0xa, 2);
    CHECK_TEXT(buffer, "a 0 18446744073709551615 1A0 0A");
}

static void check_bounds(void)
{
    for (size_t size = 1; size <= 8; size++) {
        char buffer[9];
        memset(buffer, '#', sizeof(buffer));
        struct text text = text_start(buffer, size);
        text_add(&text, "abc");
        text_add_hex(&text, 0x123456, 6);
        CHECK(strlen(buffer) == size - 1, "size %zu: '%s'", size, buffer);
        CHECK(strncmp(buffer, "abc123456", size - 1) == 0, "size %zu: '%s'", size, buffer);
        CHECK(buffer[size] == '#', "size %zu: written past the end", size);
    }
}

int main(void)
{
    check_numbers();
    check_bounds();
    return check_result();
}
