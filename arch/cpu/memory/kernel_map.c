/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/kernel_map.h"
#include "arch/cpu/memory/stacks.h"

extern const char KERNEL_PHYSICAL[]; /* linker.ld */
extern const char __text_start[], __text_end[], __rodata_start[], __rodata_end[];
extern const char __user_text_start[], __user_text_end[];
extern const char __user_data_start[], __user_data_end[];
extern const char __data_start[], __data_end[], __ds_start[], __ds_end[];
extern const char __bss_start[], __bss_end[], __stacks_start[], __stacks_end[];
extern const char __shared_start[], __shared_end[];
extern const char __user_load[], USER_VIRTUAL[];
extern const char user_stack_guard[]; /* below ring 3's stack: arch/cpu/traps/user_entry.S */

const struct map_region kernel_map[] = {
    {.name = ".text", .start = __text_start, .end = __text_end, .executable = true},
    {.name = ".rodata", .start = __rodata_start, .end = __rodata_end},
    {.name = ".user.text",
     .start = __user_text_start,
     .end = __user_text_end,
     .user = true,
     .executable = true},
    {.name = ".user.data",
     .start = __user_data_start,
     .end = __user_data_end,
     .user = true,
     .writable = true},
    {.name = ".data", .start = __data_start, .end = __data_end, .writable = true},
    {.name = ".ds", .start = __ds_start, .end = __ds_end, .writable = true},
    {.name = ".bss", .start = __bss_start, .end = __bss_end, .writable = true},
    {.name = "stacks", .start = __stacks_start, .end = __stacks_end, .writable = true},
    {.name = ".shared", .start = __shared_start, .end = __shared_end, .writable = true},
};

const size_t kernel_map_count = sizeof(kernel_map) / sizeof(kernel_map[0]);

static bool lies_in(uint64_t address, const char *start, const char *end)
{
    return address >= (uint64_t)(uintptr_t)start && address < (uint64_t)(uintptr_t)end;
}

const struct map_region *kernel_map_find(uint64_t address)
{
    for (size_t i = 0; i < kernel_map_count; i++)
        if (lies_in(address, kernel_map[i].start, kernel_map[i].end))
            return &kernel_map[i];
    return NULL;
}

struct physical_extent kernel_map_extent(void)
{
    return (struct physical_extent){.start = (uint64_t)(uintptr_t)KERNEL_PHYSICAL,
                                    .end = (uint64_t)(uintptr_t)__shared_end -
                                           (uint64_t)(uintptr_t)KERNEL_VIRTUAL};
}

/* From ring 3's data to the stacks, without a gap (linker.ld). */
struct physical_extent kernel_map_moved_extent(void)
{
    uint64_t user_data = (uint64_t)(__user_data_start - USER_VIRTUAL);

    return (struct physical_extent){.start = (uint64_t)(uintptr_t)__user_load + user_data,
                                    .end = (uint64_t)(uintptr_t)__stacks_end -
                                           (uint64_t)(uintptr_t)KERNEL_VIRTUAL};
}

bool kernel_map_moves(const void *address)
{
    return lies_in((uint64_t)(uintptr_t)address, __data_start, __stacks_end);
}

bool kernel_map_is_guard(uint64_t address)
{
    return stack_guard_name(address) != NULL ||
           lies_in(address, user_stack_guard, user_stack_guard + PAGE_SIZE);
}
