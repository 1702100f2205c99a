/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/tally.h"

#include "arch/cpu/memory/world.h"
#include "arch/lib/printf.h"
#include "kernel/machine/place.h"

static WORLD_SHARED struct tally tallies[PLACE_SLOTS];

void tally_add(enum tally_kind kind, uint64_t count)
{
    uint64_t *own = &tallies[place_slot()].counts[kind];

    __atomic_store_n(own, *own + count, __ATOMIC_RELAXED);
}

struct tally tally_of(unsigned slot)
{
    struct tally copy;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++)
        copy.counts[kind] = __atomic_load_n(&tallies[slot].counts[kind], __ATOMIC_RELAXED);
    return copy;
}

void tally_sum(struct tally *sum, const struct tally *one)
{
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++)
        sum->counts[kind] += one->counts[kind];
}

char *tally_format(const struct tally *tally, char text[TALLY_TEXT_SIZE])
{
    const uint64_t *n = tally->counts;

    format_string(text, TALLY_TEXT_SIZE,
                  "records=%lu interrupts=%lu programs=%lu runs=%lu failed=%lu", n[TALLY_RECORDS],
                  n[TALLY_INTERRUPTS], n[TALLY_PROGRAMS], n[TALLY_RUNS], n[TALLY_FAILURES]);
    return text;
}
