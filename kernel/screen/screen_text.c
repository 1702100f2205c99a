/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VGA text mode, set up by the BIOS: two bytes a cell, character and attribute. */
#include "kernel/screen/screen.h"

#include "arch/cpu/ground/insn.h"
#include "arch/cpu/memory/paging.h"
#include "boot/boot_info.h"

#define VGA_TEXT       0xb8000u
#define DEFAULT_WIDTH  80u
#define DEFAULT_HEIGHT 25u
#define CRTC_INDEX     0x3d4u
#define CRTC_DATA      0x3d5u
#define CRTC_CURSOR    0x0au
#define CURSOR_OFF     0x20u

static volatile uint16_t *cells;
static unsigned width;

/* Avoids bright backgrounds, because bit 7 makes a cell blink. */
static void draw(unsigned column, unsigned row, struct screen_cell cell)
{
    static const uint8_t attributes[COLOUR_COUNT] = {
        [COLOUR_PLAIN] = 0x07,      [COLOUR_QUIET] = 0x08,   [COLOUR_GOOD] = 0x0a,
        [COLOUR_BAD] = 0x0c,        [COLOUR_WARNING] = 0x0e, [COLOUR_BRIGHT] = 0x0f,
        [COLOUR_ON_BAR] = 0x1f,     [COLOUR_ON_GOOD] = 0x20, [COLOUR_ON_BAD] = 0x4f,
        [COLOUR_ON_WARNING] = 0x60,
    };

    cells[row * width + column] = (uint16_t)(attributes[cell.colour] << 8 | cell.character);
}

const char *screen_text_open(struct screen *out)
{
    const struct boot_framebuffer *tag = &boot_info.framebuffer;
    bool given = tag->type == BOOT_FRAMEBUFFER_TEXT && tag->width != 0 && tag->height != 0;

    if (boot_info.firmware == BOOT_FIRMWARE_EFI)
        return "UEFI without a framebuffer";
    width = given ? tag->width : DEFAULT_WIDTH;
    out->columns = width;
    out->rows = given ? tag->height : DEFAULT_HEIGHT;
    out->draw = draw;
    cells = paging_map_physical(given ? tag->physical : VGA_TEXT, 2ul * width * out->rows,
                                PAGE_UNCACHED);
    if (cells == NULL)
        return "no room to map the VGA text buffer";
    insn_out8(CRTC_INDEX, CRTC_CURSOR);
    insn_out8(CRTC_DATA, CURSOR_OFF);
    return NULL;
}
