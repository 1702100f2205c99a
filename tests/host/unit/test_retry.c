/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When is a run of which each repetition was disturbed in vain? On a made-up clock: a board that
 * interrupts by itself, and a processor that does it because of the run. */
#include <stdbool.h>
#include <stdint.h>

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define RUN_TAKES 1000 /* TSC ticks */

static uint64_t now, period; /* of the board's interrupts and SMIs, in ticks; 0: none */
static unsigned by_runs;     /* interrupts that runs have raised */
static bool are_smis;
uint32_t smi_out;

static uint64_t insn_rdtsc(void)
{
    return now++;
}

static void insn_pause(void)
{
    now += 10;
}

/* The file under test, over the instructions above instead of the processor's. */
#define ARCH_CPU_GROUND_INSN_H
#include "tests/run/retry.c"

static uint32_t from_the_board(void)
{
    return period ? (uint32_t)(now / period) : 0;
}

uint32_t unclaimed_disturbances(void)
{
    return by_runs + (are_smis ? 0 : from_the_board());
}

struct smi_mark smi_mark(void)
{
    return (struct smi_mark){.known = true, .count = are_smis ? from_the_board() : 0};
}

uint32_t smi_count_since(const struct smi_mark *mark)
{
    return smi_mark().count - mark->count;
}

bool smi_gap_found(void)
{
    return false;
}

const char *cpu_label_suffix(void)
{
    return "";
}

uint64_t time_tsc_per_microsecond(void)
{
    return 1000;
}

/* Runs until it is undisturbed or given up. raises: the run itself does it, each time. */
static bool is_in_vain(bool raises, unsigned *runs)
{
    struct retry run = retry_begin();

    *runs = 0;
    do {
        retry_mark(&run);
        now += RUN_TAKES;
        by_runs += raises;
        ++*runs;
    } while (retry_if_disturbed(&run));
    return retry_was_in_vain(&run);
}

static void check(uint64_t board, bool smis, bool raises, bool in_vain, unsigned wanted_runs)
{
    unsigned runs;
    bool got;

    period = board, are_smis = smis;
    got = is_in_vain(raises, &runs);
    CHECK(got == in_vain, "board every %lu, smis %d, raises %d", (unsigned long)board, smis,
          raises);
    CHECK(runs == wanted_runs, "%u runs, expected %u", runs, wanted_runs);
}

/* One that can be made only once is judged as it is. */
static void check_single_run(void)
{
    struct retry run;

    period = RUN_TAKES / 2, are_smis = false;
    run = retry_begin();
    now += RUN_TAKES;
    CHECK(!retry_was_in_vain(&run), "of a run that nobody repeated");
}

int main(void)
{
    smi_out = SMI_HARMLESS_PORT;
    check(0, false, false, false, 1);
    check(RUN_TAKES / 2, false, false, true, TRIES + 1);
    check(RUN_TAKES / 2, true, false, true, TRIES + 1);
    check(0, false, true, false, TRIES + 1); /* the run's own doing: it is judged */
    check(RUN_TAKES * 100, false, true, false, TRIES + 1);
    smi_out = 0xb2; /* SMIs that the test asks for disturb nothing */
    check(RUN_TAKES / 2, true, false, false, 1);
    check(RUN_TAKES / 2, true, true, false, TRIES + 1);
    check_single_run();
    return check_result();
}
