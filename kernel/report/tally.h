/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each processor on which tests run has done so far, for all to see. */
#ifndef KERNEL_REPORT_TALLY_H
#define KERNEL_REPORT_TALLY_H

#include <stdint.h>

#define SOAK_FOREVER UINT64_MAX /* the time of a soak that has no end */

enum tally_kind {
    TALLY_RECORDS,    /* BTS and PEBS records, LBR entries and counts held to what they must be */
    TALLY_INTERRUPTS, /* of performance monitoring, served */
    TALLY_PROGRAMS,   /* generated, and executed */
    TALLY_RUNS,       /* of a test, in a soak */
    TALLY_FAILURES,   /* … those that failed */
    TALLY_KINDS,
};

struct tally {
    uint64_t counts[TALLY_KINDS];
};

/* Of the processor that is running. */
void tally_add(enum tally_kind kind, uint64_t count);

/* slot: kernel/machine/place.h. A copy, which may be some behind. */
struct tally tally_of(unsigned slot);

/* sum += one */
void tally_sum(struct tally *sum, const struct tally *one);

#define TALLY_TEXT_SIZE 160u

/* "records=5 interrupts=2 programs=0 runs=7 failed=0". Returns text. */
char *tally_format(const struct tally *tally, char text[TALLY_TEXT_SIZE]);

#endif
