/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Step after step: told to the reference, done by the processor, compared. */
#include "tests/walk/walk.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"
#include "arch/trace/debugctl.h"
#include "kernel/machine/time.h"
#include "tests/run/other_processor.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/lbr_check.h"
#include "tests/walk/walk_quiet.h"

#define ANSWER_MICROSECONDS 1000000

static struct walk_judge judges[2]; /* of processor 0 and the other one */

/* --- while it is on --- */

static void prepare_burst(struct walk_judge *j, const struct walk_step *steps, size_t count)
{
    path_begin(&j->path, j->job.operations);
    for (size_t i = 0; i < count; i++)
        path_add(&j->path, &steps[i]);
    path_end(&j->path);
    j->job.entry_points = j->path.entry_points;
    j->job.step = NULL;
    j->job.interrupts_open = steps[0].open;
    /* Told first without interrupts: whether one must come decides how long is waited. */
    j->job.wants_interrupt = path_wants_interrupt(&j->path);
}

/* How many steps from this one on are done at once; 0: it is one for which all is off. */
static size_t burst_length(const struct walk *walk, size_t at)
{
    size_t count = 1;

    if (!walk_is_live(&walk->steps[at]))
        return 0;
    while (at + count < walk->count && walk->steps[at + count].joined &&
           walk_is_live(&walk->steps[at + count]) &&
           path_has_room(&walk->steps[at], count, &walk->steps[at + count]))
        count++;
    return count;
}

/* Returns how many steps were prepared; 0 at the end of the walk. */
static size_t prepare(struct walk_judge *j, const struct walk *walk, size_t at)
{
    size_t burst;

    if (at >= walk->count)
        return 0;
    burst = burst_length(walk, at);
    if (burst)
        prepare_burst(j, &walk->steps[at], burst);
    else
        walk_quiet_prepare(j, &walk->steps[at]);
    return burst ? burst : 1;
}

static void judge(struct walk_judge *j)
{
    if (j->job.step) {
        walk_quiet_judge(j);
        return;
    }
    path_tell(j->t, &j->path, &j->job.seen);
    walk_check(j, true);
}

/* --- on one processor or two --- */

/*
 * The other processor stays in one function with IF = 0, so that no interrupt comes between two
 * steps, and does what is posted.
 */
static processor_function posted;
static unsigned posts, answers;

static void serve(void *unused)
{
    processor_function function;

    (void)unused;
    insn_cli();
    do {
        while (__atomic_load_n(&posts, __ATOMIC_ACQUIRE) == answers)
            insn_pause();
        function = posted;
        if (function)
            function(&judges[1].job);
        __atomic_store_n(&answers, answers + 1, __ATOMIC_RELEASE);
    } while (function);
    insn_sti();
}

static void post(processor_function function)
{
    posted = function;
    __atomic_store_n(&posts, posts + 1, __ATOMIC_RELEASE);
}

/* False after a failure that says why: it met an exception, or takes too long. */
static bool answered(struct test_context *t, unsigned other)
{
    struct wait wait = time_wait(ANSWER_MICROSECONDS);

    while (__atomic_load_n(&answers, __ATOMIC_ACQUIRE) != posts)
        if (!wait_goes_on(&wait) || processor_exception(other))
            return other_wait(t, other);
        else
            insn_pause();
    return true;
}

/* What is asked of both is done at the same time. */
static bool run_both(struct test_context *t, const struct walks *walks, processor_function function,
                     const size_t steps[2])
{
    if (walks->other && steps[1])
        post(function);
    if (steps[0])
        function(&judges[0].job);
    return !walks->other || answered(t, walks->other);
}

/* --- the whole walk --- */

/* General-purpose ones first, and no more than a walk programs. */
static void list_counters(struct reference *r)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = r->has_global ? pmu_counters(list) : 0;

    r->counter_count = count < WALK_COUNTERS ? count : WALK_COUNTERS;
    for (unsigned i = 0; i < r->counter_count; i++)
        r->counters[i].counter = list[i];
}

