/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Have the processors on which all tests ran decided alike what the manual leaves open, as far as
 * they are of one kind (MP-1)? Runs when all of them are done (cpu=kinds, each, all, pair or a
 * list).
 */
#include "arch/cpu/identity/features.h"
#include "kernel/run/workers.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"

SUITE(traits, .order = 2, .boot_only = true, .compares_places = true);

static bool same_kind(const struct worker *a, const struct worker *b)
{
    const struct cpu_identity *first = a ? worker_identity(a) : &cpu_features()->identity;

    return first && identity_same_kind(first, worker_identity(b));
}

/* The first of its kind among this processor and the workers before it; itself if that is the
 * first. */
static const struct worker *first_of_kind(const struct worker *worker)
{
    const struct worker *first = NULL;

    for (unsigned i = 0; first != worker && !same_kind(first, worker); i++)
        first = worker_at(i);
    return first;
}

static void check_worker(struct test_context *t, const struct worker *worker)
{
    const struct worker *first;
    unsigned compared;

    if (worker->state != WORKER_DONE) {
        test_skip(t, "it did not run its tests to the end");
        return;
    }
    first = first_of_kind(worker);
    if (first == worker) {
        choices_print_differences(worker);
        test_skip(t, "it is the first of its kind");
        return;
    }
    compared = choices_compare_workers(t, first, worker);
    if (!compared)
        test_skip(t, "nothing that it decides was seen of processor %u, too",
                  first ? first->number : 0);
    test_compared(t, compared);
}

TEST_UNLESS(traits, processors_of_a_kind_decide_alike, CLAIMS("MP-1"), NEEDS(),
            !workers_are_there(),
            "tests ran on one processor; cpu=each or cpu=all has them run on the others")
{
    TEST_NUMBERS(t, i, 0, worker_count(), "MP-1", "processor_%u", worker_at(i)->number)
        check_worker(t, worker_at(i));
}
