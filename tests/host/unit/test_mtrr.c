/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which type a byte has, by ranges as boards have them and by ranges that overlap at random. */
#include "arch/cpu/memory/mtrr.h"
#include <stdlib.h>
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/identity/identity.h"
#include "tests/host/unit/check.h"

#define MACHINES 20000u
#define GIB      (1ull << 30)
#define MASK     0x0000007ffffff000ull /* 39 bits of physical addresses */
#define ON       (1u << 11)

static struct mtrrs mtrrs;

/* mtrr_read() is not called here. */
struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    (void)number, (void)value;
    abort();
}

bool cpuid_bit_value(struct cpuid_bit bit)
{
    (void)bit;
    abort();
}

static void add(uint64_t base, uint64_t size, uint64_t type)
{
    mtrrs.ranges[mtrrs.count].base = base | type;
    mtrrs.ranges[mtrrs.count++].mask = (~(size - 1) & MASK) | ON;
}

/* Memory write-back by ranges, the rest uncacheable; and the other way round. */
static void check_boards(void)
{
    mtrrs = (struct mtrrs){.default_type = ON | MEMORY_UNCACHEABLE};
    add(0, 2 * GIB, MEMORY_WRITE_BACK);
    add(4 * GIB, 4 * GIB, MEMORY_WRITE_BACK);
    add(0x7f000000, 0x1000000, MEMORY_UNCACHEABLE);
    CHECK(mtrr_type(&mtrrs, 16 << 20) == MEMORY_WRITE_BACK, "memory");
    CHECK(mtrr_type(&mtrrs, 0x7f000000) == MEMORY_UNCACHEABLE, "the hole at its end");
    CHECK(mtrr_type(&mtrrs, 0x7effffff) == MEMORY_WRITE_BACK, "the byte before");
    CHECK(mtrr_type(&mtrrs, 3 * GIB) == MEMORY_UNCACHEABLE, "devices");
    CHECK(mtrr_type(&mtrrs, 8 * GIB - 1) == MEMORY_WRITE_BACK, "memory above 4 GiB");
    mtrrs.default_type = MEMORY_WRITE_BACK;
    CHECK(mtrr_type(&mtrrs, 16 << 20) == MEMORY_UNCACHEABLE, "switched off");
    mtrrs = (struct mtrrs){.default_type = ON | MEMORY_WRITE_BACK};
    add(3 * GIB, GIB, MEMORY_UNCACHEABLE);
    mtrrs.ranges[1].base = MEMORY_UNCACHEABLE; /* one that is not valid */
    mtrrs.count = 2;
    CHECK(mtrr_type(&mtrrs, 16 << 20) == MEMORY_WRITE_BACK, "by default");
    CHECK(mtrr_type(&mtrrs, 3 * GIB) == MEMORY_UNCACHEABLE, "devices");
    mtrrs.default_type = ON | 7;
    CHECK(mtrr_type(&mtrrs, 16 << 20) == MEMORY_TYPE_UNDEFINED, "no type");
}

/* Which types are over the byte, as a set. */
static unsigned types_at(uint64_t address)
{
    unsigned set = 0;
    for (unsigned i = 0; i < mtrrs.count; i++) {
        uint64_t size = (~(mtrrs.ranges[i].mask & MASK) & (MASK | 0xfff)) + 1;
        uint64_t base = mtrrs.ranges[i].base & MASK;
        if (address >= base && address - base < size)
            set |= 1u << (mtrrs.ranges[i].base & 7);
    }
    return set;
}

static enum memory_type expected_at(uint64_t address)
{
    unsigned set = types_at(address);
    for (unsigned type = 0; type <= MEMORY_WRITE_BACK; type++)
        if (set == 1u << type)
            return (enum memory_type)type;
    if (set & 1u << MEMORY_UNCACHEABLE)
        return MEMORY_UNCACHEABLE;
    if (set == (1u << MEMORY_WRITE_BACK | 1u << MEMORY_WRITE_THROUGH))
        return MEMORY_WRITE_THROUGH;
    return set == 0 ? MEMORY_WRITE_BACK : MEMORY_TYPE_UNDEFINED;
}

static void check_random(void)
{
    static const unsigned types[] = {MEMORY_UNCACHEABLE, MEMORY_WRITE_COMBINING,
                                     MEMORY_WRITE_THROUGH, MEMORY_WRITE_PROTECTED,
                                     MEMORY_WRITE_BACK};
    mtrrs = (struct mtrrs){.default_type = ON | MEMORY_WRITE_BACK};
    for (unsigned ranges = (unsigned)rand() % 6; ranges > 0; ranges--) {
        unsigned bits = 20 + (unsigned)rand() % 5;
        add((uint64_t)(rand() % 32) << bits, 1ull << bits, types[rand() % 5]);
    }
    for (unsigned looks = 0; looks < 20; looks++) {
        uint64_t address = (uint64_t)(rand() % (1 << 29));
        enum memory_type type = mtrr_type(&mtrrs, address);
        CHECK(type == expected_at(address), "%llx: %u, of the set %x", (unsigned long long)address,
              type, types_at(address));
    }
}

int main(void)
{
    srand(1);
    check_boards();
    for (unsigned i = 0; i < MACHINES; i++)
        check_random();
    return check_result();
}
