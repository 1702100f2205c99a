/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks every length before use. Unknown tags are skipped; known tags must be well formed and
 * unique. An unusable graphics mode or memory range is no error.
 */
#include "boot/boot_info.h"

#define TAG_ALIGNMENT 8u
#define RSDP_V1_SIZE  20u /* of revision 0: F11.20 */
#define RSDP_V2_SIZE  36u
#define PIXELS_MOST   16384u /* a side */

struct information {
    uint32_t total_size, reserved;
};

struct tag {
    uint32_t type, size; /* bytes, this header included, padding to 8 not */
};

struct memory_map_tag {
    struct tag tag;
    uint32_t entry_size, entry_version;
};

struct memory_map_entry {
    uint64_t base, length;
    uint32_t type, reserved;
};

/* GRUB's layout: two reserved bytes, so that the colour information starts at 32 (F11.34). */
struct framebuffer_tag {
    struct tag tag;
    uint64_t physical;
    uint32_t pitch, width, height;
    uint8_t bits_per_pixel, type;
    uint16_t reserved;
};

struct framebuffer_colours {
    struct boot_colour_field red, green, blue;
};

_Static_assert(sizeof(struct memory_map_entry) == 24, "F11.33");
_Static_assert(sizeof(struct framebuffer_tag) == 32, "F11.34");

enum framebuffer_kind { FRAMEBUFFER_INDEXED, FRAMEBUFFER_DIRECT, FRAMEBUFFER_EGA_TEXT };

/* The loader aligns to 8 bytes, but only a copy is sure to be aligned for every field. */
static void fetch(void *to, const uint8_t *from, size_t length)
{
    __builtin_memcpy(to, from, length);
}

static size_t bounded_length(const uint8_t *text, size_t size)
{
    size_t length = 0;
    while (length < size && text[length] != 0)
        length++;
    return length;
}

/* Copies a string tag; *truncated: it did not fit. Returns false if it has no end. */
static bool copy_text(const uint8_t *tag, size_t size, char *to, size_t to_size, bool *truncated)
{
    const uint8_t *text = tag + sizeof(struct tag);
    size_t room = size - sizeof(struct tag);
    size_t length = bounded_length(text, room);
    if (length == room)
        return false;
    *truncated = length >= to_size;
    if (*truncated)
        length = to_size - 1;
    fetch(to, text, length);
    to[length] = 0;
    return true;
}

/* kexec puts the kernel's own path in front, GRUB does not. */
static void drop_path(char *line)
{
    const char *rest = line;
    if (*line != '/')
        return;
    while (*rest != 0 && *rest != ' ')
        rest++;
    while (*rest == ' ')
        rest++;
    while ((*line++ = *rest++) != 0)
        ;
}

static const char *read_command_line(const uint8_t *tag, size_t size, struct boot_info *out)
{
    if (!copy_text(tag, size, out->command_line, sizeof(out->command_line),
                   &out->command_line_truncated))
        return "multiboot2: the command line does not end inside its tag";
    drop_path(out->command_line);
    return NULL;
}

static const char *read_loader_name(const uint8_t *tag, size_t size, struct boot_info *out)
{
    bool truncated;
    return copy_text(tag, size, out->loader_name, sizeof(out->loader_name), &truncated)
               ? NULL
               : "multiboot2: the loader name does not end inside its tag";
}

static void add_memory_range(const uint8_t *at, struct boot_info *out)
{
    struct memory_map_entry entry;
    fetch(&entry, at, sizeof(entry));
    if (entry.length > UINT64_MAX - entry.base)
        entry.length = UINT64_MAX - entry.base;
    if (out->memory_count == BOOT_MEMORY_RANGE_COUNT) {
        out->memory_truncated = true;
        return;
    }
    out->memory[out->memory_count++] =
        (struct boot_memory_range){.base = entry.base, .length = entry.length, .type = entry.type};
}

static const char *read_memory_map(const uint8_t *tag, size_t size, struct boot_info *out)
{
    struct memory_map_tag map;
    if (size < sizeof(map))
        return "multiboot2: the memory map tag is too short";
    fetch(&map, tag, sizeof(map));
    if (map.entry_size < sizeof(struct memory_map_entry) || map.entry_size % TAG_ALIGNMENT != 0)
        return "multiboot2: the memory map has an impossible entry size";
    if ((size - sizeof(map)) % map.entry_size != 0)
        return "multiboot2: the memory map is not a whole number of entries";
    for (size_t at = sizeof(map); at < size; at += map.entry_size)
        add_memory_range(tag + at, out);
    return NULL;
}

static bool has_usable_geometry(const struct framebuffer_tag *tag, uint32_t bytes_per_cell)
{
    return tag->physical != 0 && tag->width > 0 && tag->width <= PIXELS_MOST && tag->height > 0 &&
           tag->height <= PIXELS_MOST && tag->pitch <= PIXELS_MOST * 8 &&
           tag->pitch >= tag->width * bytes_per_cell;
}

static bool is_usable_field(const struct boot_colour_field *field, unsigned bits_per_pixel)
{
    return field->bits >= 1 && field->bits <= 16 && field->position + field->bits <= bits_per_pixel;
}

static bool has_usable_colours(unsigned bits, const struct framebuffer_colours *colours)
{
    return (bits == 15 || bits == 16 || bits == 24 || bits == 32) &&
           is_usable_field(&colours->red, bits) && is_usable_field(&colours->green, bits) &&
           is_usable_field(&colours->blue, bits);
}

