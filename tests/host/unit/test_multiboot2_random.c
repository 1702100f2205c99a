/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's information drawn at random: is what was put in what comes out? And then with bytes
 * of it changed, or only bytes: is what is accepted something that the kernel can go by? The
 * sanitizers see each look outside, for every buffer has exactly its size.
 */
#include "boot/boot_info.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define INFORMATIONS 20000u
#define NOISES       20000u
#define MOST         65536u

static uint8_t bytes[MOST];
static size_t used;
static struct boot_info expected, info;

static unsigned draw(unsigned below)
{
    return (unsigned)rand() % below;
}

static void put(uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[used++] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
}

/* Returns them as a number, where they are eight at most. */
static uint64_t put_drawn(size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        bytes[used] = (uint8_t)draw(256);
        value |= i < 8 ? (uint64_t)bytes[used] << (8 * i) : 0;
        used++;
    }
    return value;
}

static void tag(uint32_t type, size_t payload)
{
    while (used % 8 != 0)
        put_drawn(1);
    put(type, 4);
    put(8 + payload, 4);
}

/* --- tags that are right, and what they say --- */

static void draw_text(uint32_t type, char *out, size_t out_size, bool *truncated)
{
    size_t length = draw(8) ? draw(100) : draw(2 * BOOT_COMMAND_LINE_SIZE);
    size_t behind = draw(5); /* after the end of the text, and part of the tag */
    tag(type, length + 1 + behind);
    memset(out, 0, out_size);
    for (size_t i = 0; i < length; i++) {
        bytes[used] = (uint8_t)(1 + draw(255));
        if (i + 1 < out_size)
            out[i] = (char)bytes[used];
        used++;
    }
    put(0, 1);
    put_drawn(behind);
    *truncated = length >= out_size;
}

static void draw_command_line(void)
{
    char *line = expected.command_line;
    draw_text(1, line, sizeof(expected.command_line), &expected.command_line_truncated);
    size_t path = line[0] == '/' ? strcspn(line, " ") : 0;
    path += path == 0 ? 0 : strspn(line + path, " ");
    memmove(line, line + path, strlen(line + path) + 1);
}

static void draw_loader_name(void)
{
    bool ignored;
    draw_text(2, expected.loader_name, sizeof(expected.loader_name), &ignored);
}

static void draw_range(uint32_t entry_size)
{
    struct boot_memory_range range = {.base = put_drawn(8), .length = put_drawn(4)};
    range.length |= (draw(2) ? put_drawn(4) : (put(0, 4), 0)) << 32;
    range.type = (uint32_t)put_drawn(4);
    put_drawn(entry_size - 20);
    if (range.length > UINT64_MAX - range.base)
        range.length = UINT64_MAX - range.base;
    if (expected.memory_count < BOOT_MEMORY_RANGE_COUNT)
        expected.memory[expected.memory_count++] = range;
    else
        expected.memory_truncated = true;
}

static void draw_memory_map(void)
{
    uint32_t entry_size = 24 + 8 * draw(3);
    uint32_t entries = draw(50) ? draw(20) : draw(2 * BOOT_MEMORY_RANGE_COUNT - 400);
    tag(6, 8 + (size_t)entries * entry_size);
    put(entry_size, 4);
    put(0, 4);
    for (uint32_t i = 0; i < entries; i++)
        draw_range(entry_size);
}

static void draw_framebuffer(void)
{
    bool wide = draw(2);
    struct boot_framebuffer *out = &expected.framebuffer;
    tag(8, 24 + 6);
    *out = (struct boot_framebuffer){.type = BOOT_FRAMEBUFFER_RGB};
    out->width = 1 + draw(4096);
    out->height = 1 + draw(4096);
    out->pitch = out->width * (wide ? 4 : 3) + draw(64);
    out->bits_per_pixel = wide ? 32 : 24;
    out->physical = put_drawn(8);
    put(out->pitch, 4);
    put(out->width, 4);
    put(out->height, 4);
    put(out->bits_per_pixel, 1);
    put(1, 1);
    put_drawn(2);
    put(out->red.position = (uint8_t)draw(17), 1);
    put(out->red.bits = 8, 1);
    put(out->green.position = (uint8_t)draw(17), 1);
    put(out->green.bits = 8, 1);
    put(out->blue.position = (uint8_t)draw(17), 1);
    put(out->blue.bits = 8, 1);
}

/* The one of revision 2 is kept, whichever came first. */
static void draw_rsdp(uint32_t type, uint32_t length)
{
    tag(type, length);
    size_t at = used;
    put_drawn(length);
    if (length > expected.rsdp_length) {
        memcpy(expected.rsdp, bytes + at, length);
        expected.rsdp_length = length;
    }
}

static void draw_old_rsdp(void)
{
    draw_rsdp(14, 20);
}

static void draw_new_rsdp(void)
{
    draw_rsdp(15, 36);
}

static void draw_efi(void)
{
    tag(12, 8);
    put_drawn(8);
    expected.firmware = BOOT_FIRMWARE_EFI;
}

static void draw_unknown(void)
{
    size_t size = draw(200);
    tag(draw(2) ? 19 + draw(1000) : 3, size);
    put_drawn(size);
}

