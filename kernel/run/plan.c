/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/plan.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/run/soak.h"

extern const struct test __tests_start[], __tests_end[];
extern const struct suite __suites_start[], __suites_end[];

static struct selection all, chosen;
static struct selection all_elsewhere, chosen_elsewhere; /* what is for every processor */
static struct selection first, together, last, of_worker;
static unsigned others;  /* processors besides this one */
static bool are_at_once; /* all run at the same time */

static bool compares_places(const struct test *test)
{
    return selection_suite(&all, test->suite)->compares_places;
}

/* Takes them from all tests: whoever names tests for several processors wants the processors
 * compared. */
static void take_last(void)
{
    last.count = 0;
    for (size_t i = 0; i < all.count; i++)
        if (others > 0 && compares_places(all.tests[i]))
            last.tests[last.count++] = all.tests[i];
}

static void leave_out_last(struct selection *tests)
{
    size_t kept = 0;

    for (size_t i = 0; i < tests->count; i++)
        if (others == 0 || !compares_places(tests->tests[i]))
            tests->tests[kept++] = tests->tests[i];
    tests->count = kept;
}

/* Splits the chosen tests: those for the processor that booted alone, and the rest. */
static void part(void)
{
    first.count = 0;
    for (size_t i = 0; i < chosen.count; i++)
        if (!selection_runs_elsewhere(chosen.tests[i], &all))
            first.tests[first.count++] = chosen.tests[i];
    together = chosen_elsewhere;
}

static bool is_wanted_at_once(const struct options *options)
{
    return options->places == PLACES_ALL || options->places == PLACES_PAIR;
}

static void share_out(const struct options *options)
{
    are_at_once = others > 0 && is_wanted_at_once(options);
    if (are_at_once)
        part();
    else if (options->places != PLACES_LISTED || options_lists_place(options, 0))
        first = chosen;
    take_last();
    leave_out_last(&first);
}

bool plan_make(const struct options *options, unsigned count, char *error)
{
    others = count;
    all.suites = __suites_start;
    all.suite_count = (size_t)(__suites_end - __suites_start);
    if (!selection_collect(&all, __tests_start, (size_t)(__tests_end - __tests_start), error) ||
        !selection_choose(&chosen, &all, options->globs, options->glob_count, error))
        return false;
    selection_elsewhere(&all_elsewhere, &all, &all);
    selection_elsewhere(&chosen_elsewhere, &chosen, &all);
    share_out(options);
    return true;
}

const struct selection *plan_all(void)
{
    return &all;
}

const struct selection *plan_chosen(void)
{
    return &chosen;
}

const struct selection *plan_first(void)
{
    return &first;
}

const struct selection *plan_together(void)
{
    return &together;
}

bool plan_is_at_once(void)
{
    return are_at_once;
}

const struct selection *plan_soaked(void)
{
    return together.count > 0 ? &together : &first;
}

const struct selection *plan_last(void)
{
    return &last;
}

const struct selection *plan_of_worker(unsigned number)
{
    selection_turn(&of_worker, &chosen_elsewhere, &all, are_at_once ? number : 0);
    return &of_worker;
}

const struct selection *plan_all_here(void)
{
    return cpu_number() == 0 ? &all : &all_elsewhere;
}

unsigned plan_soaks(const struct options *options)
{
    return soak_draws_from(options, plan_soaked()) +
           others * soak_draws_from(options, &chosen_elsewhere);
}

unsigned plan_count(const struct options *options)
{
    return plan_soaks(options) +
           (unsigned)(first.count + together.count + others * chosen_elsewhere.count + last.count);
}

static const struct test *find_test(const struct selection *among, const char *full_name)
{
    char name[TEST_NAME_SIZE];

    for (size_t i = 0; i < among->count; i++)
        if (strcmp(test_full_name(among->tests[i], name), full_name) == 0)
            return among->tests[i];
    return NULL;
}

const struct test *test_named(const char *full_name)
{
    return find_test(&all, full_name);
}

const struct test *test_number(size_t number)
{
    return number < all.count ? all.tests[number] : NULL;
}

const char *test_why_unseen(const char *full_name, char *text, size_t size)
{
    const struct test *test = find_test(&chosen, full_name);

    if (find_test(&all, full_name) == NULL)
        format_string(text, size, "there is no test %s", full_name);
    else if (test == NULL)
        format_string(text, size, "%s was not selected", full_name);
    else if (find_test(plan_all_here(), full_name) == NULL)
        format_string(text, size, "%s is for the processor that booted", full_name);
    else if (feature_missing(test->needs) != FEATURE_COUNT)
        feature_missing_reason(feature_missing(test->needs), text, size);
    else
        format_string(text, size, "%s did not come to show it", full_name);
    return text;
}

static bool has_nothing_to_do(const struct test *test, char *why, size_t size)
{
    const struct suite *suite = selection_suite(plan_all(), test->suite);

    return (suite->unless != NULL && suite->unless(why, size)) ||
           (test->unless != NULL && test->unless(why, size));
}

bool test_would_skip(const struct test *test, char *why, size_t size)
{
    enum feature missing = feature_missing(test->needs);

    if (missing == FEATURE_COUNT)
        return has_nothing_to_do(test, why, size);
    feature_missing_reason(missing, why, size);
    return true;
}

void test_run_body(struct test_context *t)
{
    char why[CONTEXT_REASON_SIZE];

    if (has_nothing_to_do(t->test, why, sizeof(why)))
        test_skip(t, "%s", why);
    else
        t->test->body(t);
}