static void describe_processor(struct walk_judge *j, struct test_context *t, bool has_company)
{
    struct reference *r = &j->reference;

    *j = (struct walk_judge){.t = t};
    j->job.reference = r;
    j->path.reference = r;
    j->path.has_company = has_company;
    r->has_global = feature_present(FEATURE_PERFMON2);
    r->streamlined = feature_present(FEATURE_PERFMON4);
    r->lbr_streamlined = freeze_lbr_flavour() == VALUE_UNKNOWN       ? MAYBE
                         : freeze_lbr_flavour() == VALUE_STREAMLINED ? YES
                                                                     : NO;
    r->lbr_undefined_with_tr = lbr_is_undefined_with_tr();
    list_counters(r);
    for (unsigned bts = 0; bts < 2 && feature_present(FEATURE_LBR); bts++)
        if (!r->lbr_undefined_with_tr)
            r->tr_feeds[bts] = lbr_tr_feeds(t, bts ? DEBUGCTL_BTS : 0) ? YES : NO;
}

static const struct walk_step first_layouts[REFERENCE_AREAS] = {
    {.kind = WALK_LAYOUT, .number = {0, 19, 0, 0, 0}, .value = 21 * BTS_RECORD_SIZE},
    {.kind = WALK_LAYOUT, .number = {1, 19, 0, 0, 0}, .value = 21 * BTS_RECORD_SIZE},
};

static bool is_laid_out(struct walk_judge *j)
{
    if (j->job.wrong) {
        test_fail(j->t, "the DS save area was not programmed: %s", j->job.wrong);
        return false;
    }
    walk_quiet_lay_out(j, &first_layouts[1]);
    __builtin_memcpy(j->zones, j->job.zones, sizeof j->zones);
    j->lbr = j->job.seen.lbr;
    j->off = j->job.seen.off;
    walk_quiet_prepare(j, &first_layouts[0]);
    return true;
}

static const size_t one_step[2] = {1, 1};

static bool begin(struct test_context *t, const struct walks *walks)
{
    unsigned count = walks->other ? 2 : 1;

    if (walks->other && (!other_start(t, walks->other)))
        return false;
    for (unsigned i = 0; i < count; i++)
        describe_processor(&judges[i], t, walks->other != 0);
    posts = answers = 0;
    if (walks->other && !other_begin(t, walks->other, serve, NULL))
        return false;
    if (!run_both(t, walks, walk_open, one_step))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!is_laid_out(&judges[i]))
            return false;
    if (!run_both(t, walks, walk_apply, one_step))
        return false;
    for (unsigned i = 0; i < count; i++)
        judge(&judges[i]);
    return true;
}

static void end(struct test_context *t, const struct walks *walks)
{
    if (walks->other && !processor_is_started(walks->other))
        walk_close(&judges[0].job);
    else if (!run_both(t, walks, walk_close, one_step))
        return;
    for (unsigned i = 0; i < (walks->other ? 2 : 1); i++)
        if (judges[i].job.wrong) {
            FIND(t, STRAY_WRITE, "written to although out of bounds: %s", judges[i].job.wrong);
            test_breaks(t, "BTS-8");
        }
    if (!walks->other || !processor_is_started(walks->other))
        return;
    post(NULL);
    if (other_wait(t, walks->other))
        other_stop(t, walks->other);
}

/* One step of each, at the same time. Returns whether there was one, and it went well. */
static bool step_on(struct test_context *t, const struct walks *walks, size_t at[2])
{
    size_t steps[2] = {0, 0};

    for (unsigned i = 0; i < (walks->other ? 2 : 1); i++)
        steps[i] = prepare(&judges[i], &walks->walk[i], at[i]);
    if (!(steps[0] | steps[1]) || !run_both(t, walks, walk_apply, steps))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (steps[i])
            judge(&judges[i]);
        if (i && walks->other && test_has_failed(t))
            test_note(t, "processors 0 and %u were at their steps %zu and %zu", walks->other,
                      at[0] + steps[0], at[1] + steps[1]);
        at[i] += steps[i];
    }
    return !test_has_failed(t);
}

void walks_do(struct test_context *t, struct walks *walks)
{
    size_t at[2] = {0, 0};

    if (begin(t, walks))
        while (step_on(t, walks, at))
            ;
    end(t, walks);
    for (unsigned i = 0; i < 2 && test_has_failed(t); i++)
        walks->walk[i].count = at[i];
}
