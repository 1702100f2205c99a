/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are CPUID.0AH and CPUID.23H read as the manual lays them out, and which counters and events
 * follow from them? */
#include "arch/trace/perfmon.h"
#include "check.h"

/* EAX: version, counters, width, length of the event mask. */
#define EAX(version, counters, width, length)                                                      \
    ((version) | (counters) << 8 | (width) << 16 | (uint32_t)(length) << 24)
/* EDX: fixed counters, width, AnyThread deprecated. */
#define EDX(counters, width) ((counters) | (width) << 5 | 1u << 15)

static void test_no_perfmon(void)
{
    struct perfmon_identity none = perfmon_decode(
        (struct cpuid_result){.eax = EAX(0u, 4, 48, 7), .ebx = 1, .ecx = 7, .edx = EDX(3u, 48)});

    CHECK(none.version == 0 && none.counters == 0 && none.fixed_counters == 0, "version 0");
    CHECK(perfmon_fixed_limit(&none) == 0, "fixed counters without perfmon");
    CHECK(!perfmon_event_available(&none, 0), "events without perfmon");
}

static void test_version_1(void)
{
    struct perfmon_identity one = perfmon_decode(
        (struct cpuid_result){.eax = EAX(1u, 2, 40, 7), .ecx = 7, .edx = 3 | 40 << 5});

    CHECK(one.version == 1 && one.counters == 2 && one.counter_bits == 40, "general-purpose");
    CHECK(perfmon_fixed_limit(&one) == 0, "version 1 has no fixed counters, whatever ECX, EDX say");
    CHECK(one.fixed_counter_bits == 0, "nor a width of them");
}

static void test_version_4(void)
{
    struct perfmon_identity four = perfmon_decode((struct cpuid_result){
        .eax = EAX(4u, 8, 48, 7), .ebx = 0x42, .ecx = 0xf, .edx = EDX(3u, 39)});

    CHECK(four.version == 4 && four.counters == 8 && four.counter_bits == 48, "general-purpose");
    CHECK(four.fixed_counters == 3 && four.fixed_counter_bits == 39, "fixed");
    CHECK(perfmon_fixed_limit(&four) == 3, "the bitmap means nothing before version 5: %u",
          perfmon_fixed_limit(&four));
    for (unsigned event = 0; event < 8; event++)
        CHECK(perfmon_event_available(&four, event) == (event != 1 && event != 6 && event < 7),
              "event %u", event);
    CHECK(!perfmon_event_available(&four, 40), "event 40");
}

/* F1.11: by either register; there may be gaps. */
static void test_version_5(void)
{
    struct perfmon_identity five = perfmon_decode(
        (struct cpuid_result){.eax = EAX(5u, 8, 48, 8), .ecx = 0x24, .edx = EDX(1u, 48)});
    const bool exists[] = {true, false, true, false, false, true, false};

    for (unsigned i = 0; i < sizeof exists / sizeof exists[0]; i++)
        CHECK(perfmon_fixed_exists(&five, i) == exists[i], "fixed counter %u", i);
    CHECK(perfmon_fixed_limit(&five) == 6, "limit %u", perfmon_fixed_limit(&five));
    CHECK(!perfmon_fixed_exists(&five, 32) && !perfmon_fixed_exists(&five, 100), "past the bitmap");
    CHECK(perfmon_event_available(&five, 7), "event 7");
    five.fixed_bitmap = 1u << 31;
    CHECK(perfmon_fixed_limit(&five) == 32, "limit %u", perfmon_fixed_limit(&five));
    five.fixed_bitmap = 0;
    CHECK(perfmon_fixed_limit(&five) == 1, "limit %u", perfmon_fixed_limit(&five));
}

/* All 32 bits of the mask are there: no shift goes too far. */
static void test_long_event_mask(void)
{
    struct perfmon_identity all =
        perfmon_decode((struct cpuid_result){.eax = EAX(2u, 2, 40, 255), .ebx = 0x80000000});

    CHECK(all.event_mask_length == 255, "length %u", all.event_mask_length);
    CHECK(perfmon_event_available(&all, 30) && !perfmon_event_available(&all, 31), "bits 30, 31");
    CHECK(!perfmon_event_available(&all, 32), "bit 32");
}

