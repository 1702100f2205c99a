/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Have the processors on which all tests ran decided alike what the manual leaves open, as far as
 * they are of one kind (MP-1)? Runs when all of them are done (cpu=kinds, each, all, pair or a
 * list).
 */
#include "arch/cpu/identity/features.h"
#include "kernel/run/crew.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/oracle/choices.h"

SUITE(traits, .order = 2, .boot_only = true, .compares_places = true);

static bool same_kind(const struct member *a, const struct member *b)
{
    const struct cpu_identity *first = a ? member_identity(a) : &cpu_features()->identity;

    return first && identity_same_kind(first, member_identity(b));
}

/* The first of its kind among this processor and the members before it; itself if that is the
 * first. */
static const struct member *first_of_kind(const struct member *member)
{
    const struct member *first = NULL;

    for (unsigned i = 0; first != member && !same_kind(first, member); i++)
        first = crew_member(i);
    return first;
}

static void check_member(struct test_context *t, const struct member *member)
{
    const struct member *first;
    unsigned compared;

    if (member->state != MEMBER_DONE) {
        test_skip(t, "it did not run its tests to the end");
        return;
    }
    first = first_of_kind(member);
    if (first == member) {
        choices_print_differences(member);
        test_skip(t, "it is the first of its kind");
        return;
    }
    compared = choices_compare_members(t, first, member);
    if (!compared)
        test_skip(t, "nothing that it decides was seen of processor %u, too",
                  first ? first->number : 0);
    test_compared(t, compared);
}

TEST_UNLESS(traits, processors_of_a_kind_decide_alike, CLAIMS("MP-1"), NEEDS(), !crew_is_there(),
            "tests ran on one processor; cpu=each or cpu=all has them run on the others")
{
    test_plan(t, crew_count());
    for (unsigned i = 0; i < crew_count(); i++) {
        const struct member *member = crew_member(i);

        test_begin(t, "MP-1", "processor_%u", member->number);
        check_member(t, member);
        test_end(t);
    }
}
