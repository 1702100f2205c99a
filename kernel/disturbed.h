/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An SMI of the firmware leaves entries, records and counts that the processor is not to blame for.
 * A test that fails while one came runs again, a few times: what it printed and learnt is taken
 * back. A fault fails each time. MSR_SMI_COUNT tells of SMIs (F10.7).
 *
 * Lines are kept back from the first SMI of the run on; a test with subtests that is disturbed by
 * that one has printed its subtests already, and its failure stands.
 */
#ifndef KERNEL_DISTURBED_H
#define KERNEL_DISTURBED_H

#include <stdbool.h>
#include "arch/cpu/smi.h"
#include "kernel/context.h"

struct disturbed_test {
    struct smi_mark mark;
    bool asks; /* the test raises SMIs itself */
    bool holds;
    unsigned runs;
};

/* Before a test's first run. */
struct disturbed_test disturbed_begin(bool asks_for_smis);

/* After a run: must there be another one? */
bool disturbed_again(struct disturbed_test *test, const struct test_context *context);

/* At the end of the log, where a test ran again. */
void disturbed_print(void);

#endif