/* F21.35: cores of several kinds, and no leaf 23H. */
static void test_doubt(void)
{
    const struct cpuid_result none[2] = {0}, hybrid[2] = {{.eax = 1, .edx = 1u << 15}},
                              more[2] = {{.eax = 1}, {.eax = 1u << 8}},
                              both[2] = {{.eax = 1, .edx = 1u << 15}, {.eax = 1u << 8}};

    CHECK(!perfmon_is_in_doubt(none, 0x1f), "ordinary");
    CHECK(perfmon_is_in_doubt(hybrid, 0x1f), "hybrid");
    CHECK(!perfmon_is_in_doubt(more, 0x23), "leaf 23H says all");
    CHECK(!perfmon_is_in_doubt(both, 0x23), "of a core of a hybrid, too");
    CHECK(perfmon_is_in_doubt(both, 0x22), "but not where it is past the last leaf");
}

/* F21.7: bit and leaf. */
static void test_own_leaf(void)
{
    const struct cpuid_result none[2] = {0}, more[2] = {{.eax = 1}, {.eax = 1u << 8}};

    CHECK(perfmon_has_own(more, 0x23) && !perfmon_has_own(more, 0x22), "the highest leaf");
    CHECK(!perfmon_has_own(none, 0x24), "CPUID.07H.1:EAX[8]");
}

/* A core with holes, as F21.11 has one, and leaf 0AH of all kinds. */
static struct perfmon_identity skymont(uint32_t leaves)
{
    const struct cpuid_result own[PERFMON_OWN_LEAVES] = {
        {.eax = leaves, .ebx = 3, .ecx = 0xffffff08},
        {.eax = 0xff, .ebx = 0x77},
        {0xfc, 3, 0xf0, 1},
        {.eax = 0x1f7f},
        {.ebx = 0x60060338},
        {0xfe, 2, 0x76, 4},
    };
    struct perfmon_identity perfmon = perfmon_decode((struct cpuid_result){
        .eax = EAX(6u, 6, 48, 13), .ebx = 0x280, .ecx = 7, .edx = EDX(3u, 48)});

    perfmon.own = perfmon_decode_own(own);
    return perfmon;
}

static void test_own_counters(void)
{
    struct perfmon_identity perfmon = skymont(0x3f);

    CHECK(perfmon_general_bitmap(&perfmon) == 0xff && perfmon_fixed_bitmap(&perfmon) == 0x77,
          "more than leaf 0AH has: %#x, %#x", perfmon_general_bitmap(&perfmon),
          perfmon_fixed_bitmap(&perfmon));
    CHECK(perfmon_fixed_exists(&perfmon, 2) && !perfmon_fixed_exists(&perfmon, 3), "the hole");
    CHECK(perfmon_general_limit(&perfmon) == 8 && perfmon_fixed_limit(&perfmon) == 7, "limits");
    CHECK(perfmon_event_available(&perfmon, 9) && !perfmon_event_available(&perfmon, 7), "events");
    CHECK(perfmon_count(perfmon_fixed_bitmap(&perfmon)) == 6, "how many");
    CHECK(perfmon.own.slots == 8 && perfmon.own.select_bits == 3, "sub-leaf 0");
    CHECK(perfmon.own.reloaded.general == 0xfc && perfmon.own.reloaded.fixed == 3 &&
              perfmon.own.reloads.general == 0xf0 && perfmon.own.reloads.fixed == 1,
          "sub-leaf 2");
    CHECK(perfmon.own.pebs_groups == 0x60060338 && perfmon.own.pebs.general == 0xfe &&
              perfmon.own.distributed.general == 2 && perfmon.own.pebs.fixed == 0x76 &&
              perfmon.own.distributed.fixed == 4,
          "sub-leaves 4 and 5");
    perfmon.own.counters.general = 0x205;
    CHECK(!perfmon_general_exists(&perfmon, 1) && perfmon_general_exists(&perfmon, 9) &&
              perfmon_general_limit(&perfmon) == 10,
          "holes among the general-purpose ones");
}

/* What sub-leaf 0 does not name is not looked at. */
static void test_own_sub_leaves(void)
{
    struct perfmon_identity perfmon = skymont(1);

    CHECK(perfmon_general_bitmap(&perfmon) == 0x3f && perfmon_fixed_bitmap(&perfmon) == 7,
          "leaf 0AH then");
    CHECK(!perfmon_event_available(&perfmon, 9) && perfmon_event_available(&perfmon, 8), "events");
    CHECK(!perfmon.own.reloaded.general && !perfmon.own.pebs_groups && !perfmon.own.pebs.general,
          "nothing more");
    perfmon = skymont(3);
    CHECK(perfmon_fixed_bitmap(&perfmon) == 0x77 && !perfmon_event_available(&perfmon, 9),
          "counters alone");
}

int main(void)
{
    test_doubt();
    test_own_leaf();
    test_own_counters();
    test_own_sub_leaves();
    test_no_perfmon();
    test_version_1();
    test_version_4();
    test_version_5();
    test_long_event_mask();
    return check_result();
}
