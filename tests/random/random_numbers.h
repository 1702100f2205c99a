/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that look random and are the same on every processor: splitmix64 (Steele, Lea, Flood
 * 2014). Two seeds that differ in one bit give unrelated sequences.
 */
#ifndef TESTS_RANDOM_RANDOM_NUMBERS_H
#define TESTS_RANDOM_RANDOM_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct random_numbers {
    uint64_t state;
};

struct random_numbers random_seeded(uint64_t seed);
uint64_t random_next(struct random_numbers *numbers);

/* From 0 to bound - 1; bound must not be 0. */
uint32_t random_below(struct random_numbers *numbers, uint32_t bound);

/* True with this probability. */
bool random_percent(struct random_numbers *numbers, uint32_t percent);

/* Seed number n of a run. Number 0 is the run's own seed, so any of them can be given as seed=. */
uint64_t random_seed_number(uint64_t run_seed, uint64_t n);

#endif
