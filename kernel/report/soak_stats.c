/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/soak_stats.h"

#include "arch/cpu/memory/private_image.h"
#include "arch/lib/printf.h"
#include "kernel/machine/cpu_label.h"

static SHARED_BY_IMAGES struct soak_stats all_stats[CPU_SLOTS];

void soak_stats_add(enum soak_stats_kind kind, uint64_t count)
{
    uint64_t *own = &all_stats[cpu_slot()].counts[kind];

    __atomic_store_n(own, *own + count, __ATOMIC_RELAXED);
}

struct soak_stats soak_stats_of(unsigned slot)
{
    struct soak_stats copy;

    for (unsigned kind = 0; kind < SOAK_STATS_KINDS; kind++)
        copy.counts[kind] = __atomic_load_n(&all_stats[slot].counts[kind], __ATOMIC_RELAXED);
    return copy;
}

void soak_stats_sum(struct soak_stats *sum, const struct soak_stats *one)
{
    for (unsigned kind = 0; kind < SOAK_STATS_KINDS; kind++)
        sum->counts[kind] += one->counts[kind];
}

char *soak_stats_format(const struct soak_stats *stats, char text[SOAK_STATS_TEXT_SIZE])
{
    const uint64_t *n = stats->counts;

    format_string(text, SOAK_STATS_TEXT_SIZE,
                  "records=%lu interrupts=%lu programs=%lu runs=%lu failed=%lu",
                  n[SOAK_STATS_RECORDS], n[SOAK_STATS_INTERRUPTS], n[SOAK_STATS_PROGRAMS],
                  n[SOAK_STATS_RUNS], n[SOAK_STATS_FAILURES]);
    return text;
}
