/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of what each processor that runs tests has done, readable by all. */
#ifndef KERNEL_REPORT_SOAK_STATS_H
#define KERNEL_REPORT_SOAK_STATS_H

#include <stdint.h>

enum soak_stats_kind {
    SOAK_STATS_RECORDS,    /* BTS and PEBS records, LBR entries and counts that were compared */
    SOAK_STATS_INTERRUPTS, /* performance interrupts served */
    SOAK_STATS_PROGRAMS,   /* generated programs executed */
    SOAK_STATS_RUNS,       /* of tests, in a soak */
    SOAK_STATS_FAILURES,   /* runs of tests, in a soak, that failed */
    SOAK_STATS_KINDS,
};

struct soak_stats {
    uint64_t counts[SOAK_STATS_KINDS];
};

/* Adds to the running processor's count. */
void soak_stats_add(enum soak_stats_kind kind, uint64_t count);

/* slot: kernel/machine/cpu_label.h. Returns a copy, which may lag behind. */
struct soak_stats soak_stats_of(unsigned slot);

/* sum += one */
void soak_stats_sum(struct soak_stats *sum, const struct soak_stats *one);

#define SOAK_STATS_TEXT_SIZE 160u

/* "records=5 interrupts=2 programs=0 runs=7 failed=0". Returns text. */
char *soak_stats_format(const struct soak_stats *stats, char text[SOAK_STATS_TEXT_SIZE]);

#endif
