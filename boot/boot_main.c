/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first C: saves the loader's information before it is overwritten, and calls the kernel. */
#include "boot/boot_info.h"

#define FOUR_GIB            0x100000000ull /* what the temporary tables reach */
#define INFORMATION_LARGEST (16ull << 20)

struct boot_info boot_info;

/* Called by boot/entry.S. */
void boot_main(uint32_t info_physical, const struct boot_entry_state *entry_state);
void kernel_main(void); /* kernel/main.c; does not return */

void boot_main(uint32_t info_physical, const struct boot_entry_state *entry_state)
{
    uint64_t limit = FOUR_GIB - info_physical;
    if (limit > INFORMATION_LARGEST)
        limit = INFORMATION_LARGEST;
    if (info_physical == 0 || info_physical % 8 != 0)
        boot_info.error = "multiboot2: the loader gave an impossible address for its information";
    else
        multiboot2_parse((const void *)(uintptr_t)info_physical, limit, &boot_info);
    boot_info.entry_state = *entry_state;
    kernel_main();
    __builtin_trap();
}
