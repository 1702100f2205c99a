// SPDX-License-Identifier: GPL-2.0-or-later
#include "chance.h"

#define SEED 0x9e3779b97f4a7c15ull

/* A shift register of 64 bits with feedback (xorshift); its state is never 0. */
static uint64_t next_random(struct ds_cpu *cpu)
{
    uint64_t state = cpu->random ? cpu->random : SEED;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    cpu->random = state;
    return state;
}

bool chance(struct ds_cpu *cpu, uint32_t n)
{
    return n == 1 || (next_random(cpu) >> 16) % n == 0;
}
