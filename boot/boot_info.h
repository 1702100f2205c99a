/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader's Multiboot2 information (F11.30 to F11.36, F11.40, F11.41), copied before anything
 * else runs. All pointers here point to the kernel's own memory. A length or base of 0 means that
 * the loader did not send the tag.
 */
#ifndef BOOT_BOOT_INFO_H
#define BOOT_BOOT_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_COMMAND_LINE_SIZE  1024u /* bytes, terminating zero included */
#define BOOT_MEMORY_RANGE_COUNT 1024u

enum boot_firmware { BOOT_FIRMWARE_BIOS, BOOT_FIRMWARE_EFI };

enum boot_framebuffer_type {
    BOOT_FRAMEBUFFER_NONE,
    BOOT_FRAMEBUFFER_RGB,  /* 15 to 32 bits a pixel */
    BOOT_FRAMEBUFFER_TEXT, /* EGA text, 2 bytes a cell */
};

struct boot_framebuffer {
    enum boot_framebuffer_type type;
    uint64_t physical; /* address of the first byte */
    uint32_t pitch;    /* bytes a line */
    uint32_t width;    /* pixels, or characters for TEXT */
    uint32_t height;
    uint8_t bits_per_pixel; /* 15, 16, 24 or 32 */
    struct boot_colour_field {
        uint8_t position, bits; /* lowest bit in the pixel; width, 1 to 16 */
    } red, green, blue;
};

struct boot_memory_range {
    uint64_t base, length; /* bytes */
    uint32_t type;         /* 1 = usable memory, F11.33 */
};

/* The lower halves of these registers, as the loader left them. */
struct boot_entry_state {
    uint32_t cr0, cr4, efer;
};

struct boot_info {
    char command_line[BOOT_COMMAND_LINE_SIZE];
    bool command_line_truncated;
    char loader_name[64];
    enum boot_firmware firmware;
    uint64_t efi_system_table; /* physical address of the one for 64 bits, or 0 */
    struct boot_framebuffer framebuffer;
    struct boot_memory_range memory[BOOT_MEMORY_RANGE_COUNT];
    size_t memory_count;
    bool memory_truncated;
    uint8_t rsdp[36];                    /* copy of the ACPI RSDP; revision 2 form preferred */
    uint32_t rsdp_length;                /* bytes used: 0, 20 or 36 */
    struct boot_entry_state entry_state; /* filled by the boot code, not by the parser */
    /* Why the information cannot be used, or NULL. A missing command line tag is no error. */
    const char *error;
};

extern struct boot_info boot_info;

/*
 * Queries the loader's memory map. Maps may be unsorted, with empty, adjacent or overlapping
 * ranges; memory in several ranges is free only if all of them say so. Pure: runs on the host too.
 */

/* Is every byte in a range of usable memory, and none in a range of another type? */
bool memory_map_is_free(const struct boot_info *info, uint64_t base, uint64_t size);

/*
 * Returns the lowest page boundary from which `size` bytes are free, all of them at or above `low`
 * (not 0) and below `high`. Returns 0 if there is none.
 */
uint64_t memory_map_find(const struct boot_info *info, uint64_t low, uint64_t high, uint64_t size);

/* Returns the sum of the lengths of usable ranges, in bytes; overlaps count twice. */
uint64_t memory_map_usable(const struct boot_info *info);

/* Parses the loader's information (F11.32 to F11.36). Pure: runs on the host too. */

/*
 * Reads at most `limit` bytes at `info`. Returns NULL, or what is wrong; out->error then has the
 * same text, and *out what was read before the error. Zeroes entry_state.
 */
const char *multiboot2_parse(const void *info, size_t limit, struct boot_info *out);

#endif