static const char *read_framebuffer(const uint8_t *at, size_t size, struct boot_info *out)
{
    struct framebuffer_tag tag;
    struct framebuffer_colours colours = {0};
    if (size < sizeof(tag))
        return "multiboot2: the framebuffer tag is too short";
    fetch(&tag, at, sizeof(tag));
    enum boot_framebuffer_type type = BOOT_FRAMEBUFFER_NONE;
    if (tag.type == FRAMEBUFFER_DIRECT) {
        if (size < sizeof(tag) + sizeof(colours))
            return "multiboot2: the framebuffer tag has no colour information";
        fetch(&colours, at + sizeof(tag), sizeof(colours));
        if (has_usable_colours(tag.bits_per_pixel, &colours) &&
            has_usable_geometry(&tag, (tag.bits_per_pixel + 7u) / 8))
            type = BOOT_FRAMEBUFFER_RGB;
    } else if (tag.type == FRAMEBUFFER_EGA_TEXT && has_usable_geometry(&tag, 2)) {
        type = BOOT_FRAMEBUFFER_TEXT;
    }
    if (type != BOOT_FRAMEBUFFER_NONE)
        out->framebuffer = (struct boot_framebuffer){.type = type,
                                                     .physical = tag.physical,
                                                     .pitch = tag.pitch,
                                                     .width = tag.width,
                                                     .height = tag.height,
                                                     .bits_per_pixel = tag.bits_per_pixel,
                                                     .red = colours.red,
                                                     .green = colours.green,
                                                     .blue = colours.blue};
    return NULL;
}

static const char *read_rsdp(const uint8_t *tag, size_t size, struct boot_info *out,
                             uint32_t rsdp_size)
{
    if (size < sizeof(struct tag) + rsdp_size)
        return "multiboot2: the ACPI tag is too short for its RSDP";
    if (out->rsdp_length < rsdp_size) {
        fetch(out->rsdp, tag + sizeof(struct tag), rsdp_size);
        out->rsdp_length = rsdp_size;
    }
    return NULL;
}

static const char *read_rsdp_v1(const uint8_t *tag, size_t size, struct boot_info *out)
{
    return read_rsdp(tag, size, out, RSDP_V1_SIZE);
}

static const char *read_rsdp_v2(const uint8_t *tag, size_t size, struct boot_info *out)
{
    return read_rsdp(tag, size, out, RSDP_V2_SIZE);
}

/* The presence of any EFI tag shows that the firmware is EFI. */
static const char *note_efi(const uint8_t *tag, size_t size, struct boot_info *out)
{
    (void)tag;
    (void)size;
    out->firmware = BOOT_FIRMWARE_EFI;
    return NULL;
}

static const char *read_efi_system_table(const uint8_t *tag, size_t size, struct boot_info *out)
{
    if (size < sizeof(struct tag) + sizeof(out->efi_system_table))
        return "multiboot2: the EFI system table tag is too short for its address";
    fetch(&out->efi_system_table, tag + sizeof(struct tag), sizeof(out->efi_system_table));
    return note_efi(tag, size, out);
}

typedef const char *(*tag_reader)(const uint8_t *tag, size_t size, struct boot_info *out);

static const tag_reader tag_readers[] = {
    /* By the tag's type (F11.33). */
    [1] = read_command_line,
    [2] = read_loader_name,
    [6] = read_memory_map,
    [8] = read_framebuffer,
    [11] = note_efi,              /* system table, 32 bits */
    [12] = read_efi_system_table, /* … 64 bits */
    [14] = read_rsdp_v1,
    [15] = read_rsdp_v2,
    [17] = note_efi, /* memory map */
    [18] = note_efi, /* boot services still active */
};

#define TAG_READERS (sizeof(tag_readers) / sizeof(tag_readers[0]))

static const char *read_tag(const uint8_t *at, const struct tag *tag, uint32_t *seen,
                            struct boot_info *out)
{
    if (tag->type >= TAG_READERS || tag_readers[tag->type] == NULL)
        return NULL;
    if (*seen & (1u << tag->type))
        return "multiboot2: a tag that may come once comes twice";
    *seen |= 1u << tag->type;
    return tag_readers[tag->type](at, tag->size, out);
}

static const char *read_tags(const uint8_t *info, size_t total, struct boot_info *out)
{
    uint32_t seen = 0;
    size_t at = sizeof(struct information);
    while (total - at >= sizeof(struct tag)) {
        struct tag tag;
        fetch(&tag, info + at, sizeof(tag));
        if (tag.size < sizeof(tag))
            return "multiboot2: a tag is shorter than its own header";
        if (tag.size > total - at)
            return "multiboot2: a tag runs past the end of the information";
        if (tag.type == 0)
            return tag.size == sizeof(tag) ? NULL : "multiboot2: the end tag has a wrong size";
        const char *error = read_tag(info + at, &tag, &seen, out);
        if (error)
            return error;
        size_t padded = ((size_t)tag.size + TAG_ALIGNMENT - 1) & ~(size_t)(TAG_ALIGNMENT - 1);
        if (padded > total - at)
            break;
        at += padded;
    }
    return "multiboot2: there is no end tag";
}

static const char *check_total_size(const uint8_t *info, size_t limit, size_t *total)
{
    struct information header;
    if (limit < sizeof(header))
        return "multiboot2: there is no room for the information";
    fetch(&header, info, sizeof(header));
    if (header.total_size < sizeof(header) + sizeof(struct tag))
        return "multiboot2: the information is too short to hold a tag";
    if (header.total_size > limit)
        return "multiboot2: the information is longer than memory can hold";
    *total = header.total_size;
    return NULL;
}

const char *multiboot2_parse(const void *info, size_t limit, struct boot_info *out)
{
    size_t total = 0;
    __builtin_memset(out, 0, sizeof(*out));
    out->error = check_total_size(info, limit, &total);
    if (out->error == NULL)
        out->error = read_tags(info, total, out);
    return out->error;
}
