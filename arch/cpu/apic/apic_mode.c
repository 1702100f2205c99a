/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/apic.h"

#define XAPIC_EVERYBODY  0xffu
#define X2APIC_EVERYBODY UINT32_MAX
#define BOTH             (APIC_BASE_EN | APIC_BASE_EXTD)

enum apic_mode apic_mode_choose(uint64_t base, bool offers, enum apic_wish wish)
{
    if ((base & BOTH) == BOTH)
        return APIC_MODE_X2APIC;
    if (wish != APIC_AS_FOUND && offers)
        return APIC_MODE_X2APIC;
    return wish == APIC_X2APIC ? APIC_MODE_ABSENT : APIC_MODE_XAPIC;
}

bool apic_mode_reaches(enum apic_mode mode, uint32_t id)
{
    switch (mode) {
    case APIC_MODE_XAPIC:
        return id < XAPIC_EVERYBODY;
    case APIC_MODE_X2APIC:
        return id < X2APIC_EVERYBODY;
    default:
        return false;
    }
}

unsigned apic_mode_moves(uint64_t base, enum apic_mode mode, uint64_t moves[APIC_MOVES_MOST])
{
    uint64_t off = base & ~BOTH, now = base;
    unsigned count = 0;
    if (mode == APIC_MODE_XAPIC && (now & APIC_BASE_EXTD))
        now = moves[count++] = off;
    if (!(now & APIC_BASE_EN))
        now = moves[count++] = off | APIC_BASE_EN;
    if (mode == APIC_MODE_X2APIC && !(now & APIC_BASE_EXTD))
        moves[count++] = off | BOTH;
    return count;
}
