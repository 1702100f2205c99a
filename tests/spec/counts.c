/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/counts.h"

#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/pmu.h"
#include "tests/run/counting.h"

#define GENERAL_MAX    4u /* those that every thread has to itself */
#define FIXED_MAX      3u
#define NOT_TAKEN_MORE 4 /* branches that are not taken, where few are */

enum rings { RING_0 = COUNTER_OS, OTHER_RINGS = COUNTER_USR, ALL_RINGS = COUNTER_OS | COUNTER_USR };

static const char *const names[] = {
    [RING_0] = "ring 0", [OTHER_RINGS] = "rings 1 to 3", [ALL_RINGS] = "all rings"};

/* --- the counters --- */

/* Four that count branches, and the fixed ones of instructions and cycles. Returns how many there
 * are. */
static unsigned list_counters(struct counter list[PMU_COUNTERS_MAX])
{
    unsigned count = pmu_counters(list), kept = 0;

    for (unsigned i = 0; i < count; i++)
        if (list[i].number < (list[i].fixed ? FIXED_MAX : GENERAL_MAX))
            list[kept++] = list[i];
    return kept;
}

static uint64_t bits_of(const struct counter *list, unsigned count)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < count; i++)
        bits |= pmu_global_bit(list[i]);
    return bits;
}

/* Which counter has which rings changes from run to run. A fixed one counts its own event, whatever
 * event it is given. */
static unsigned turn;

static void program_counters(const struct run *run, struct observation *seen)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = list_counters(list), place = turn++;

    (void)run, (void)seen;
    for (unsigned i = 0; i < count; i++) {
        pmu_write(list[i], 0);
        pmu_program(list[i], PMU_BRANCHES, RING_0 + place++ % ALL_RINGS);
    }
}

/* Nothing is on, or left in one of them, that the test may want to find. */
static bool is_free(const struct counter *list, unsigned count)
{
    uint64_t left = pmu_global_control() | pmu_status();

    for (unsigned i = 0; i < count; i++) {
        left |= pmu_read(list[i]);
        left |= list[i].fixed ? pmu_ours_fixed(rdmsr(IA32_FIXED_CTR_CTRL))
                              : rdmsr(pmu_select_register(list[i].number));
    }
    return !left;
}

static bool has_plans(const struct run *run)
{
    return run->ahead || run->behind || run->control || run->control_last || run->pebs ||
           run->pebs_enable || run->armed || run->log;
}

bool counts_begin(struct run *run, const struct program *program)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = list_counters(list);

    if (!program || has_plans(run) || !feature_present(FEATURE_PERFMON2) || !count ||
        !pmu_event_available(PMU_BRANCHES) || !is_free(list, count))
        return false;
    run->control = bits_of(list, count);
    run->ahead = program_counters;
    run->behind = run_stop_counting;
    return true;
}

/* --- how many --- */

struct counts {
    uint64_t near[ALL_RINGS + 1]; /* branches of the truth */
    uint64_t stay[ALL_RINGS + 1]; /* far JMPs, CALLs and RETs that stay in their ring */
    uint64_t far; /* all others; they may count in either ring, or twice, or (RPL054) not at all */
    bool leaves_ring_0, is_partial;
    uint64_t got[ALL_RINGS + 1];
    unsigned counters[ALL_RINGS + 1]; /* how many have counted there */
};

static void add_truth(struct counts *counts, const struct program *program)
{
    counts->is_partial = program->ahead;
    for (size_t i = 0; i < program->count; i++) {
        const struct transfer *transfer = &program->truth[i];

        counts->leaves_ring_0 |= transfer->from_ring || transfer->to_ring;
        if (transfer_is(transfer->kind, TRANSFER_IS_NEAR) && !transfer_calls_next(transfer)) {
            counts->near[transfer->from_ring ? OTHER_RINGS : RING_0]++;
            counts->near[ALL_RINGS]++;
            continue;
        }
        counts->far++;
        if (transfer_is(transfer->kind, TRANSFER_IS_FAR) &&
            transfer->from_ring == transfer->to_ring) {
            counts->stay[transfer->from_ring ? OTHER_RINGS : RING_0]++;
            counts->stay[ALL_RINGS]++;
        }
    }
}

