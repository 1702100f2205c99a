/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ten thousand interrupts in a row, and interrupts asked for while one is being served: is any
 * lost, doubled or nested?
 */
#include "arch/cpu/traps/trap_frame.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/spec/observe.h"

#define INTERRUPTS   10000
#define MAX_BTS_RUNS 2000
#define FIRST_RUNS   100 /* enough to tell that no interrupt comes at all */
#define PATIENCE     2   /* runs for an interrupt, of 10 periods each: it may be late (F6.44) */
#define PERIOD       200 /* instructions; more than the end of the routine has */
#define SHORT_PERIOD 20  /* fewer: the next overflow comes while the routine still runs */
#define BACK_TO_BACK 50

static const struct counter sampler = {.number = 0};
static const struct counter witness = {.number = 1};

static struct pmi_event events[16];
static struct pmi_log log; /* a hang leaves interrupts behind that still write to it */
static uint64_t served_events, nested, repeated, short_rounds;

/*
 * Accounts for what the counter had gone past its overflow, then loads the next period. One that
 * has not come to its overflow since it was loaded: the interrupt is the last one once more.
 */
static void reload(uint64_t overflowed)
{
    uint64_t period = short_rounds ? SHORT_PERIOD : PERIOD, past = pmu_read(sampler);

    if (!(overflowed & pmu_global_bit(sampler)))
        return;
    if (past > pmu_counter_mask(sampler) / 2) {
        repeated++;
        return;
    }
    served_events += past;
    pmu_write_period(sampler, period);
    served_events += period;
    short_rounds -= short_rounds != 0;
}

static void note_nesting(const struct pmi_event *event)
{
    nested += !(event->rflags & RFLAGS_IF);
}

static void prepare_log(void)
{
    log = (struct pmi_log){
        .policy = PMI_SERVE,
        .armed = PMI_CAUSE_COUNTER,
        .events = events,
        .event_capacity = COUNT_OF(events),
        .reload = reload,
        .observe = note_nesting,
    };
}

/* Starts the log, too. False after a test_skip(). */
static bool begin(struct test_context *t)
{
    test_under(t, UNDER(COUNTER) | UNDER(INSTRUCTIONS) | UNDER(SHORT_PERIOD));
    if (!pmu_counter_exists(witness)) {
        test_skip(t, "CPUID.0AH:EAX[15:8] = 1: no second counter to check the first by");
        return false;
    }
    prepare_log();
    pmu_reset();
    nested = repeated = 0;
    pmu_program(sampler, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR | COUNTER_PMI);
    pmu_program(witness, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR);
    pmu_write_period(sampler, PERIOD);
    pmu_write(witness, 0);
    served_events = PERIOD;
    pmi_start(&log);
    return true;
}

/* One stretch of counted code. */
static void count_program(const struct program *program)
{
    const struct run run = {.control = pmu_global_bit(sampler) | pmu_global_bit(witness),
                            .behind = run_stop_counting};
    struct observation ignored;

    run_quietly(program, &run, &ignored);
}

/* An interrupt that was asked for by the last instructions may come a little later. */
static void let_it_come(void)
{
    struct wait wait = time_wait(20);

    while (wait_goes_on(&wait))
        ;
}

/* A slow machine does fewer in the time: each was looked at all the same. */
static void expect_enough(struct test_context *t, size_t interrupts, unsigned runs)
{
    if (test_is_late())
        test_observe(t, "%zu interrupts in half of the time that a test has", interrupts);
    else
        EXPECT(t, PMI_MISSING, interrupts >= INTERRUPTS, "%zu interrupts in %u runs", interrupts,
               runs);
}

static bool goes_on(size_t interrupts, unsigned runs, size_t runs_most)
{
    return interrupts < INTERRUPTS && runs < runs_most && !test_is_late();
}

/*
 * Both counters start and stop by the same write, so the witness knows how many instructions the
 * sampler must have seen: whole periods, what it went past each overflow, and what is left.
 */
static void expect_all_accounted_for(struct test_context *t, size_t interrupts)
{
    uint64_t left = -pmu_read(sampler) & pmu_counter_mask(sampler);
    uint64_t sampled = served_events - left, counted = pmu_read(witness);

    EXPECT(t, PMI_MISSING, left <= PERIOD,
           "the sampling counter ran past its overflow without an interrupt");
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, sampled,
                   counted > interrupts ? counted - interrupts : 0, counted + interrupts,
                   "%lu instructions by the periods served, %lu by the counter beside it", sampled,
                   counted);
    EXPECT_COUNT(t, PMI, "interrupts inside the routine", nested, 0);
    EXPECT_COUNT(t, PMI, "interrupts by an overflow that was served", repeated, 0);
}

TEST(isr, ten_thousand_counter_interrupts, CLAIMS("ISR-2", "ISR-3", "FRZ-9"), NEEDS(PERFMON2, PMI))
{
    const struct program *program = program_of_length(SLED_LENGTH);
    unsigned runs = 0;

    if (!begin(t))
        return;
    for (; goes_on(log.event_count, runs, FIRST_RUNS + PATIENCE * log.event_count); runs++) {
        count_program(program);
        let_it_come();
    }
    pmi_stop();
    expect_enough(t, log.event_count, runs);
    expect_all_accounted_for(t, log.event_count);
    pmu_reset();
}

/* Asked for while the routine runs: held by IF = 0, taken once it has returned (F5.16, F5.23). */
TEST(isr, interrupts_asked_for_during_service, CLAIMS("ISR-2", "ISR-3"), NEEDS(PERFMON2, PMI))
{
    const struct program *program = program_of_length(SLED_LENGTH);
    unsigned runs = 0;

    short_rounds = BACK_TO_BACK;
    if (!begin(t))
        return;
    do {
        count_program(program);
        let_it_come();
    } while (short_rounds && ++runs < BACK_TO_BACK);
    pmi_stop();
    EXPECT_EQUAL(t, PMI_MISSING, "short periods left over", short_rounds, 0);
    EXPECT(t, PMI_MISSING, log.event_count > BACK_TO_BACK, "%zu interrupts", log.event_count);
    expect_all_accounted_for(t, log.event_count);
    short_rounds = 0;
    pmu_reset();
}

/* Every record of every run is compared, the interrupts' own among them. */
TEST(isr, ten_thousand_bts_interrupts, CLAIMS("ISR-2", "ISR-5", "BTS-1", "BTS-5"), NEEDS(BTS, PMI))
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
        .layout = {.records = 512, .threshold = 4},
        .policy = PMI_SERVE,
    };
    const struct program *program = program_of_length(SLED_LENGTH);
    struct observation got;
    size_t interrupts = 0;
    unsigned runs = 0;

    for (; goes_on(interrupts, runs, MAX_BTS_RUNS); runs++) {
        if (!observe(t, program, &run, &got))
            return;
        interrupts += got.interrupts;
    }
    expect_enough(t, interrupts, runs);
}
