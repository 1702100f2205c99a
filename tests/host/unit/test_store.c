/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the BTS buffer of the specification go by the manual's arithmetic? Worked by hand, one row
 * each. */
#include "tests/spec/store.h"

#include "arch/trace/debugctl.h"
#include "check.h"

#define FITS    VALUE_FITS
#define BELOW   VALUE_INDEX_BELOW
#define STRICT  VALUE_FITS_STRICTLY
#define DROPS   VALUE_DROPS
#define WRAPS   VALUE_WRAPS
#define NOT_DUE NO
#define DUE     YES
#define OPEN    MAYBE

#define BASE 0x10000u

static enum choice_value limit, full, wrap;

enum choice_value choice_value_at(enum choice choice, struct choice_point point)
{
    (void)point;
    return choice == CHOICE_LIMIT  ? limit
           : choice == CHOICE_FULL ? full
           : choice == CHOICE_WRAP ? wrap
                                   : VALUE_UNKNOWN;
}

/* Index, maximum and threshold before; where the last record went; the index and the number of
 * records afterwards; whether the interrupt is due. In bytes from the base. */
static const struct {
    const char *what;
    size_t index, maximum, threshold;
    bool circular;
    enum choice_value limit, full;
    size_t transfers;
    size_t last_at, end, stored;
    enum maybe due;
} cases[] = {
    {"room left", 0, 72, 100, true, FITS, DROPS, 2, 24, 48, 2, NOT_DUE},
    {"a lap", 0, 72, 100, true, FITS, DROPS, 4, 0, 24, 4, NOT_DUE},
    {"a lap of the smallest reading", 0, 72, 100, true, STRICT, DROPS, 3, 0, 24, 3, NOT_DUE},
    {"one byte more", 0, 73, 100, true, STRICT, DROPS, 3, 48, 72, 3, NOT_DUE},
    {"one byte more, across", 0, 73, 200, true, BELOW, DROPS, 4, 72, 96, 4, NOT_DUE},
    {"from the middle", 24, 72, 100, true, FITS, DROPS, 3, 0, 24, 3, NOT_DUE},
    {"between two records", 8, 72, 100, true, FITS, DROPS, 3, 0, 24, 3, NOT_DUE},
    {"a rest is no room", 0, 90, 100, true, FITS, DROPS, 4, 0, 24, 4, NOT_DUE},
    {"a rest is room", 0, 90, 200, true, BELOW, DROPS, 4, 72, 96, 4, NOT_DUE},
    {"threshold in a circle", 0, 72, 24, true, FITS, DROPS, 1, 0, 24, 1, OPEN},
    {"threshold met", 0, 72, 24, false, FITS, DROPS, 1, 0, 24, 1, DUE},
    {"one record before it", 0, 72, 48, false, FITS, DROPS, 1, 0, 24, 1, NOT_DUE},
    {"inside a record", 0, 96, 25, false, FITS, DROPS, 1, 0, 24, 1, OPEN},
    {"behind the inside", 0, 96, 25, false, FITS, DROPS, 2, 24, 48, 2, OPEN},
    {"at the base", 0, 72, 0, false, FITS, DROPS, 1, 0, 24, 1, DUE},
    {"below the index", 48, 120, 24, false, FITS, DROPS, 1, 48, 72, 1, DUE},
    {"at the end", 0, 48, 48, false, FITS, DROPS, 2, 24, 48, 2, DUE},
    {"at the end that wraps", 0, 48, 48, false, FITS, WRAPS, 2, 24, 48, 2, OPEN},
    {"never at the end", 0, 48, 48, false, STRICT, DROPS, 2, 0, 24, 1, OPEN},
    {"above the end", 0, 48, 49, false, FITS, DROPS, 5, 24, 48, 2, NOT_DUE},
    {"full and dropped", 0, 48, 72, false, FITS, DROPS, 5, 24, 48, 2, NOT_DUE},
    {"full and wrapped", 0, 48, 72, false, FITS, WRAPS, 3, 0, 24, 3, NOT_DUE},
};

static struct store store_from(size_t index, size_t maximum, size_t threshold)
{
    const struct ds_management_area area = {.bts_buffer_base = BASE,
                                            .bts_index = BASE + index,
                                            .bts_absolute_maximum = BASE + maximum,
                                            .bts_interrupt_threshold = BASE + threshold};

