/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/low_memory.h"
#include "arch/cpu/memory/paging.h"
#include "boot/boot_info.h"

/*
 * The range starts at 64 KiB: below lie the BIOS's interrupt vectors and data, which SMM code may
 * still read, and memory that some boards write to despite their map. It ends at 640 KiB, where
 * memory ends (F10.34), or at the BIOS's extended data area before; if the map does not exclude
 * that, the word at 40EH has its start (F11.20).
 */
#define LOWEST       0x10000u
#define HIGHEST      0xa0000u
#define EBDA_SEGMENT 0x40eu
#define EBDA_LOWEST  0x60000u /* below this the word means something else */

static uint32_t found_start, found_end; /* of what was found last */

static uint32_t extended_data_start(void)
{
    const uint8_t *word = NULL;

    if (boot_info.firmware == BOOT_FIRMWARE_BIOS)
        word = paging_map_physical(EBDA_SEGMENT, 2, PAGE_WRITE_BACK);
    uint32_t start = word == NULL ? 0 : (uint32_t)(word[1] << 8 | word[0]) << 4;
    return start >= EBDA_LOWEST && start < HIGHEST ? start : HIGHEST;
}

bool low_memory_find(size_t size, struct low_memory *out)
{
    uint64_t start = memory_map_find(&boot_info, LOWEST, extended_data_start(), size);

    if (start == 0)
        return false;
    found_start = out->physical = (uint32_t)start;
    found_end = found_start + (uint32_t)size;
    out->mapped = paging_map_physical(start, size, PAGE_WRITE_BACK);
    return out->mapped != NULL;
}

bool low_memory_is_free(uint32_t physical, size_t size)
{
    bool is_taken = physical < found_end && physical + size > found_start;

    return physical >= LOWEST && physical + size <= extended_data_start() && !is_taken &&
           memory_map_is_free(&boot_info, physical, size);
}
