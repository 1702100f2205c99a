/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A framebuffer of 24 or 32 bits a pixel, as UEFI or the loader set it up. */
#include "kernel/screen.h"

#include "arch/cpu/paging.h"
#include "boot/boot_info.h"
#include "kernel/font.h"

#define LARGE_WIDTH 2560u /* from here on letters are drawn twice as large */

static volatile uint8_t *pixels;
static unsigned scale, pixel_bytes;
static uint32_t colours[COLOUR_WARNING + 1]; /* in the framebuffer's own order */

static uint32_t pixel_of(uint32_t rgb)
{
    const struct boot_framebuffer *tag = &boot_info.framebuffer;

    return (rgb >> 16 & 0xff) << tag->red_shift | (rgb >> 8 & 0xff) << tag->green_shift |
           (rgb & 0xff) << tag->blue_shift;
}

static void set_colours(void)
{
    colours[COLOUR_PLAIN] = pixel_of(0xd0d0d0);
    colours[COLOUR_QUIET] = pixel_of(0x808080);
    colours[COLOUR_GOOD] = pixel_of(0x50e070);
    colours[COLOUR_BAD] = pixel_of(0xff5050);
    colours[COLOUR_WARNING] = pixel_of(0xf0c040);
}

static void put_pixel(volatile uint8_t *at, uint32_t pixel)
{
    if (pixel_bytes == sizeof(uint32_t)) {
        *(volatile uint32_t *)at = pixel;
        return;
    }
    at[0] = (uint8_t)pixel;
    at[1] = (uint8_t)(pixel >> 8);
    at[2] = (uint8_t)(pixel >> 16);
}

/* The eight pixels of one row of a letter, leftmost in bit 7. */
static uint8_t letter_row(char character, unsigned row)
{
    if (character < FONT_FIRST || character > FONT_LAST)
        character = '?';
    if (row < FONT_FIRST_ROW || row >= FONT_FIRST_ROW + FONT_ROWS)
        return 0;
    return font_rows[character - FONT_FIRST][row - FONT_FIRST_ROW];
}

/* Two pixels of 32 bits in one write, which is what nearly every screen takes. */
static void draw_row_in_pairs(volatile uint8_t *at, uint8_t bits, uint64_t ink)
{
    for (unsigned i = 0; i < FONT_WIDTH / 2; i++, bits <<= 2)
        ((volatile uint64_t *)at)[i] = (bits & 0x80 ? ink : 0) | (bits & 0x40 ? ink << 32 : 0);
}

/* Thousands of lines go over the screen: this is what they cost. */
static void draw_row(volatile uint8_t *at, uint8_t bits, uint32_t ink)
{
    if (scale == 1 && pixel_bytes == sizeof ink) {
        draw_row_in_pairs(at, bits, ink);
        return;
    }
    for (unsigned mask = 0x80; mask; mask >>= 1)
        for (unsigned i = 0; i < scale; i++, at += pixel_bytes)
            put_pixel(at, bits & mask ? ink : 0);
}

static void draw(unsigned column, unsigned row, char character, enum console_colour colour)
{
    size_t pitch = boot_info.framebuffer.pitch, width = (size_t)FONT_WIDTH * scale * pixel_bytes;
    volatile uint8_t *at = pixels + row * FONT_HEIGHT * scale * pitch + column * width;

    for (unsigned y = 0; y < FONT_HEIGHT; y++)
        for (unsigned i = 0; i < scale; i++, at += pitch)
            draw_row(at, letter_row(character, y), colours[colour]);
}

const char *screen_framebuffer_open(struct screen *out)
{
    const struct boot_framebuffer *tag = &boot_info.framebuffer;

    if (tag->type != BOOT_FRAMEBUFFER_RGB)
        return "no framebuffer";
    if (tag->bits_per_pixel != 24 && tag->bits_per_pixel != 32)
        return "a framebuffer of neither 24 nor 32 bits a pixel";
    scale = tag->width >= LARGE_WIDTH ? 2 : 1;
    pixel_bytes = tag->bits_per_pixel / 8u;
    out->columns = tag->width / (FONT_WIDTH * scale);
    out->rows = tag->height / (FONT_HEIGHT * scale);
    out->draw = draw;
    if (out->columns == 0 || out->rows == 0 || tag->pitch < tag->width * tag->bits_per_pixel / 8u)
        return "a framebuffer of impossible size";
    pixels =
        paging_map_physical(tag->physical, (size_t)tag->pitch * tag->height, PAGE_WRITE_COMBINING);
    if (pixels == NULL)
        return "no room to map the framebuffer";
    set_colours();
    return NULL;
}