bool counts_between(struct test_context *t, const char *what, uint64_t got, uint64_t least,
                    uint64_t most, unsigned under)
{
    const struct finding finding = {.kind = got < least ? FINDING_COUNT_LOW : FINDING_COUNT_HIGH,
                                    .where = what,
                                    .expected = got < least ? least : most,
                                    .got = got,
                                    .under = under};

    test_checked(t);
    if (got >= least && got <= most)
        return true;
    test_find_as(t, &finding, "%s: %lu, expected %lu to %lu", what, got, least, most);
    return false;
}

static void expect_between(struct test_context *t, const char *what, uint64_t got, uint64_t least,
                           uint64_t most, unsigned under)
{
    if (!counts_between(t, what, got, least, most, under))
        test_breaks(t, "PM-1");
}

static enum rings rings_of(const struct facility *registers, struct counter counter)
{
    uint64_t select = registers->event_select[counter.number];
    uint64_t field = registers->fixed_control;
    bool os = counter.fixed ? field & pmu_fixed_field(counter.number, COUNTER_OS)
                            : select & PERFEVTSEL_OS;
    bool usr = counter.fixed ? field & pmu_fixed_field(counter.number, COUNTER_USR)
                             : select & PERFEVTSEL_USR;

    return (os ? RING_0 : 0) | (usr ? OTHER_RINGS : 0);
}

/* How many branches are not taken the truth does not say: hardly more than are. A far one may count
 * twice (F21.32). Those of the kernel around a program are in ring 0. */
static uint64_t most_in(const struct counts *counts, enum rings rings)
{
    if (rings != OTHER_RINGS || counts->is_partial)
        return ~0ull;
    return counts->leaves_ring_0 ? 2 * (counts->near[rings] + counts->far) + NOT_TAKEN_MORE : 0;
}

static void check_one(struct test_context *t, struct counts *counts, struct counter counter,
                      const struct observation *seen)
{
    uint64_t got = facility_counter(&seen->after.registers, counter);
    enum rings rings = rings_of(&seen->before.registers, counter);
    enum pmu_event event = counter.fixed ? pmu_fixed_event(counter.number) : PMU_BRANCHES;
    uint64_t least = seen->interrupts ? 0 : counts->near[rings] + counts->stay[rings];
    unsigned under = counting_circumstances(counter);
    char name[16], what[64];

    pmu_counter_name(counter, name, sizeof name);
    format_string(what, sizeof what, "%s in %s of %s", pmu_event_name(event), names[rings], name);
    under |= (rings == ALL_RINGS ? 0 : UNDER(FILTERED)) |
             (event == PMU_INSTRUCTIONS ? UNDER(INSTRUCTIONS) : 0);
    if (counter.fixed) {
        expect_between(t, what, got, event == PMU_INSTRUCTIONS ? least : 0,
                       counts->leaves_ring_0 || rings != OTHER_RINGS ? ~0ull : 0, under);
        return;
    }
    counts->got[rings] = got;
    counts->counters[rings]++;
    expect_between(t, what, got, least, most_in(counts, rings), under);
}

/* A far transfer that counts twice may do so in either ring. */
static void check_sum(struct test_context *t, const struct counts *counts)
{
    uint64_t sum = counts->got[RING_0] + counts->got[OTHER_RINGS], all = counts->got[ALL_RINGS];
    uint64_t more = far_count_excess(counts->far, 0);

    if (counts->counters[RING_0] && counts->counters[OTHER_RINGS] && counts->counters[ALL_RINGS])
        expect_between(t, "branches in ring 0, and in rings 1 to 3, together", sum,
                       all < more ? 0 : all - more, all + more, UNDER(FILTERED));
}

void counts_end(struct test_context *t, const struct observation *seen)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = list_counters(list);
    struct counts counts = {0};

    add_truth(&counts, seen->program);
    for (unsigned i = 0; i < count && !seen->refused; i++)
        check_one(t, &counts, list[i], seen);
    check_sum(t, &counts);
    for (unsigned i = 0; i < count; i++) {
        pmu_program_off(list[i]);
        pmu_write(list[i], 0);
    }
    pmu_status_clear(pmu_status());
}
