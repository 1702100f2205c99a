/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are an LBR entry's fields other than addresses right, in formats that have them: mispredicted, in
 * a transaction, cycles since the entry before? Little of that is known for one entry. But of many
 * random branches some must be predicted and some not, whichever way round the flag is (F8.11), and
 * some must have cycles.
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/observe.h"
#include "tests/workloads/counted.h"
#include "tests/workloads/stretches.h"

#define ITERATIONS 100
#define RUNS_MOST  100
#define SATURATED  0xffffu /* cycles (F8.14) */

/* Counts over all entries of some runs. */
struct flags {
    unsigned entries, set, clear, timed, transactions;
};

static void count_flags(struct flags *flags, const struct lbr_snapshot *snapshot)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t count = lbr_entries_of(snapshot, entries);

    for (size_t i = 0; i < count; i++) {
        flags->set += entries[i].mispredicted;
        flags->clear += !entries[i].mispredicted;
        flags->transactions += entries[i].in_transaction || entries[i].transaction_abort;
        flags->timed += entries[i].cycles != 0 && entries[i].cycles != SATURATED;
    }
    flags->entries += (unsigned)count;
}

static bool all_were_seen(const struct flags *flags)
{
    return flags->set && flags->clear && flags->timed;
}

/* Runs until all of it was seen, or long enough. The call of the program is an old branch. */
static struct flags flags_of_random_branches(struct test_context *t)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR,
                            .entry = workload_counted_random.entry,
                            .argument = ITERATIONS,
                            .hold_off_interrupts = true,
                            .lbr = true};
    struct flags flags = {0};
    struct observation seen;

    for (unsigned i = 0; i < RUNS_MOST && !all_were_seen(&flags); i++) {
        if (!observe(t, NULL, &run, &seen))
            break;
        count_flags(&flags, &seen.lbr.after);
    }
    return flags;
}

/* The branch behind the slow stretch, number 1 of those given, and the one right after it, number
 * 0; false: not there. */
static bool find_behind(const struct observation *seen, struct lbr_entry *found)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t count = lbr_entries_of(&seen->lbr.after, entries), i = 1;

    while (i < count && entries[i].from != (uintptr_t)slow_stretch_behind)
        i++;
    if (i < count)
        __builtin_memcpy(found, &entries[i - 1], 2 * sizeof *found);
    return i < count;
}

static struct lbr_entry blank(void)
{
    return lbr_decode_here(&(struct lbr_raw){0});
}

/* What each entry says for itself where LBRs are architectural (F20.23). */
static bool format_has_cycles(void)
{
    return lbr_stack()->architectural ? lbr_arch()->has_cycles : blank().has_cycles;
}

/* NULL: there is. Which models have registers for formats 5 and 7 the format does not say. bit:
 * what enumerates it where LBRs are architectural. */
static const char *no_room_for(const char *what, const char *bit, bool by_format)
{
    static char why[100];
    enum lbr_format format = lbr_format();
    bool in_info = format == LBR_FORMAT_EIP_INFO || format == LBR_FORMAT_INFO_NO_TSX;

    if (by_format && (!in_info || lbr_info_register()))
        return NULL;
    if (lbr_stack()->architectural)
        format_string(why, sizeof why, "%s = 0: no %s", bit, what);
    else if (by_format)
        format_string(why, sizeof why,
                      "IA32_PERF_CAPABILITIES[5:0] = %d, but no MSR_LBR_INFO_x known of this model",
                      format);
    else
        format_string(why, sizeof why, "IA32_PERF_CAPABILITIES[5:0] = %d: no %s", format, what);
    return why;
}

#define UNLESS_ROOM_FOR(what, bit, by_format)                                                      \
    no_room_for(what, bit, by_format), "%s", no_room_for(what, bit, by_format)

/* The manual does not say whether there is a flag (F8.18). */
static void check_flag_in_doubt(struct test_context *t)
{
    struct flags flags = flags_of_random_branches(t);

    choice_learn(t, CHOICE_LBR_FLAG, flags.set ? VALUE_YES : VALUE_NO);
    if (flags.set)
        EXPECT(t, LBR_FLAGS, flags.clear > 0,
               "of %u branches, half of them at random, all are flagged", flags.entries);
    else
        test_skip(t, "IA32_PERF_CAPABILITIES[5:0] = %d: no flag for mispredictions, and none seen",
                  lbr_format());
}