static void (*const kinds[])(void) = {draw_command_line, draw_loader_name, draw_memory_map,
                                      draw_framebuffer,  draw_old_rsdp,    draw_new_rsdp,
                                      draw_efi,          draw_unknown};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void draw_information(void)
{
    unsigned left = (1u << KINDS) - 1, first = draw(KINDS);
    memset(&expected, 0, sizeof(expected));
    used = 0;
    put(0, 8);
    for (unsigned tags = draw(12); tags > 0; tags--) {
        unsigned kind = draw(2) ? draw(KINDS) : (first + tags) % KINDS;
        if (kind == KINDS - 1 || (left >> kind & 1))
            kinds[kind]();
        left &= ~(1u << kind);
    }
    tag(0, 0);
    uint32_t total = (uint32_t)used;
    memcpy(bytes, &total, 4);
}

/* --- read --- */

static const char *parse(size_t size)
{
    uint8_t *copy = malloc(size + !size);
    memcpy(copy, bytes, size);
    memset(&info, 0xa5, sizeof(info));
    const char *error = multiboot2_parse(copy, size, &info);
    free(copy);
    CHECK(error == info.error, "returned and stored error differ");
    return error;
}

static bool same_framebuffer(const struct boot_framebuffer *a, const struct boot_framebuffer *b)
{
    return a->type == b->type && a->physical == b->physical && a->pitch == b->pitch &&
           a->width == b->width && a->height == b->height &&
           a->bits_per_pixel == b->bits_per_pixel && a->red.position == b->red.position &&
           a->green.position == b->green.position && a->blue.position == b->blue.position;
}

static bool same_ranges(void)
{
    for (size_t i = 0; i < expected.memory_count; i++)
        if (info.memory[i].base != expected.memory[i].base ||
            info.memory[i].length != expected.memory[i].length ||
            info.memory[i].type != expected.memory[i].type)
            return false;
    return info.memory_count == expected.memory_count &&
           info.memory_truncated == expected.memory_truncated;
}

static void expect_all(unsigned number)
{
    const char *error = parse(used);
    CHECK(error == NULL, "information %u is refused: %s", number, error);
    CHECK(strcmp(info.command_line, expected.command_line) == 0 &&
              info.command_line_truncated == expected.command_line_truncated,
          "information %u: command line", number);
    CHECK(strcmp(info.loader_name, expected.loader_name) == 0, "information %u: loader", number);
    CHECK(info.firmware == expected.firmware, "information %u: firmware", number);
    CHECK(same_framebuffer(&info.framebuffer, &expected.framebuffer), "information %u: screen",
          number);
    CHECK(same_ranges(), "information %u: %zu ranges, expected %zu", number, info.memory_count,
          expected.memory_count);
    CHECK(info.rsdp_length == expected.rsdp_length &&
              memcmp(info.rsdp, expected.rsdp, info.rsdp_length) == 0,
          "information %u: RSDP", number);
}

/* --- and spoilt --- */

static bool framebuffer_is_sane(const struct boot_framebuffer *f)
{
    if (f->type == BOOT_FRAMEBUFFER_NONE)
        return true;
    uint32_t cell = f->type == BOOT_FRAMEBUFFER_TEXT ? 2 : f->bits_per_pixel / 8u;
    return f->physical != 0 && f->width > 0 && f->height > 0 && f->width <= 16384 &&
           f->height <= 16384 && f->pitch <= 131072 && f->pitch >= f->width * cell &&
           f->red.position < 32 && f->green.position < 32 && f->blue.position < 32;
}

/* Whatever it was, accepted or not. */
static void expect_sane(unsigned number)
{
    CHECK(memchr(info.command_line, 0, sizeof(info.command_line)) != NULL, "noise %u: no end",
          number);
    CHECK(memchr(info.loader_name, 0, sizeof(info.loader_name)) != NULL, "noise %u: no end",
          number);
    CHECK(info.memory_count <= BOOT_MEMORY_RANGE_COUNT, "noise %u: %zu ranges", number,
          info.memory_count);
    for (size_t i = 0; i < info.memory_count; i++)
        CHECK(info.memory[i].base + info.memory[i].length >= info.memory[i].base,
              "noise %u: range %zu goes around the end", number, i);
    CHECK(info.rsdp_length == 0 || info.rsdp_length == 20 || info.rsdp_length == 36,
          "noise %u: RSDP of %u bytes", number, info.rsdp_length);
    CHECK(framebuffer_is_sane(&info.framebuffer), "noise %u: framebuffer", number);
}

/* Sizes and types are what it goes by: small values hurt most. */
static void spoil(void)
{
    for (unsigned times = 1 + draw(6); times > 0; times--)
        bytes[draw((unsigned)used)] = (uint8_t)(draw(2) ? draw(40) : draw(256));
}

static unsigned check_noise(unsigned number)
{
    draw_information();
    if (draw(4))
        spoil();
    else
        for (size_t i = draw(2) ? 4 : 0; i < used; i++)
            bytes[i] = (uint8_t)(draw(4) ? 0 : draw(64));
    const char *error = parse(draw(2) ? used : draw((unsigned)used + 1));
    expect_sane(number);
    return error != NULL;
}

int main(void)
{
    unsigned refused = 0;
    srand(1);
    for (unsigned i = 0; i < INFORMATIONS; i++) {
        draw_information();
        expect_all(i);
    }
    for (unsigned i = 0; i < NOISES; i++)
        refused += check_noise(i);
    CHECK(refused > NOISES / 2 && refused < NOISES, "%u of %u were refused", refused, NOISES);
    return check_result();
}
