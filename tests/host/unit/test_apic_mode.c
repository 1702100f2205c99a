/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/apic.h"
#include "tests/host/unit/check.h"

#define BASE (0xfee00000ull | 1u << 8) /* where it is, and the processor that boots */
#define EN   (1ull << 11)
#define EXTD (1ull << 10)

static const uint64_t states[] = {BASE, BASE | EN, BASE | EN | EXTD};

static void check_choice(uint64_t state, bool offers, enum apic_wish wish, enum apic_mode expected)
{
    enum apic_mode got = apic_mode_choose(state, offers, wish);
    CHECK(got == expected, "base %llx, offered %d, wish %d: mode %d, expected %d",
          (unsigned long long)state, offers, wish, got, expected);
}

static void check_choices(void)
{
    for (unsigned offers = 0; offers < 2; offers++)
        for (unsigned wish = APIC_AS_FOUND; wish <= APIC_X2APIC; wish++)
            check_choice(states[2], offers, (enum apic_wish)wish, APIC_MODE_X2APIC);
    for (unsigned i = 0; i < 2; i++) {
        check_choice(states[i], false, APIC_AS_FOUND, APIC_MODE_XAPIC);
        check_choice(states[i], true, APIC_AS_FOUND, APIC_MODE_XAPIC);
        check_choice(states[i], false, APIC_X2APIC_IF_OFFERED, APIC_MODE_XAPIC);
        check_choice(states[i], true, APIC_X2APIC_IF_OFFERED, APIC_MODE_X2APIC);
        check_choice(states[i], false, APIC_X2APIC, APIC_MODE_ABSENT);
        check_choice(states[i], true, APIC_X2APIC, APIC_MODE_X2APIC);
    }
}

/* A register that takes the moves of the manual only. */
static bool is_legal(uint64_t from, uint64_t to)
{
    uint64_t off = 0, xapic = EN, x2apic = EN | EXTD;
    from &= EN | EXTD;
    to &= EN | EXTD;
    if (from == to)
        return true;
    return (from == off && to == xapic) || (from == xapic && (to == off || to == x2apic)) ||
           (from == x2apic && to == off);
}

static void check_way(uint64_t from, enum apic_mode mode)
{
    uint64_t moves[APIC_MOVES_MOST], now = from;
    unsigned count = apic_mode_moves(from, mode, moves);
    CHECK(count <= APIC_MOVES_MOST, "%u moves", count);
    for (unsigned i = 0; i < count; i++) {
        CHECK(is_legal(now, moves[i]) && now != moves[i], "%llx to %llx", (unsigned long long)now,
              (unsigned long long)moves[i]);
        now = moves[i];
    }
    CHECK(now == (BASE | (mode == APIC_MODE_X2APIC ? EN | EXTD : EN)), "%llx comes to %llx",
          (unsigned long long)from, (unsigned long long)now);
}

static void check_reach(void)
{
    static const uint32_t ids[] = {0, 1, 0xfe, 0xff, 0x100, 0x1ff, 0xfffffffe, 0xffffffff};
    static const bool xapic[] = {1, 1, 1, 0, 0, 0, 0, 0}, x2apic[] = {1, 1, 1, 1, 1, 1, 1, 0};
    for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        CHECK(apic_mode_reaches(APIC_MODE_XAPIC, ids[i]) == xapic[i], "xAPIC, %x", ids[i]);
        CHECK(apic_mode_reaches(APIC_MODE_X2APIC, ids[i]) == x2apic[i], "x2APIC, %x", ids[i]);
        CHECK(!apic_mode_reaches(APIC_MODE_ABSENT, ids[i]), "absent, %x", ids[i]);
    }
}

int main(void)
{
    check_choices();
    for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        check_way(states[i], APIC_MODE_XAPIC);
        check_way(states[i], APIC_MODE_X2APIC);
    }
    check_reach();
    return check_result();
}
