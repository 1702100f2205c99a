/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must be known before a run: how a full buffer behaves, which records come, and whether an
 * interrupt is to be waited for. */
#include "tests/spec/bts_check.h"
#include "tests/spec/bts_predict.h"
#include "tests/spec/choices/limit.h"

#define ROOMY_RECORDS       BTS_RECORDS_MAX
#define ROOM_FOR_INTERRUPTS 8 /* records of those that others ask for */

/* Whether each of its transfers is stored, where nothing else is open. */
static void learn_presence(struct test_context *t, const struct program *program,
                           const struct run *run)
{
    struct run roomy = *run;
    struct observation seen;

    roomy.layout = (struct bts_layout){.records = ROOMY_RECORDS, .threshold = BTS_NO_THRESHOLD};
    roomy.first = 0;
    roomy.fields = NULL;
    roomy.keep_ds_area = false;
    roomy.policy = PMI_COUNT;
    if (run_program(t, program, &roomy, &seen))
        bts_check(t, &roomy, &seen);
}

/* By runs of its own. Returns whether there was anything to learn. */
static bool learn(struct test_context *t, const struct bts_prediction *p,
                  const struct ds_management_area *area)
{
    static struct program copy;

    if (!p->store.needs_limit && !p->store.needs_full && !bts_is_loose(p, area))
        return false;
    copy = *p->program;
    if (p->store.needs_limit)
        limit_learn(t);
    else if (p->store.needs_full)
        limit_learn_full(t);
    else
        learn_presence(t, &copy, p->run);
    program_restore(&copy);
    return true;
}

/* As the run will have them. */
static void set_fields(const struct run *run)
{
    bts_switch(&run->layout);
    bts_set_index(run->first);
    if (run->fields)
        bts_set_fields(run->fields);
}

/* Is there room for all that may come, without a threshold? Then nothing open matters, and no
 * interrupt is due. */
static bool is_roomy(const struct program *program, const struct run *run)
{
    const struct bts_layout *layout = &run->layout;

    return !run->fields && !layout->maximum_plus_one && layout->threshold == BTS_NO_THRESHOLD &&
           run->first + program->count + program->ahead + ROOM_FOR_INTERRUPTS < layout->records;
}

#define OPEN_POINTS 3 /* each settled by a run */

bool bts_check_prepare(struct test_context *t, const struct program *program, const struct run *run)
{
    const struct ds_management_area *area = &trace_state()->memory->area;
    struct bts_prediction p = {.run = run, .program = program};

    if (!bts_is_judged(program, run))
        return false;
    if (bts_goes_on(run)) {
        bts_keep_buffer();
        return false;
    }
    if (is_roomy(program, run))
        return false;
    for (unsigned i = 0; i <= OPEN_POINTS; i++) {
        set_fields(run);
        if (!bts_predict(t, &p, area))
            return false;
        if (!learn(t, &p, area))
            break;
    }
    return p.pending == YES;
}

size_t bts_check_stored(struct test_context *t, const struct program *program, uint64_t debugctl)
{
    const struct expected *expected = expected_of(t, program, debugctl, NULL);
    size_t count = 0;

    for (size_t i = 0; expected && i < expected->count; i++)
        count += !expected->records[i].open;
    return count;
}
