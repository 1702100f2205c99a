/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/undisturbed.h"

#include "kernel/ktap.h"
#include "kernel/test.h"
#include "tests/workloads/smi.h"

/* Of a run of five milliseconds, where two hundred SMIs come in a second, one in three has none. */
#define TRIES 20

static unsigned repeated, given_up;

struct undisturbed undisturbed_begin(void)
{
    return (struct undisturbed){.mark = smi_mark()};
}

void undisturbed_mark(struct undisturbed *run)
{
    run->mark = smi_mark();
}

static bool asks_for_one(void)
{
    return smi_out != SMI_HARMLESS_PORT;
}

bool undisturbed_again(struct undisturbed *run)
{
    if (asks_for_one() || smi_count_since(&run->mark) == 0)
        return false;
    if (run->tries == TRIES) {
        __atomic_fetch_add(&given_up, 1, __ATOMIC_RELAXED);
        return false;
    }
    run->tries++;
    __atomic_fetch_add(&repeated, 1, __ATOMIC_RELAXED);
    undisturbed_mark(run);
    return true;
}

static void print_repeated(void)
{
    if (repeated)
        ktap_comment(LEVEL_RUN, "runs that were repeated, since an SMI came amid them: %u",
                     repeated);
    if (given_up)
        ktap_comment(LEVEL_RUN, "runs amid which SMIs came %u times one after another: %u",
                     TRIES + 1, given_up);
}

REPORT(repeated_runs, print_repeated);
