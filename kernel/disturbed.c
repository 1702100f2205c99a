/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/disturbed.h"

#include "arch/lib/string.h"
#include "kernel/ktap.h"
#include "kernel/test.h"

#define RUNS_MAX 6u

extern const struct learnt __learnt_start[], __learnt_end[];

static struct smi_mark first; /* at the first test */
static unsigned repeated;
static uint32_t unasked; /* SMIs that came in tests which raise none themselves */

static void remember(void)
{
    for (const struct learnt *row = __learnt_start; row < __learnt_end; row++)
        memcpy(row->before, row->now, row->size);
}

static void take_back(void)
{
    for (const struct learnt *row = __learnt_start; row < __learnt_end; row++)
        memcpy(row->now, row->before, row->size);
}

static void begin_run(struct disturbed_test *test)
{
    test->holds = smi_count_since(&first) > 0;
    if (test->holds)
        ktap_hold();
    remember();
    test->mark = smi_mark();
}

struct disturbed_test disturbed_begin(bool asks_for_smis)
{
    static bool began;
    struct disturbed_test test = {.asks = asks_for_smis};

    if (!began)
        first = smi_mark();
    began = true;
    begin_run(&test);
    return test;
}

/* Once printed, a subtest's result stands. */
static bool can_repeat(const struct disturbed_test *test, const struct test_context *t)
{
    if (test->runs >= RUNS_MAX || t->no_excuse)
        return false;
    return !t->sub.has_plan || test->holds;
}

static bool is_repeated(const struct disturbed_test *test, const struct test_context *t)
{
    if (!can_repeat(test, t))
        return false;
    return !test->holds || ktap_drop() || !t->sub.has_plan;
}

static void tell(const struct test_context *t, uint32_t smis, bool again)
{
    ktap_comment(LEVEL_SUITE, "SMIs that came during %s.%s, which failed: %u; %s", t->test->suite,
                 t->test->name, smis, again ? "once more" : "it may fail for them");
    if (again)
        ktap_comment_lines(LEVEL_SUITE, t->notes.text, t->notes.length);
}

/* Among those that a test raises itself one of the firmware is not told apart: the firmware's are
 * looked for in the other tests. */
static uint32_t firmware_smis(const struct disturbed_test *test)
{
    uint32_t came = smi_count_since(&test->mark);

    if (!test->asks)
        unasked += came;
    return test->asks && unasked == 0 ? 0 : came;
}

bool disturbed_again(struct disturbed_test *test, const struct test_context *t)
{
    uint32_t smis = firmware_smis(test);
    bool in_doubt = t->unexpected && smis > 0, again;

    test->runs++;
    again = in_doubt && is_repeated(test, t);
    ktap_release();
    if (in_doubt)
        tell(t, smis, again);
    if (again) {
        take_back();
        repeated += test->runs == 1;
        begin_run(test);
    }
    return again;
}

void disturbed_print(void)
{
    if (repeated)
        ktap_comment(LEVEL_RUN, "tests that ran again, since they failed while SMIs came: %u",
                     repeated);
}
