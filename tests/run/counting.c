/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/counting.h"

#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/user.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "tests/run/retry.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/left_alone.h"
#include "tests/workloads/kinds/smi.h"

#define MEASUREMENTS 3

struct counting_item *counting_add(struct counting *counting, struct counter counter,
                                   enum pmu_event event)
{
    struct counting_item *item = &counting->items[counting->count++];

    *item = (struct counting_item){
        .counter = counter, .event = event, .flags = COUNTER_OS | COUNTER_USR};
    return item;
}

/* The register and the two values that start and stop all items at once. */
static struct bracket bracket_of(const struct counting *counting)
{
    const struct counting_item *item = &counting->items[0];
    struct bracket bracket = {
        .entry = counting->workload->entry,
        .argument = counting->iterations,
        .hold_off_interrupts = !counting->interrupts_open,
        .msr = IA32_PERF_GLOBAL_CTRL,
    };

    if (pmu_version() < 2 || (counting->own_enable && !item->counter.fixed)) {
        bracket.msr = pmu_select_register(item->counter.number);
        bracket.on = pmu_event_select(item->event, item->flags);
        return bracket;
    }
    if (counting->own_enable) {
        bracket.msr = IA32_FIXED_CTR_CTRL;
        bracket.on = pmu_fixed_control_with(pmu_fixed_field(item->counter.number, item->flags));
        bracket.off = pmu_fixed_control_with(0);
        return bracket;
    }
    for (unsigned i = 0; i < counting->count; i++)
        bracket.on |= pmu_global_bit(counting->items[i].counter);
    return bracket;
}

static void run_bracket(const struct counting *counting, struct bracket *bracket)
{
    if (counting->workload->syscall_landing)
        user_set_syscall_entry(counting->workload->syscall_landing);
    bracket_run(bracket);
    if (counting->workload->syscall_landing)
        user_set_syscall_entry(NULL);
}

static void program(const struct counting *counting, const struct counting_item *item)
{
    pmu_program_off(item->counter);
    pmu_write(item->counter, item->start);
    if (pmu_version() >= 2 && !counting->own_enable)
        pmu_program(item->counter, item->event, item->flags);
}

/* The register that starts the counters, as it was meanwhile. */
static void put_back(struct facility *facility, const struct counting *counting,
                     const struct bracket *bracket)
{
    const struct counter counter = counting->items[0].counter;

    if (bracket->msr == IA32_PERF_GLOBAL_CTRL)
        facility->control = bracket->on;
    else if (bracket->msr == IA32_FIXED_CTR_CTRL)
        facility->fixed_control = pmu_ours_fixed(bracket->on);
    else
        facility->event_select[counter.number] = bracket->on;
}

static void expect_left_alone(struct test_context *t, const struct counting *counting,
                              const struct bracket *bracket, struct left_alone *all)
{
    put_back(&all->before.registers, counting, bracket);
    put_back(&all->after.registers, counting, bracket);
    all->was_interrupted = counting->interrupts_open;
    all->has_event = true;
    all->leaves_ring_0 = counting->workload->user.instructions_each != 0;
    left_alone_check(t, all);
}

static void run_once(struct counting *counting, struct bracket *bracket, struct left_alone *all)
{
    struct smi_mark mark = smi_mark();

    *bracket = bracket_of(counting);

    pmu_set_global_control(0);
    if (pmu_status())
        pmu_status_clear(pmu_status());
    for (unsigned i = 0; i < counting->count; i++)
        program(counting, &counting->items[i]);
    if (counting->own_enable)
        pmu_set_global_control(pmu_global_bit(counting->items[0].counter));
    facility_look(&all->before, true);
    run_bracket(counting, bracket);
    facility_look(&all->after, true);
    all->may_have_smi = smi_out != SMI_HARMLESS_PORT || smi_count_since(&mark);
    for (unsigned i = 0; i < counting->count; i++)
        counting->items[i].value = pmu_read(counting->items[i].counter);
    counting->status = pmu_status() & pmu_status_mask();
    counting->global_control = pmu_ours(bracket->found);
}

void counting_run(struct test_context *t, struct counting *counting)
{
    struct retry retry = retry_begin();
    struct left_alone all = {0};
    struct bracket bracket;

    do
        run_once(counting, &bracket, &all);
    while (!counting->once && retry_if_disturbed(&retry));
    if (t != NULL && !counting->changes_registers)
        expect_left_alone(t, counting, &bracket, &all);
}

/* The bracket writes a register that counting has nothing to do with, the value that it has. */
void counting_run_workload(const struct counting *counting)
{
    struct bracket bracket = bracket_of(counting);

    bracket.msr = IA32_KERNEL_GS_BASE; /* every processor with 64-bit mode has it */
    bracket.on = bracket.off = rdmsr(IA32_KERNEL_GS_BASE);
    run_bracket(counting, &bracket);
}

void counting_end(void)
{
    pmu_reset();
}

uint64_t counting_counted(const struct counting_item *item)
{
    return (item->value - item->start) & pmu_counter_mask(item->counter);
}

static uint64_t share_truth(const struct counted_share *share, uint64_t iterations, bool branches)
{
    return branches ? share->branches + iterations * share->branches_each
                    : share->instructions + iterations * share->instructions_each;
}

uint64_t counting_truth(const struct counting *counting, enum pmu_event event, unsigned flags)
{
    const struct counted_workload *workload = counting->workload;
    bool branches = pmu_event_is_branches(event);
    uint64_t truth = 0;

    if (flags & COUNTER_OS)
        truth += share_truth(&workload->kernel, counting->iterations, branches) +
                 share_truth(&bracket_share, 0, branches);
    if (flags & COUNTER_USR)
        truth += share_truth(&workload->user, counting->iterations, branches);
    return truth;
}

