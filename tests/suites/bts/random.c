/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are the records of generated programs right, too?
 *
 * Each is made from a seed, stepped through once to know what it does, and then run with tracing
 * on. Program number 0 of a run has the run's own seed, so that seed= of a failure replays that
 * program at once. Every choice is drawn whether or not the processor can do it: the same seed
 * gives the same programs everywhere.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/random/generated_program.h"
#include "tests/random/random_numbers.h"
#include "tests/spec/observe.h"

#define PROGRAMS 40 /* a test and repetition */
#define TESTS    7  /* each takes every seventh seed of the run, so that none repeats another's */
#define RECORD   (DEBUGCTL_TR | DEBUGCTL_BTS)

/* One way to look at a program; numbers are for what it chooses. */
typedef void (*check)(struct test_context *t, const struct program *program,
                      struct random_numbers *numbers);

static const struct run whole_run = {
    .debugctl = RECORD,
    .layout = {.records = PROGRAM_TRANSFERS_MAX, .threshold = BTS_NO_THRESHOLD},
    .policy = PMI_COUNT,
};

static void check_whole(struct test_context *t, const struct program *program,
                        struct random_numbers *numbers)
{
    (void)numbers;
    observe_run(t, program, &whole_run);
}

static void check_off_setting(struct test_context *t, const struct program *program,
                              struct random_numbers *numbers)
{
    static const uint64_t settings[] = {DEBUGCTL_BTS_OFF_OS, DEBUGCTL_BTS_OFF_USR,
                                        DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR};
    struct run run = whole_run;

    run.debugctl |= settings[random_below(numbers, 3)];
    observe_run(t, program, &run);
}

static void check_circular(struct test_context *t, const struct program *program,
                           struct random_numbers *numbers)
{
    struct run run = whole_run;

    run.layout.records = 2 + random_below(numbers, 60);
    run.layout.maximum_plus_one = random_percent(numbers, 50);
    observe_run(t, program, &run);
}

/* The routine's own IRET is a record of the next filling: the threshold leaves room for it. */
static void check_interrupts(struct test_context *t, const struct program *program,
                             struct random_numbers *numbers)
{
    struct run run = whole_run;

    run.debugctl |= DEBUGCTL_BTINT;
    run.policy = PMI_SERVE;
    run.layout.records = 512;
    run.layout.threshold = 8 + random_below(numbers, 56);
    run.delivery = random_percent(numbers, 25) ? APIC_DELIVERY_NMI : APIC_DELIVERY_FIXED;
    observe_run(t, program, &run);
}

static void check_lbr(struct test_context *t, const struct program *program,
                      struct random_numbers *numbers)
{
    struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};
    uint64_t select = random_percent(numbers, 50) ? random_below(numbers, 512) : 0;

    observe_run(t, program, &run);
    run.select = feature_present(FEATURE_LBR_SELECT) ? select : 0;
    if (run.select && !test_has_failed(t))
        observe_run(t, program, &run);
}

/* Returns the seed's program, with the numbers that stand beside it. */
static void check_seed(struct test_context *t, enum generated_shape shape, uint64_t seed,
                       check check)
{
    struct random_numbers numbers = random_seeded(~seed);
    enum generated_shape any = random_below(&numbers, GENERATED_SHAPES);
    const struct program *program =
        generated_program(t, shape == GENERATED_SHAPES ? any : shape, seed, 0);

    if (program)
        check(t, program, &numbers);
    if (!test_has_failed(t))
        return;
    test_note(t, "that was the program of seed 0x%lx", seed);
    generated_program_note(t);
    test_replays_from(t, seed);
}

/* number: of the test. GENERATED_SHAPES: each program the shape that its seed says. */
static void check_programs(struct test_context *t, unsigned number, enum generated_shape shape,
                           check check)
{
    uint64_t first = test_repetition(t) * PROGRAMS;

    for (uint64_t n = first; n < first + PROGRAMS && !test_has_failed(t); n++)
        check_seed(t, shape, random_seed_number(test_seed(t), n ? n * TESTS + number : 0), check);
    generated_program_close();
}

TEST(random, near_ring0, CLAIMS("BTS-1", "BTS-2", "T17-6.3"), NEEDS(BTS))
{
    check_programs(t, 0, GENERATED_RING0, check_whole);
}

TEST(random, near_ring3, CLAIMS("BTS-1", "BTS-2", "T17-6.3"), NEEDS(BTS, SYSCALL))
{
    check_programs(t, 1, GENERATED_RING3, check_whole);
}

TEST(random, both_rings, CLAIMS("BTS-1", "BTS-2", "T17-6.3"), NEEDS(BTS, SYSCALL))
{
    check_programs(t, 2, GENERATED_RINGS, check_whole);
}

TEST(random, off_settings, CLAIMS("T17-6.4", "T17-6.5", "T17-6.6", "CPL-1"),
     NEEDS(BTS, DS_CPL, SYSCALL))
{
    check_programs(t, 3, GENERATED_SHAPES, check_off_setting);
}

TEST(random, circular, CLAIMS("BTS-3", "BTS-4", "BTS-8"), NEEDS(BTS, SYSCALL))
{
    check_programs(t, 4, GENERATED_SHAPES, check_circular);
}

TEST(random, interrupts, CLAIMS("BTS-1", "BTS-5", "ISR-2", "ISR-5", "T17-6.7"),
     NEEDS(BTS, PMI, SYSCALL))
{
    check_programs(t, 5, GENERATED_SHAPES, check_interrupts);
}

TEST(random, lbr, CLAIMS("LBR-1"), NEEDS(LBR, SYSCALL))
{
    check_programs(t, 6, GENERATED_SHAPES, check_lbr);
}
