/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is it splitmix64, and does every seed give a sequence of its own? */
#include <inttypes.h>
#include "tests/random/random_numbers.h"
#include "tests/host/unit/check.h"

/* The algorithm's published output for the state 1234567. */
static void test_published_sequence(void)
{
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};
    struct random_numbers numbers = {1234567};

    for (unsigned i = 0; i < 5; i++) {
        uint64_t got = random_next(&numbers);

        CHECK(got == expected[i], "number %u is %" PRIu64, i, got);
    }
}

static void test_below(void)
{
    struct random_numbers numbers = random_seeded(1);
    unsigned seen[7] = {0}, percent = 0;

    for (unsigned i = 0; i < 7000; i++) {
        uint32_t value = random_below(&numbers, 7);

        CHECK(value < 7, "%u is not below 7", value);
        seen[value % 7]++;
    }
    for (unsigned i = 0; i < 7; i++)
        CHECK(seen[i] > 850 && seen[i] < 1150, "%u came %u times of 7000", i, seen[i]);
    for (unsigned i = 0; i < 10000; i++)
        percent += random_percent(&numbers, 30);
    CHECK(percent > 2800 && percent < 3200, "30 percent came %u times of 10000", percent);
    CHECK(random_below(&numbers, 1) == 0, "below 1");
}

/* Seeds of one run are a constant apart: their sequences must not be one, shifted. */
static void test_seeds(void)
{
    struct random_numbers first = random_seeded(random_seed_number(5, 0));
    uint64_t start = random_next(&first), second = random_next(&first);

    CHECK(random_seed_number(5, 0) == 5, "seed number 0 is the run's own");
    for (uint64_t n = 1; n < 1000; n++) {
        struct random_numbers other = random_seeded(random_seed_number(5, n));
        uint64_t value = random_next(&other);

        CHECK(value != start && value != second, "seed number %" PRIu64, n);
    }
}

int main(void)
{
    test_published_sequence();
    test_below();
    test_seeds();
    return check_result();
}