    return store_of(&area);
}

static void check_case(size_t i)
{
    uint64_t debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | (cases[i].circular ? 0 : DEBUGCTL_BTINT);
    enum maybe due = NO, asks;
    struct store store;
    uint64_t last = 0;
    size_t stored = 0;

    limit = cases[i].limit;
    full = cases[i].full;
    wrap = VALUE_LAZY;
    store = store_from(cases[i].index, cases[i].maximum, cases[i].threshold);
    for (size_t n = 0; n < cases[i].transfers; n++) {
        uint64_t place = store_add(&store, debugctl, &asks);

        last = place ? place : last;
        stored += place != 0;
        maybe_raise(&due, asks);
    }
    CHECK(last - BASE == cases[i].last_at, "%s: the last went to %zu", cases[i].what,
          (size_t)(last - BASE));
    CHECK(store.index - BASE == cases[i].end, "%s: index %zu", cases[i].what,
          (size_t)(store.index - BASE));
    CHECK(stored == cases[i].stored, "%s: %zu stored", cases[i].what, stored);
    CHECK(due == cases[i].due, "%s: interrupt %u", cases[i].what, due);
}

/* The index of a full lap: back at the base at once, at the end, or not known yet. */
static void test_wrap(void)
{
    static const enum choice_value values[] = {VALUE_EAGER, VALUE_LAZY, VALUE_UNKNOWN};
    enum maybe asks;

    limit = FITS;
    full = VALUE_UNKNOWN;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct store store;

        wrap = values[i];
        store = store_from(0, 48, 72);
        store_add(&store, DEBUGCTL_TR | DEBUGCTL_BTS, &asks);
        CHECK(!store.may_wrap, "in the middle");
        store_add(&store, DEBUGCTL_TR | DEBUGCTL_BTS, &asks);
        CHECK(store.index == (wrap == VALUE_EAGER ? BASE : BASE + 48), "%#llx",
              (unsigned long long)store.index);
        CHECK(store.may_wrap == (wrap == VALUE_UNKNOWN), "reading %zu", i);
        CHECK(store_add(&store, DEBUGCTL_TR | DEBUGCTL_BTS, &asks) == BASE, "the next record");
        CHECK(!store.may_wrap && !store.needs_full, "behind it");
    }
}

/* Whether an index at the end asks for the interrupt: not with BTINT clear, nor above the end. */
static void test_at_the_end(void)
{
    static const struct {
        uint64_t btint;
        size_t threshold;
        bool asks;
    } rows[] = {{DEBUGCTL_BTINT, 48, true}, {DEBUGCTL_BTINT, 49, false}, {0, 48, false}};
    enum maybe asks;

    limit = FITS;
    full = VALUE_WRAPS;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | rows[i].btint;
        struct store store = store_from(0, 48, rows[i].threshold);

        store_add(&store, debugctl, &asks);
        CHECK(!store.asks_at_end, "row %zu, in the middle", i);
        store_add(&store, debugctl, &asks);
        CHECK(asks != YES && store.asks_at_end == rows[i].asks, "row %zu, at the end", i);
        store_add(&store, debugctl, &asks);
        CHECK(!store.asks_at_end, "row %zu, behind it", i);
    }
}

/* What is not learnt is asked for where it counts, and not before. */
static void test_needs(void)
{
    const uint64_t debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;
    struct store store;
    enum maybe asks;

    limit = full = wrap = VALUE_UNKNOWN;
    store = store_from(0, 96, 200);
    store_add(&store, debugctl, &asks);
    store_add(&store, debugctl, &asks);
    CHECK(!store.needs_limit, "all readings have room for three");
    store_add(&store, debugctl, &asks);
    CHECK(store.needs_limit, "one has none for four");
    limit = FITS;
    store = store_from(72, 96, 200);
    store_add(&store, debugctl, &asks);
    CHECK(!store.needs_full && !store.needs_limit, "full");
    CHECK(store_add(&store, debugctl, &asks) == 0 && store.needs_full, "and one more");
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(i);
    test_wrap();
    test_at_the_end();
    test_needs();
    return check_result();
}
