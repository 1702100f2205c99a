/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/freeze/freeze_stack.h"

#include "tests/spec/lbr_check.h"

size_t freeze_latest(size_t end)
{
    return end - end / 8;
}

/* Where the interrupt came: number of the transfer before it, or the count when it is not after
 * this one. */
static size_t interrupted_after(const struct freeze_observation *seen, size_t position)
{
    for (size_t i = position; i < seen->program->count; i++)
        if (seen->event.rip >= seen->program->truth[i].to &&
            (i + 1 == seen->program->count || seen->event.rip <= seen->program->truth[i + 1].from))
            return i;
    return seen->program->count;
}

/* The third PEBS record reaches the threshold, each after as many jumps as the period has events:
 * the stack that froze with a record before it ends a period earlier. */
static bool froze_too_early(const struct freeze_trigger *trigger,
                            const struct freeze_observation *seen, size_t newest)
{
    return trigger->kind == TRIGGER_PEBS && newest < seen->period * 5 / 2;
}

/* Is the newest entry, so many transfers into the program, one of the moment of the freeze? */
static bool froze_in_time(struct test_context *t, const struct freeze_trigger *trigger,
                          const struct freeze_observation *seen, size_t newest)
{
    size_t interrupted;
    bool held;

    if (trigger->held_off)
        return EXPECT(t, FREEZE_LBR, newest < freeze_latest(seen->program->count),
                      "newest entry is branch %zu of %zu: the overflow in the middle did not "
                      "freeze the stack while the interrupt was held off",
                      newest, seen->program->count);
    interrupted = interrupted_after(seen, newest);
    held = EXPECT(t, FREEZE_LBR, interrupted < seen->program->count,
                  "newest entry is branch %zu of the program, not reached at %pS", newest,
                  (void *)seen->event.rip);
    return held & EXPECT(t, FREEZE_LBR, !froze_too_early(trigger, seen, newest),
                         "newest entry is branch %zu, the interrupt came after branch %zu", newest,
                         interrupted);
}

bool freeze_newest_is_a_branch(struct test_context *t, const struct program *program,
                               const struct lbr_entry *entries)
{
    size_t newest = lbr_position_in(program, &entries[0]);
    size_t before = lbr_position_in(program, &entries[1]);
    bool is_none = newest == program->count;
    bool is_twice = newest == before && newest + 1 < program->count &&
                    !lbr_is_transfer(&entries[0], &program->truth[newest + 1]);
    struct finding finding = {.kind = FINDING_FREEZE_LBR,
                              .where = "newest entry",
                              .got = entries[0].from,
                              .got_to = entries[0].to,
                              .previous = entries[1].from};

    if (!is_none && !is_twice)
        return true;
    if (before + 1 < program->count) {
        finding.expected = program->truth[before + 1].from;
        finding.expected_to = program->truth[before + 1].to;
    }
    if (is_twice)
        finding.under = UNDER(TWICE);
    test_find_as(
        t, &finding,
        "newest entry %pS -> %pS is no branch of the interrupted program, or is there twice",
        (void *)entries[0].from, (void *)entries[0].to);
    return false;
}

/* FRZ-2, FRZ-5: the last branches of the target, one after another, none of the routine's. */
static bool stack_is_the_targets(struct test_context *t, const struct freeze_trigger *trigger,
                                 const struct freeze_observation *seen)
{
    static struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&seen->lbr_in_routine, entries);
    size_t first = freeze_newest_is_a_branch(t, seen->program, entries) ? 0 : 1;
    size_t newest = lbr_position_in(seen->program, &entries[first]);
    bool held = first == 0;

    if (newest == seen->program->count)
        return false;
    held &= froze_in_time(t, trigger, seen, newest);
    for (size_t age = first + 1; age < depth && age - first <= newest; age++)
        held &=
            EXPECT(t, FREEZE_LBR,
                   lbr_is_transfer(&entries[age], &seen->program->truth[newest + first - age]),
                   "entry %zu behind the newest is %pS -> %pS, not branch %zu of the program", age,
                   (void *)entries[age].from, (void *)entries[age].to, newest + first - age);
    return held;
}

bool freeze_stack_is_frozen(struct test_context *t, const struct freeze_trigger *trigger,
                            const struct freeze_observation *seen)
{
    bool held = stack_is_the_targets(t, trigger, seen);

    return held & EXPECT(t, FREEZE_LBR,
                         __builtin_memcmp(&seen->lbr_in_routine, &seen->lbr_end,
                                          sizeof seen->lbr_end) == 0,
                         "the frozen LBR stack changed until the end of the program");
}

bool freeze_stack_runs_on(struct test_context *t, const struct freeze_trigger *trigger,
                          const struct freeze_observation *seen)
{
    static struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t newest, last = seen->program->count - 1;

    lbr_entries_of(&seen->lbr_in_routine, entries);
    newest = lbr_position_in(seen->program, &entries[0]);
    if (trigger->held_off)
        return EXPECT_EQUAL(t, FREEZE_LBR, "newest entry's branch of the program", newest, last);
    return EXPECT(t, FREEZE_LBR, newest > last,
                  "newest entry %pS -> %pS is the program's, although nothing freezes the stack",
                  (void *)entries[0].from, (void *)entries[0].to);
}
