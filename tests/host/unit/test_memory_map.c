/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is what is said to be free free, and is what is free found, in maps that make no sense? */
#include "boot/boot_info.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define MAPS   20000u
#define PAGE   4096u
#define PAGES  64u /* of a small address space, looked at byte for byte in eighths of a page */
#define EIGHTH (PAGE / 8)
#define CELLS  (PAGES * 8)

static struct boot_info info;

static void add(uint64_t base, uint64_t length, uint32_t type)
{
    info.memory[info.memory_count++] =
        (struct boot_memory_range){.base = base, .length = length, .type = type};
}

static bool is_free(uint64_t base, uint64_t size)
{
    return memory_map_is_free(&info, base, size);
}

static void check_known(void)
{
    info.memory_count = 0;
    CHECK(!is_free(0x10000, 1) && !memory_map_find(&info, 0x10000, 0xa0000, PAGE), "no map");
    add(0, 0x9fc00, 1);
    add(0x9fc00, 0x400, 2);
    add(0x100000, 0xff00000, 1);
    CHECK(is_free(0x9b000, 0x4c00) && !is_free(0x9b000, 0x4c01), "up to the reserved end");
    CHECK(!is_free(0x98000, 0x68001), "over a hole");
    CHECK(memory_map_find(&info, 0x10000, 0xa0000, 0x4000) == 0x10000, "the lowest");
    CHECK(memory_map_find(&info, 0x10000, 0x14000, 0x4000) == 0x10000, "just fits");
    CHECK(!memory_map_find(&info, 0x10001, 0x14fff, 0x4000), "a page less does not");
    CHECK(memory_map_usable(&info) == 0x9fc00 + 0xff00000, "usable");
    add(0x10000, 0x8000, 3);
    CHECK(memory_map_find(&info, 0x10000, 0xa0000, 0x4000) == 0x18000, "behind what is claimed");
    add(0x10000, 0x90000, 2);
    CHECK(!memory_map_find(&info, 0x10000, 0xa0000, 0x4000), "all of it claimed");
    add(UINT64_MAX - 0xfff, 0xfff, 1);
    CHECK(!is_free(UINT64_MAX - 0xfff, 0x2000), "around the end of the address space");
    CHECK(!is_free(UINT64_MAX - 0xffe, 0), "nothing is not free");
}

/* Two ranges that only together hold it. */
static void check_neighbours(void)
{
    info.memory_count = 0;
    add(0x12000, 0x3000, 1);
    add(0x10000, 0x2000, 1);
    add(0x11000, 0, 2);
    CHECK(memory_map_find(&info, 0x10000, 0xa0000, 0x5000) == 0x10000, "put together");
    CHECK(!memory_map_find(&info, 0x10000, 0xa0000, 0x5001), "and not longer");
}

static bool cell_is_free(unsigned cell)
{
    uint64_t at = (uint64_t)cell * EIGHTH;
    bool usable = false;
    for (size_t i = 0; i < info.memory_count; i++) {
        if (at < info.memory[i].base || at - info.memory[i].base >= info.memory[i].length)
            continue;
        if (info.memory[i].type != 1)
            return false;
        usable = true;
    }
    return usable;
}

static bool cells_are_free(unsigned from, unsigned count)
{
    for (unsigned cell = from; cell < from + count; cell++)
        if (cell >= CELLS || !cell_is_free(cell))
            return false;
    return count > 0;
}

static uint64_t find_slowly(unsigned low, unsigned high, unsigned count)
{
    for (unsigned cell = low; cell + count <= high; cell++)
        if (cell % 8 == 0 && cells_are_free(cell, count))
            return (uint64_t)cell * EIGHTH;
    return 0;
}

static void draw_map(void)
{
    info.memory_count = 0;
    for (unsigned ranges = (unsigned)rand() % 9; ranges > 0; ranges--) {
        unsigned from = (unsigned)rand() % CELLS;
        unsigned count = (unsigned)rand() % (rand() % 2 ? CELLS - from : 20);
        if (count > CELLS - from)
            count = CELLS - from;
        add((uint64_t)from * EIGHTH, (uint64_t)count * EIGHTH,
            rand() % 3 ? 1 : (uint32_t)rand() % 7);
    }
}

static void check_random_map(unsigned number)
{
    unsigned low = 1 + (unsigned)rand() % (CELLS - 1), high = (unsigned)rand() % (CELLS + 1);
    unsigned from = (unsigned)rand() % CELLS, count = (unsigned)rand() % 40;
    draw_map();
    CHECK(is_free((uint64_t)from * EIGHTH, (uint64_t)count * EIGHTH) == cells_are_free(from, count),
          "map %u: %u cells from %u", number, count, from);
    uint64_t found = memory_map_find(&info, (uint64_t)low * EIGHTH, (uint64_t)high * EIGHTH,
                                     (uint64_t)(count + 1) * EIGHTH);
    uint64_t expected = find_slowly(low, high, count + 1);
    CHECK(found == expected, "map %u: %u cells from %u to %u: found %llx, expected %llx", number,
          count + 1, low, high, (unsigned long long)found, (unsigned long long)expected);
}

int main(void)
{
    srand(1);
    check_known();
    check_neighbours();
    for (unsigned i = 0; i < MAPS; i++)
        check_random_map(i);
    return check_result();
}
