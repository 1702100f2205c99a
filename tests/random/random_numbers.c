/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/random_numbers.h"

#define GOLDEN 0x9e3779b97f4a7c15ull /* 2^64 / golden ratio, odd */

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ value >> 27) * 0x94d049bb133111ebull;
    return value ^ value >> 31;
}

/* Mixed once more: seeds that are GOLDEN apart would else give one sequence, shifted. */
struct random_numbers random_seeded(uint64_t seed)
{
    return (struct random_numbers){mix(seed)};
}

uint64_t random_next(struct random_numbers *numbers)
{
    numbers->state += GOLDEN;
    return mix(numbers->state);
}

/* The upper half times the bound: no division, a bias of less than bound / 2^32. */
uint32_t random_below(struct random_numbers *numbers, uint32_t bound)
{
    return (uint32_t)((random_next(numbers) >> 32) * bound >> 32);
}

bool random_percent(struct random_numbers *numbers, uint32_t percent)
{
    return random_below(numbers, 100) < percent;
}

uint64_t random_seed_number(uint64_t run_seed, uint64_t n)
{
    return run_seed + n * GOLDEN;
}
