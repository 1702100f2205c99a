/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures with short pieces of work. The fastest of many ran without interference, even if the
 * processor gets a hundredth of the time. The number that fits a longer time gives the percentage.
 * There are two kinds of work, because an emulator may compute quickly and reach devices slowly.
 */
#include "kernel/machine/pace.h"

#include <stddef.h>

#include "arch/cpu/ground/insn.h"
#include "kernel/machine/time.h"

#define PORT_B 0x61u /* system control port B of every PC; a read changes nothing */
#define ROUNDS 500u  /* microseconds, in an emulator too */
#define TRIES  1000u

/* For each kind: twice the usual scheduling period of hosts. */
#define MICROSECONDS 200000u

static void compute(void)
{
    for (volatile unsigned round = 0; round < ROUNDS; round++)
        ;
}

static void read_device(void)
{
    insn_in8(PORT_B);
}

static struct work {
    void (*piece)(void);
    uint64_t fastest; /* TSC ticks for one piece */
} works[] = {{.piece = compute}, {.piece = read_device}};

#define WORKS (sizeof(works) / sizeof(works[0]))

static uint64_t time_piece(const struct work *work)
{
    uint64_t start = time_now();

    work->piece();
    return time_now() - start;
}

void pace_init(void)
{
    for (size_t i = 0; i < WORKS; i++) {
        works[i].fastest = UINT64_MAX;
        for (unsigned tries = 0; tries < TRIES; tries++) {
            uint64_t ticks = time_piece(&works[i]);

            if (ticks < works[i].fastest)
                works[i].fastest = ticks;
        }
    }
}

static unsigned percent_of(const struct work *work)
{
    uint64_t start = time_now(), end = time_deadline_microseconds(MICROSECONDS);
    uint64_t pieces = 0, percent;

    for (; !time_passed(end); pieces++)
        time_piece(work);
    percent = pieces * work->fastest * 100 / (time_now() - start);
    return percent > 100 ? 100 : (unsigned)percent;
}

unsigned pace_percent(void)
{
    unsigned least = 100;

    for (size_t i = 0; i < WORKS; i++) {
        unsigned percent = percent_of(&works[i]);

        if (percent < least)
            least = percent;
    }
    return least;
}
