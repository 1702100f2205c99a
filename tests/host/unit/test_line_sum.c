/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum of a line: every single damage shows, and so does a line in another's place. */
#include "kernel/console/log_form.h"

#include <string.h>

#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

/* Values of Python's binascii.crc_hqx(number + text, 0xffff). */
static void check_values(void)
{
    CHECK(line_sum(0x3231, "3456789", 7) == 0x29b1, "the standard's own example");
    CHECK(line_sum(0, "KTAP version 1", 14) == 0x5fad, "%x", line_sum(0, "KTAP version 1", 14));
    CHECK(line_sum(0, "", 0) == 0x1d0f, "%x", line_sum(0, "", 0));
    CHECK(line_sum(0x10000, "x", 1) == line_sum(0, "x", 1), "more than the low two bytes count");
}

static void check_every_flip(void)
{
    char text[] = "    ok 12 tr1_bts1 # SKIP no DS";
    size_t length = sizeof(text) - 1;
    uint16_t good = line_sum(77, text, length);

    for (size_t bit = 0; bit < length * 8; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        CHECK(line_sum(77, text, length) != good, "bit %zu", bit);
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < length; cut++)
        CHECK(line_sum(77, text, cut) != good, "cut to %zu", cut);
}

static void check_every_number(void)
{
    uint16_t good = line_sum(77, "ok 1 a", 6);

    for (uint32_t number = 0; number < 0x10000; number++)
        CHECK((line_sum(number, "ok 1 a", 6) == good) == (number == 77), "number %u", number);
}

int main(void)
{
    check_values();
    check_every_flip();
    check_every_number();
    return check_result();
}
