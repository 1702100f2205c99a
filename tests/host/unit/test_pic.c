/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two 8259s made up here: where their vectors go, and what a spurious interrupt gets. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/check.h"

static struct chip {
    uint8_t words[4]; /* of the initialization */
    unsigned word_count;
    uint8_t mask, in_service, select;
    unsigned ends;
} chips[2];
static bool absent;

static struct chip *chip_of(uint16_t port)
{
    CHECK((port | 0x81) == 0xa1, "port %#x", port);
    return &chips[port >> 7 & 1];
}

static uint8_t insn_in8(uint16_t port)
{
    struct chip *chip = chip_of(port);

    CHECK(chip->select == 0x0b, "the requests are read, not what is in service");
    return absent ? 0xff : chip->in_service;
}

/* The lowest bit is the highest one. */
static void end(struct chip *chip)
{
    chip->ends++;
    chip->in_service &= (uint8_t)(chip->in_service - 1);
}

static void write_command(struct chip *chip, uint8_t value)
{
    if (value & 0x10) {
        chip->words[0] = value;
        chip->word_count = 1;
        chip->mask = 0; /* as the first word makes it */
    } else if (value & 0x08) {
        chip->select = value;
    } else if (value == 0x20) {
        end(chip);
    } else {
        CHECK(false, "command %#x", value);
    }
}

static void insn_out8(uint16_t port, uint8_t value)
{
    struct chip *chip = chip_of(port);

    if (!(port & 1))
        write_command(chip, value);
    else if (chip->word_count > 0 && chip->word_count < 4)
        chip->words[chip->word_count++] = value;
    else
        chip->mask = value;
}

#define ARCH_CPU_GROUND_INSN_H
#include "arch/cpu/apic/pic.c"

static void check_init(void)
{
    memset(chips, 0, sizeof(chips));
    pic_init();
    for (unsigned i = 0; i < 2; i++) {
        CHECK(chips[i].word_count == 4 && chips[i].words[0] == 0x11 && chips[i].words[3] == 1,
              "words of %u", i);
        CHECK(chips[i].words[1] == 0x20 + 8 * i, "vector %#x", chips[i].words[1]);
        CHECK(chips[i].mask == 0xff, "mask %#x", chips[i].mask);
    }
    CHECK(chips[0].words[2] == 4 && chips[1].words[2] == 2, "wiring");
}

static void check_end(unsigned input, unsigned first, unsigned second, unsigned ends_first,
                      unsigned ends_second)
{
    memset(chips, 0, sizeof(chips));
    chips[0].in_service = (uint8_t)first;
    chips[1].in_service = (uint8_t)second;
    CHECK(pic_end((uint8_t)(PIC_VECTOR + input)), "input %u is no input", input);
    CHECK(chips[0].ends == ends_first && chips[1].ends == ends_second, "input %u: %u and %u ends",
          input, chips[0].ends, chips[1].ends);
}

int main(void)
{
    check_init();
    for (unsigned input = 0; input < 8; input++) {
        check_end(input, 1u << input, 0, 1, 0);
        check_end(input, 0, 0, 0, 0);
        check_end(input, 0xffu & ~(1u << input), 0, 0, 0);
        check_end(8 + input, 4, 1u << input, 1, 1);
        check_end(8 + input, 4, 0, 1, 0);
        check_end(8 + input, 4, 0xffu & ~(1u << input), 1, 0);
    }
    CHECK(!pic_end(0x1f) && !pic_end(0x30) && !pic_end(0xff) && !pic_end(0), "none of theirs");
    return check_result();
}