static const char *no_flag(void)
{
    if (lbr_flag_is_open())
        return NULL;
    return no_room_for("flag for mispredictions", "CPUID.1CH:ECX[0]", blank().has_misprediction);
}

TEST_UNLESS(lbr, mispredictions_are_flagged, CLAIMS("LBR-1", "ALBR-5"), NEEDS(LBR), no_flag(), "%s",
            no_flag())
{
    struct flags flags;

    if (lbr_flag_is_open()) {
        check_flag_in_doubt(t);
        return;
    }
    flags = flags_of_random_branches(t);
    EXPECT(t, LBR_FLAGS, flags.set > 0, "of %u branches, half of them at random, none is flagged",
           flags.entries);
    EXPECT(t, LBR_FLAGS, flags.clear > 0, "of %u branches, half of them at random, all are flagged",
           flags.entries);
}

TEST_UNLESS(lbr, cycles_are_counted, CLAIMS("LBR-1", "ALBR-5"), NEEDS(LBR),
            UNLESS_ROOM_FOR("cycles", "CPUID.1CH:ECX[1]", format_has_cycles()))
{
    struct flags flags = flags_of_random_branches(t);

    EXPECT(t, LBR_FLAGS, flags.timed > 0,
           "none of %u entries has come between 1 and 65534 cycles after another", flags.entries);
}

/* F8.12, F8.13: no branch of these is one of a transaction. Architectural LBRs have these flags
 * where there are transactions, else they are undefined (F20.25). */
TEST_UNLESS(lbr, no_transaction_is_told_where_none_is, CLAIMS("LBR-1", "ALBR-5"), NEEDS(LBR),
            UNLESS_ROOM_FOR("flags for transactions", "CPUID.07H:EBX[11].RTM", blank().has_tsx))
{
    struct flags flags = flags_of_random_branches(t);

    EXPECT(t, LBR_FLAGS, !flags.transactions, "%u of %u branches are told to be in a transaction",
           flags.transactions, flags.entries);
}

/* The count stops at its end and does not begin anew (F8.14), but with the next entry. That one may
 * come late: an emulator may stand still for a while. */
TEST_UNLESS(lbr, cycles_saturate, CLAIMS("LBR-1", "ALBR-5"), NEEDS(LBR),
            UNLESS_ROOM_FOR("cycles", "CPUID.1CH:ECX[1]", format_has_cycles()))
{
    const struct run run = {
        .debugctl = DEBUGCTL_LBR, .entry = slow_stretch, .hold_off_interrupts = true, .lbr = true};
    struct lbr_entry behind[2] = {{.cycles = SATURATED}};
    struct observation seen;

    for (unsigned i = 0; i < RUNS_MOST && behind[0].cycles == SATURATED; i++) {
        if (!observe(t, NULL, &run, &seen) ||
            !EXPECT(t, LBR_MISSING, find_behind(&seen, behind), "the branch is not in the stack"))
            return;
        EXPECT_EQUAL(t, LBR_FLAGS, "cycles since a branch more than 65535 cycles ago",
                     behind[1].cycles, SATURATED);
    }
    EXPECT(t, LBR_FLAGS, behind[0].cycles < SATURATED,
           "the branch right after it has %u cycles in %u runs, as if the count had not begun anew",
           behind[0].cycles, RUNS_MOST);
}

#define TURNS 1000 /* of a loop: no predictor has not learnt it by then */

/* MISPRED set means mispredicted there (F20.25), and a loop is foreseen. */
TEST_UNLESS(lbr, learnt_branches_are_not_flagged, CLAIMS("ALBR-5"), NEEDS(ARCH_LBR),
            UNLESS_ROOM_FOR("flag for mispredictions", "CPUID.1CH:ECX[0]",
                            lbr_arch()->has_misprediction))
{
    const struct run run = {.debugctl = DEBUGCTL_LBR,
                            .entry = workload_long_loop.entry,
                            .argument = TURNS,
                            .hold_off_interrupts = true,
                            .lbr = true};
    struct flags flags = {0};
    struct observation seen;

    if (!observe(t, NULL, &run, &seen))
        return;
    count_flags(&flags, &seen.lbr.after);
    EXPECT(t, LBR_FLAGS, flags.set < flags.clear,
           "of the last %u branches of a loop of %u turns %u are told to be mispredicted",
           flags.entries, TURNS, flags.set);
}
