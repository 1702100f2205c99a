/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disturbances of a test: SMIs of the firmware, and interrupts that nobody claims. Both leave
 * records, entries and counts that are no fault of the processor.
 */
#ifndef KERNEL_RUN_INTERFERENCE_H
#define KERNEL_RUN_INTERFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/apic/smi.h"
#include "kernel/report/test.h"

struct interference {
    struct smi_mark smi_before;
    uint32_t unclaimed_before, suspected_before;
    uint32_t smis;      /* while it ran; 0 if SMIs are not counted (F10.7) */
    uint32_t unclaimed; /* interrupts and NMIs while it ran */
    uint32_t suspected; /* NMIs that may be the first of a board (unclaimed_suspect()) */
    uint32_t counters;  /* 1: somebody else uses a counter (arch/trace/foreign_counters.h) */
    uint32_t gaps;      /* of a second's watch (kernel/machine/smis.h) */
};

struct interference interference_begin(void);

/* Has the test been disturbed so far, or may it have been? asks_for_smis: SMIs count as the test's
 * own, unless other tests have met some. */
bool interference_look(struct interference *interference, bool asks_for_smis);

/* For a test or subtest that failed: looks for other disturbances. Returns true if it finds any. */
bool interference_look_further(struct interference *interference);

/* Number of repeated runs. interference_add_repeated() adds those of another processor. */
unsigned interference_repeated(void);
void interference_add_repeated(unsigned times);

/* Prints that number at the end of the log, unless it is 0. */
void interference_print(void);

/* Prints, for a test that failed, what disturbed it and whether it runs again. */
void interference_print_failure(const struct interference *interference, const struct test *test,
                                bool again);

/*
 * The log of interrupts that nobody claims. More than a thousand in a second or ten thousand in all
 * end the run, because tests can no longer be judged.
 */

#define UNCLAIMED_SECOND_MOST 1000u  /* that may come in a second */
#define UNCLAIMED_MOST        10000u /* that may come in all */

struct trap_frame;

/* Starts watching for storms, on all processors. storm() must end the run: `what` describes the
 * storm, and `frame` is the last interrupt's, NULL if that came on another processor. */
void unclaimed_start(void (*storm)(struct trap_frame *frame, const char *what));

/* Stops watching, because the run is ending. */
void unclaimed_stop(void);

/* Between two tests: prints a line for each vector that is new since the last call. Ends the run if
 * a storm came on another processor. */
void unclaimed_print_new(unsigned level);

/* Prints "# unclaimed: vector 0x31 x3, NMI x1", or nothing if there were none. */
void unclaimed_print_all(void);

#endif
