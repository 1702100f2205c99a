/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are the addresses in records right wherever code lies? Generated programs run at addresses with a
 * single bit set, in ring 0, in ring 3, and from one to the other; in each second repetition at
 * their negatives, so that the bit is the lowest of those that are set.
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "kernel/report/test.h"
#include "tests/random/generated_program.h"
#include "tests/random/random_numbers.h"
#include "tests/spec/observe.h"

#define BIT_FIRST 13u /* two pages, and no code in the first of all */
#define BIT_LAST  46u /* of the lower canonical half, and the bits below the sign of the upper */
#define PLACES    (BIT_LAST + 1 - BIT_FIRST)

static uint64_t place(unsigned number, uint64_t repetition)
{
    uint64_t bit = 1ull << (BIT_FIRST + number);

    return repetition & 1 ? -bit : bit;
}

typedef void (*check)(struct test_context *t, const struct program *program);

static void check_bts(struct test_context *t, const struct program *program)
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = PROGRAM_TRANSFERS_MAX, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };

    observe_run(t, program, &run);
}

static void check_lbr(struct test_context *t, const struct program *program)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};

    observe_run(t, program, &run);
}

/* Another program at each place. Where a page is already, it is the image's, and all tests run
 * there. */
static void check_places(struct test_context *t, unsigned test, check check)
{
    for (unsigned i = 0; i < PLACES && !test_has_failed(t); i++) {
        uint64_t at = place(i, test_repetition(t));
        uint64_t seed = random_seed_number(test_seed(t) + test, test_repetition(t) * PLACES + i);
        const struct program *program = generated_program(t, GENERATED_RINGS, seed, at);

        if (program)
            check(t, program);
        if (!test_has_failed(t))
            continue;
        test_note(t, "that was the program of seed 0x%lx in the page at 0x%lx", seed, at);
        generated_program_note(t);
    }
    generated_program_close();
}

TEST(random, at_addresses_of_each_bit_in_bts, CLAIMS("BTS-1", "BTS-2"), NEEDS(BTS, SYSCALL))
{
    check_places(t, 0, check_bts);
}

TEST(random, at_addresses_of_each_bit_in_lbr, CLAIMS("LBR-1"), NEEDS(LBR, SYSCALL))
{
    check_places(t, 1, check_lbr);
}

#define HIGH_BIT 40u

static bool has_high_entry(const struct lbr_snapshot *snapshot)
{
    for (unsigned i = 0; i < lbr_depth(); i++)
        if (snapshot->raw[i].from >> HIGH_BIT & 1)
            return true;
    return false;
}

/* Addresses of 64 bits (F4.16), whatever IA32_PERF_CAPABILITIES says of the format: in 64-bit mode
 * the one of 32 bits cannot be. */
TEST(random, lbr_has_whole_addresses_in_64_bit_mode, CLAIMS("LBR-1"), NEEDS(LBR, SYSCALL))
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};
    uint64_t seed = random_seed_number(test_seed(t) + 2, test_repetition(t));
    const struct program *program = generated_program(t, GENERATED_RINGS, seed, 1ull << HIGH_BIT);
    struct observation got;

    if (program && observe(t, program, &run, &got))
        EXPECT(t, LBR_FROM, has_high_entry(&got.lbr.after),
               "LBR format %d: no FROM has bit %u of a program at %#llx, which ended right before",
               lbr_format(), HIGH_BIT, 1ull << HIGH_BIT);
    generated_program_close();
}