uint64_t counting_slack(const struct counting *counting)
{
    if (!counting->workload->syscall_landing)
        return COUNT_SLACK;
    /* IRET, and what ring 3 does once to come back. */
    return 2 * COUNT_SLACK +
           far_count_excess(1 + counting->workload->user.branches, counting->interrupts_open);
}

bool counting_is_exact(enum pmu_event event)
{
    return event == PMU_INSTRUCTIONS || pmu_event_is_branches(event);
}

uint64_t counting_measure(struct test_context *t, struct counting *counting)
{
    uint64_t least = ~0ull;

    for (unsigned i = 0; i < MEASUREMENTS; i++) {
        uint64_t counted;

        counting_run(t, counting);
        counted = counting_counted(&counting->items[0]);
        if (counted < least)
            least = counted;
    }
    return least;
}

enum pmu_event counting_event_of(struct counter counter)
{
    static const enum pmu_event candidates[] = {PMU_INSTRUCTIONS, PMU_BRANCHES, PMU_CORE_CYCLES,
                                                PMU_REFERENCE_CYCLES};

    if (counter.fixed)
        return pmu_fixed_event(counter.number);
    for (size_t i = 0; i < COUNT_OF(candidates); i++)
        if (pmu_event_available(candidates[i]))
            return candidates[i];
    return PMU_EVENT_COUNT;
}

enum pmu_event counting_event(struct test_context *t, struct counter counter)
{
    enum pmu_event event = counting_event_of(counter);

    if (event == PMU_EVENT_COUNT && counter.fixed)
        test_skip(t, "fixed counter %u counts nothing that a loop is sure to cause",
                  counter.number);
    else if (event == PMU_EVENT_COUNT)
        test_skip(t, "CPUID.0AH:EBX = %#x leaves no event that a workload is sure to cause",
                  trace_features()->perfmon.events_unavailable);
    return event;
}

bool counting_prepare(struct test_context *t, struct counting *counting, struct counter counter,
                      unsigned flags)
{
    enum pmu_event event = counting_event(t, counter);
    uint64_t counted;

    if (event == PMU_EVENT_COUNT)
        return false;
    counting_add(counting, counter, event)->flags = flags & ~COUNTER_PMI;
    counted = counting_measure(t, counting);
    counting->items[0].flags = flags;
    counting->items[0].start = -(counted / 4 + 1) & pmu_counter_mask(counter);
    EXPECT(t, COUNT_LOW, counted > 0, "counts nothing");
    return counted > 0;
}

static bool can_count(struct counter counter, enum pmu_event event)
{
    return counter.fixed ? pmu_fixed_event(counter.number) == event : pmu_event_available(event);
}

unsigned counting_counters_of(enum pmu_event event, struct counter *list)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), found = 0;

    for (unsigned i = 0; i < count; i++)
        if (can_count(counters[i], event))
            list[found++] = counters[i];
    return found;
}

void counting_expect(struct test_context *t, const struct counting *counting, enum pmu_event event,
                     unsigned flags, uint64_t counted)
{
    uint64_t truth = counting_truth(counting, event, flags), slack = counting_slack(counting);

    if (event == PMU_INSTRUCTIONS)
        test_under(t, UNDER(INSTRUCTIONS));
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, counted, truth > slack ? truth - slack : 0,
                   truth + slack,
                   "%s of %s with %lu iterations%s%s: counted %lu, expected %lu, give or take %lu",
                   pmu_event_name(event), counting->workload->name, counting->iterations,
                   flags & COUNTER_OS ? ", CPL = 0" : "", flags & COUNTER_USR ? ", CPL > 0" : "",
                   counted, truth, slack);
}

/* By the models, too: some count instructions so, and not branches. */
static bool far_transfers_may_count_twice(void)
{
    return choice_of(CHOICE_FAR_OVERCOUNT) == VALUE_YES || core_has(OVERCOUNTS_FAR);
}

/* Of hardware interrupts it is never learnt, so that each may. */
uint64_t far_count_excess(uint64_t transfers, uint64_t deliveries)
{
    return deliveries + (far_transfers_may_count_twice() ? transfers + deliveries : 0);
}

unsigned counting_circumstances(struct counter counter)
{
    unsigned under = UNDER(COUNTER);

    if (counter.fixed)
        return under | UNDER(FIXED) | (counter.number == 2 ? UNDER(FIXED2) : 0);
    if (counter.number == 2 || counter.number == 3)
        under |= counter.number == 2 ? UNDER(PMC2) : UNDER(PMC3);
    return under | (counter.number >= 4 ? UNDER(HIGH_COUNTER) : 0);
}

static void each(struct test_context *t, unsigned count, const struct counter *counters,
                 const char *const claims[2], counting_body *body)
{
    char name[16];

    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        pmu_counter_name(counters[i], name, sizeof name);
        test_begin(t, claims[counters[i].fixed], "%s_%u_bits", name, pmu_width(counters[i]));
        test_under(t, counting_circumstances(counters[i]));
        body(t, counters[i]);
        counting_end();
        test_end(t);
    }
}

void counting_each(struct test_context *t, const char *general_claim, const char *fixed_claim,
                   counting_body *body)
{
    const char *const claims[2] = {general_claim, fixed_claim};
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    each(t, count, counters, claims, body);
}

void counting_each_general(struct test_context *t, counting_body *body)
{
    const char *const claims[2] = {NULL, NULL};
    struct counter counters[PMU_GENERAL_MAX];
    unsigned count = 0;

    PMU_EACH_GENERAL(i)
        counters[count++] = (struct counter){.number = i};
    each(t, count, counters, claims, body);
}
