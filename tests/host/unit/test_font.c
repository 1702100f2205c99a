/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Letters stay readable on screens of every size; what is no letter is a question mark. */
#include "kernel/screen/screen.h"

#include "tests/host/unit/check.h"

static void check_known_screens(void)
{
    static const struct {
        unsigned width, height, scale;
    } screens[] = {
        {320, 200, 1},   {640, 480, 1},   {800, 600, 1},   {1024, 768, 1},  {1280, 720, 1},
        {1280, 800, 2},  {1280, 1024, 2}, {1366, 768, 1},  {1440, 900, 2},  {1600, 900, 2},
        {1600, 1200, 2}, {1680, 1050, 2}, {1920, 1080, 2}, {1920, 1200, 2}, {2560, 1440, 3},
        {2560, 1600, 3}, {3440, 1440, 3}, {3840, 2160, 4}, {5120, 1440, 3}, {5120, 2880, 5},
        {7680, 4320, 8},
    };

    for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++)
        CHECK(font_scale(screens[i].width, screens[i].height) == screens[i].scale, "%ux%u: %u",
              screens[i].width, screens[i].height, font_scale(screens[i].width, screens[i].height));
}

/* Larger letters never leave fewer than 80 columns or 25 rows. */
static void check_every_screen(void)
{
    for (unsigned width = 1; width <= 16384; width += 1 + width / 40) {
        for (unsigned height = 1; height <= 16384; height += 1 + height / 40) {
            unsigned scale = font_scale(width, height);

            CHECK(scale >= 1 && scale <= FONT_SCALE_MOST, "%ux%u: %u", width, height, scale);
            CHECK(scale == 1 || (width / (8 * scale) >= 80 && height / (16 * scale) >= 25),
                  "%ux%u: %u", width, height, scale);
        }
    }
}

static unsigned dots(uint8_t character)
{
    unsigned count = 0;

    for (unsigned row = 0; row < FONT_HEIGHT; row++)
        count += (unsigned)__builtin_popcount(font_row(character, row));
    return count;
}

static void check_shapes(void)
{
    CHECK(dots(SCREEN_FULL) == 128 && dots(SCREEN_UPPER) == 64 && dots(SCREEN_LOWER) == 64, "%u",
          dots(SCREEN_FULL));
    CHECK(font_row(SCREEN_UPPER, 0) == 0xff && font_row(SCREEN_LOWER, 15) == 0xff, "swapped");
    CHECK(dots(' ') == 0 && dots('A') > 0 && dots(SCREEN_SHADE) > 0, "%u", dots(' '));
    for (unsigned row = 0; row < FONT_HEIGHT; row++)
        CHECK(font_row(0xe9, row) == font_row('?', row) && font_row(31, row) == font_row('?', row),
              "row %u", row);
}

int main(void)
{
    check_known_screens();
    check_every_screen();
    check_shapes();
    return check_result();
}
