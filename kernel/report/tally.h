/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of what each processor that runs tests has done, readable by all. */
#ifndef KERNEL_REPORT_TALLY_H
#define KERNEL_REPORT_TALLY_H

#include <stdint.h>

#define SOAK_FOREVER UINT64_MAX /* the time of a soak that has no end */

enum tally_kind {
    TALLY_RECORDS,    /* BTS and PEBS records, LBR entries and counts that were compared */
    TALLY_INTERRUPTS, /* performance interrupts served */
    TALLY_PROGRAMS,   /* generated programs executed */
    TALLY_RUNS,       /* of tests, in a soak */
    TALLY_FAILURES,   /* failed TALLY_RUNS */
    TALLY_KINDS,
};

struct tally {
    uint64_t counts[TALLY_KINDS];
};

/* Adds to the running processor's count. */
void tally_add(enum tally_kind kind, uint64_t count);

/* slot: kernel/machine/place.h. Returns a copy, which may lag behind. */
struct tally tally_of(unsigned slot);

/* sum += one */
void tally_sum(struct tally *sum, const struct tally *one);

#define TALLY_TEXT_SIZE 160u

/* "records=5 interrupts=2 programs=0 runs=7 failed=0". Returns text. */
char *tally_format(const struct tally *tally, char text[TALLY_TEXT_SIZE]);

#endif
