/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/retry.h"

#include "arch/cpu/ground/insn.h"
#include "arch/cpu/apic/unclaimed.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/machine/smis.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/workloads/kinds/smi.h"

/* With two hundred SMIs a second, one run of five milliseconds in three has none. */
#define TRIES        20
#define MICROSECONDS 20 /* longer than the quickest: an SMI takes more */
#define SHARE        64 /* or so much of it */

static unsigned after_smi, after_interrupt, given_up, unsteady;

void retry_mark(struct retry *run)
{
    run->mark = smi_mark();
    run->unclaimed = unclaimed_disturbances();
    run->start = insn_rdtsc();
}

struct retry retry_begin(void)
{
    struct retry run = {.tries = 0};

    retry_mark(&run);
    return run;
}

static bool asks_for_one(void)
{
    return smi_out != SMI_HARMLESS_PORT;
}

/* Did the run take longer or shorter than the quickest before it? The first has none to agree
 * with. */
static bool is_unsteady(struct retry *run)
{
    uint64_t took = insn_rdtsc() - run->start, quickest = run->quickest;
    uint64_t slack = quickest / SHARE + MICROSECONDS * time_tsc_per_microsecond();

    if (quickest == 0 || took < quickest)
        run->quickest = took;
    return quickest == 0 || took > quickest + slack || took + slack < quickest;
}

/* Once more, for what `count` counts; or too often by now. */
static bool again_for(struct retry *run, unsigned *count, unsigned *too_often)
{
    bool again = run->tries < TRIES;

    __atomic_fetch_add(again ? count : too_often, 1, __ATOMIC_RELAXED);
    if (!again)
        return false;
    run->tries++;
    retry_mark(run);
    return true;
}

bool retry_had_interrupt(const struct retry *run)
{
    return unclaimed_disturbances() != run->unclaimed;
}

bool retry_if_disturbed(struct retry *run)
{
    static unsigned by_time; /* a different duration is no finding, so it is not logged */

    if (retry_had_interrupt(run))
        return again_for(run, &after_interrupt, &given_up);
    if (asks_for_one())
        return false;
    if (smi_gap_found())
        return is_unsteady(run) && again_for(run, &by_time, &unsteady);
    return smi_count_since(&run->mark) > 0 && again_for(run, &after_smi, &given_up);
}

static bool had_something(const struct retry *run)
{
    return retry_had_interrupt(run) || (!asks_for_one() && smi_count_since(&run->mark) > 0);
}

bool retry_was_in_vain(struct retry *run)
{
    uint64_t took = insn_rdtsc() - run->start;

    if (run->tries < TRIES || !had_something(run))
        return false;
    retry_mark(run);
    while (insn_rdtsc() - run->start < 2 * took)
        insn_pause();
    return had_something(run);
}

static void print_repeated(void)
{
    if (after_smi)
        ktap_comment(LEVEL_RUN, "runs that were repeated%s, since an SMI came amid them: %u",
                     cpu_label_suffix(), after_smi);
    if (after_interrupt)
        ktap_comment(LEVEL_RUN,
                     "runs that were repeated%s, since an interrupt that nobody claims came amid "
                     "them: %u",
                     cpu_label_suffix(), after_interrupt);
    if (given_up)
        ktap_comment(LEVEL_RUN, "runs amid which something came %u times one after another%s: %u",
                     TRIES + 1, cpu_label_suffix(), given_up);
    if (unsteady)
        ktap_comment(LEVEL_RUN, "runs of which no two in %u took the same time%s: %u", TRIES + 1,
                     cpu_label_suffix(), unsteady);
}

REPORT(repeated_runs, print_repeated);
