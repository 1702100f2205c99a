/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A framebuffer of 15 to 32 bits a pixel, set up by UEFI or the loader. */
#include "kernel/screen/screen.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/paging.h"
#include "boot/boot_info.h"

#define LINE_WORDS (FONT_WIDTH * FONT_SCALE_MOST * sizeof(uint32_t) / sizeof(uint64_t))

static volatile uint8_t *pixels;
static unsigned scale, pixel_bytes;

static struct {
    uint32_t ink, ground; /* in the framebuffer's bit order */
} colours[COLOUR_COUNT];

static uint32_t field_of(uint32_t rgb, unsigned shift, struct boot_colour_field field)
{
    uint32_t value = rgb >> shift & 0xff;

    return (field.bits < 8 ? value >> (8 - field.bits) : value << (field.bits - 8))
           << field.position;
}

static uint32_t pixel_of(uint32_t rgb)
{
    const struct boot_framebuffer *tag = &boot_info.framebuffer;

    return field_of(rgb, 16, tag->red) | field_of(rgb, 8, tag->green) | field_of(rgb, 0, tag->blue);
}

static void set_colours(void)
{
    static const struct {
        uint32_t ink, ground;
    } rgb[COLOUR_COUNT] = {
        [COLOUR_PLAIN] = {0xd0d0d0, 0},         [COLOUR_QUIET] = {0x808080, 0},
        [COLOUR_GOOD] = {0x50e070, 0},          [COLOUR_BAD] = {0xff5050, 0},
        [COLOUR_WARNING] = {0xf0c040, 0},       [COLOUR_BRIGHT] = {0xffffff, 0},
        [COLOUR_ON_BAR] = {0xffffff, 0x24507c}, [COLOUR_ON_GOOD] = {0x000000, 0x40b860},
        [COLOUR_ON_BAD] = {0xffffff, 0xc02830}, [COLOUR_ON_WARNING] = {0x000000, 0xd8a830},
    };

    for (unsigned i = 0; i < COLOUR_COUNT; i++) {
        colours[i].ink = pixel_of(rgb[i].ink);
        colours[i].ground = pixel_of(rgb[i].ground);
    }
}

/* Makes one pixel row of a letter, in whole words. Each pixel is written as four bytes; the next
 * overwrites the surplus. */
static void make_line(uint64_t line[LINE_WORDS + 1], uint8_t bits, uint32_t ink, uint32_t ground)
{
    uint8_t *at = (uint8_t *)line;

    for (unsigned mask = 0x80; mask; mask >>= 1) {
        for (unsigned i = 0; i < scale; i++, at += pixel_bytes)
            __builtin_memcpy(at, bits & mask ? &ink : &ground, sizeof ink);
    }
}

static void copy_line(volatile uint8_t *at, const uint64_t *line)
{
    for (unsigned i = 0; i < scale * pixel_bytes; i++) /* eight pixels are as many words */
        ((volatile uint64_t *)at)[i] = line[i];
}

static void draw(unsigned column, unsigned row, struct screen_cell cell)
{
    size_t pitch = boot_info.framebuffer.pitch, width = (size_t)FONT_WIDTH * scale * pixel_bytes;
    volatile uint8_t *at = pixels + row * FONT_HEIGHT * scale * pitch + column * width;
    uint64_t line[LINE_WORDS + 1];
    int before = -1;

    for (unsigned y = 0; y < FONT_HEIGHT; y++) {
        uint8_t bits = font_row(cell.character, y);

        if (bits != before)
            make_line(line, bits, colours[cell.colour].ink, colours[cell.colour].ground);
        before = bits;
        for (unsigned i = 0; i < scale; i++, at += pitch)
            copy_line(at, line);
    }
}

const char *screen_framebuffer_open(struct screen *out)
{
    const struct boot_framebuffer *tag = &boot_info.framebuffer;

    if (tag->type != BOOT_FRAMEBUFFER_RGB)
        return "no framebuffer";
    scale = font_scale(tag->width, tag->height);
    pixel_bytes = (tag->bits_per_pixel + 7u) / 8u;
    out->columns = tag->width / (FONT_WIDTH * scale);
    out->rows = tag->height / (FONT_HEIGHT * scale);
    out->draw = draw;
    if (out->columns == 0 || out->rows == 0)
        return "a framebuffer of impossible size";
    pixels =
        paging_map_physical(tag->physical, (size_t)tag->pitch * tag->height, PAGE_WRITE_COMBINING);
    if (pixels == NULL)
        return "no room to map the framebuffer";
    set_colours();
    return NULL;
}

/* VGA text mode, set up by the BIOS: two bytes a cell, character and attribute. */

#define VGA_TEXT       0xb8000u
#define DEFAULT_WIDTH  80u
#define DEFAULT_HEIGHT 25u
#define CRTC_INDEX     0x3d4u
#define CRTC_DATA      0x3d5u
#define CRTC_CURSOR    0x0au
#define CURSOR_OFF     0x20u

static volatile uint16_t *cells;
static unsigned text_width;

/* Avoids bright backgrounds, because bit 7 makes a cell blink. */
static void draw_text(unsigned column, unsigned row, struct screen_cell cell)
{
    static const uint8_t attributes[COLOUR_COUNT] = {
        [COLOUR_PLAIN] = 0x07,      [COLOUR_QUIET] = 0x08,   [COLOUR_GOOD] = 0x0a,
        [COLOUR_BAD] = 0x0c,        [COLOUR_WARNING] = 0x0e, [COLOUR_BRIGHT] = 0x0f,
        [COLOUR_ON_BAR] = 0x1f,     [COLOUR_ON_GOOD] = 0x20, [COLOUR_ON_BAD] = 0x4f,
        [COLOUR_ON_WARNING] = 0x60,
    };

    cells[row * text_width + column] = (uint16_t)(attributes[cell.colour] << 8 | cell.character);
}

const char *screen_text_open(struct screen *out)
{
    const struct boot_framebuffer *tag = &boot_info.framebuffer;
    bool given = tag->type == BOOT_FRAMEBUFFER_TEXT && tag->width != 0 && tag->height != 0;

    if (boot_info.firmware == BOOT_FIRMWARE_EFI)
        return "UEFI without a framebuffer";
    text_width = given ? tag->width : DEFAULT_WIDTH;
    out->columns = text_width;
    out->rows = given ? tag->height : DEFAULT_HEIGHT;
    out->draw = draw_text;
    cells = paging_map_physical(given ? tag->physical : VGA_TEXT, 2ul * text_width * out->rows,
                                PAGE_UNCACHED);
    if (cells == NULL)
        return "no room to map the VGA text buffer";
    insn_out8(CRTC_INDEX, CRTC_CURSOR);
    insn_out8(CRTC_DATA, CURSOR_OFF);
    return NULL;
}
