/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tests run, in which order, and which sets of tests are refused. */
#include "kernel/report/selection.h"

#include "tests/host/unit/check.h"

static struct selection all, chosen;
static char error[SELECTION_ERROR_SIZE];

static const enum feature nothing[] = {FEATURE_COUNT};
static const enum feature another[] = {FEATURE_BTS, FEATURE_SECOND_PROCESSOR, FEATURE_COUNT};

#define ROW_IN(file_, suite_, name_, named_, line_)                                                \
    {                                                                                              \
        .suite = suite_, .name = name_, .only_when_named = named_, .file = file_, .line = line_,   \
        .needs = nothing                                                                           \
    }
#define ROW(...) ROW_IN("f.c", __VA_ARGS__)

static const struct test tests[] = {
    ROW("selftest", "crash", true, 1),       ROW_IN("a/g.c", "zebra", "b", false, 2),
    ROW_IN("z/f.c", "zebra", "a", false, 3), ROW("ring3", "reads", false, 1),
    ROW("probe", "second", false, 20),       ROW("probe", "first", false, 10),
    ROW("table17_6", "rows", false, 1),      ROW("apple", "x", false, 1),
    ROW("circular", "laps", false, 1),       ROW("threshold", "once", false, 1),
};

static const struct suite suites[] = {
    {.name = "selftest", .order = 1},
    {.name = "ring3", .order = -1},
    {.name = "probe", .order = -5},
    {.name = "table17_6", .order = -4},
    {.name = "threshold", .order = -2},
    {.name = "circular", .order = -3},
    {.name = "apple", .asks_for_smis = true, .boot_only = true},
};

#define COUNT (sizeof(tests) / sizeof(tests[0]))

/* The chosen tests as one text, each followed by a space. */
static char *names(const struct selection *selection)
{
    static char text[1024];
    char name[TEST_NAME_SIZE];

    text[0] = '\0';
    for (size_t i = 0; i < selection->count; i++) {
        strcat(text, test_full_name(selection->tests[i], name));
        strcat(text, " ");
    }
    return text;
}

static void check_order(void)
{
    all.suites = suites;
    all.suite_count = sizeof(suites) / sizeof(suites[0]);
    CHECK(selection_suite(&all, "apple")->asks_for_smis, "what apple declares is lost");
    CHECK(!selection_suite(&all, "zebra")->asks_for_smis, "zebra declares nothing");
    CHECK(selection_collect(&all, tests, COUNT, error), "%s", error);
    CHECK_TEXT(names(&all), "probe.first probe.second table17_6.rows circular.laps threshold.once "
                            "ring3.reads apple.x zebra.a zebra.b selftest.crash ");
}

static const char *choose(const char *first, const char *second)
{
    const char *globs[] = {first, second};
    size_t count = first == NULL ? 0 : second == NULL ? 1 : 2;

    if (!selection_choose(&chosen, &all, globs, count, error))
        return "refused";
    return names(&chosen);
}

static void check_choice(void)
{
    CHECK_TEXT(choose(NULL, NULL), "probe.first probe.second table17_6.rows circular.laps "
                                   "threshold.once ring3.reads apple.x zebra.a zebra.b ");
    CHECK_TEXT(choose("probe", NULL), "probe.first probe.second ");
    CHECK_TEXT(choose("*.x", "probe.f*"), "probe.first apple.x ");
    CHECK_TEXT(choose("zebra.?", "zebra.a"), "zebra.a zebra.b ");
    CHECK_TEXT(choose("selftest.crash", NULL), "selftest.crash ");
    CHECK_TEXT(choose("self*", NULL), "selftest.crash ");
    CHECK_TEXT(choose("*crash", NULL), "refused"); /* only when named */
    CHECK_TEXT(choose("zebra.a.part", NULL), "zebra.a ");
    CHECK_TEXT(choose("zebra.a.", "probe.f*.x.y"), "probe.first zebra.a ");
    CHECK_TEXT(choose("selftest.crash.p", NULL), "selftest.crash ");
    CHECK_TEXT(choose("zebra.*.a", NULL), "zebra.a zebra.b ");
    CHECK_TEXT(choose("zebra.c.a", NULL), "refused");
    CHECK_TEXT(choose("zebra..a", NULL), "refused");
    CHECK_TEXT(choose("zebra.ab.a", NULL), "refused");
    CHECK_TEXT(choose("*.x", "nothing"), "refused");
    CHECK_TEXT(error, "no test matches 'nothing'; suites: probe table17_6 circular threshold ring3 "
                      "apple zebra selftest");
}

static void check_bad_names(void)
{
    static const struct test bad[][2] = {
        {ROW("a", "same", false, 1), ROW("a", "same", false, 2)},
        {ROW("a", "Upper", false, 1)},
        {ROW("a", "", false, 1)},
        {ROW("", "a", false, 1)},
        {ROW("a", "b.c", false, 1)},
        {ROW("a-b", "c", false, 1)},
        {ROW("a",
             "x23456789_123456789_123456789_123456789_123456789_123456789_123456789_123456789"
             "_123456789_123456789",
             false, 1)},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        error[0] = '\0';
        CHECK(!selection_collect(&all, bad[i], i == 0 ? 2 : 1, error), "row %zu is accepted", i);
        CHECK(strstr(error, "f.c:") != NULL, "row %zu: '%s'", i, error);
    }
}

static void check_room(void)
{
    CHECK(!selection_collect(&all, tests, SELECTION_TEST_COUNT + 1, error), "too many accepted");
    CHECK(selection_collect(&all, tests, 0, error) && all.count == 0, "none refused");
}

static void check_subtests(void)
{
    CHECK(selection_subtest("a.b") == NULL, "a.b");
    CHECK(selection_subtest("a") == NULL, "a");
    CHECK(selection_subtest("") == NULL, "empty");
    CHECK_TEXT(selection_subtest("a.b.c"), ".c");
    CHECK_TEXT(selection_subtest("a.b.c.d"), ".c.d");
    CHECK_TEXT(selection_subtest("..c"), ".c");
}

/*
 * On another processor: not what is about the one that booted, nor what starts others, nor a
 * self-test but for one that only runs when it is named.
 */
static void check_elsewhere(void)
{
    static struct selection elsewhere;
    static struct test starts = ROW("zebra", "starts", false, 20);
    static struct test own = ROW("zebra", "own", false, 21);

    check_order();
    starts.needs = another;
    own.is_selftest = true;
    all.tests[all.count++] = &starts;
    all.tests[all.count++] = &own;
    selection_elsewhere(&elsewhere, &all, &all);
    CHECK_TEXT(names(&elsewhere), "probe.first probe.second table17_6.rows circular.laps "
                                  "threshold.once ring3.reads zebra.a zebra.b selftest.crash ");
}

/* A name that the log has of another processor. */
static void check_places(void)
{
    char name[TEST_NAME_SIZE];

    check_order();
    CHECK_TEXT(choose("circular@E2.laps", "probe@cpu1"), "probe.first probe.second circular.laps ");
    CHECK_TEXT(choose("zebra@E2.a.subtest", "zebra@E2.a"), "zebra.a ");
    CHECK_TEXT(test_labelled_name(&tests[2], "@E2", name), "zebra@E2.a");
    CHECK_TEXT(test_labelled_name(&tests[2], NULL, name), "zebra.a");
}

/* Suites whose order is open are moved on, and only they; nothing is lost. */
static void check_turn(void)
{
    static struct selection turned;

    check_order();
    selection_turn(&turned, &all, &all, 0);
    CHECK_TEXT(names(&turned), "probe.first probe.second table17_6.rows circular.laps "
                               "threshold.once ring3.reads apple.x zebra.a zebra.b "
                               "selftest.crash ");
    for (unsigned by = 1; by <= 5; by += 2) {
        selection_turn(&turned, &all, &all, by);
        CHECK_TEXT(names(&turned), "probe.first probe.second table17_6.rows circular.laps "
                                   "threshold.once ring3.reads zebra.a zebra.b apple.x "
                                   "selftest.crash ");
    }
    selection_turn(&turned, &(struct selection){.count = 0}, &all, 3);
    CHECK(turned.count == 0, "of nothing");
}

int main(void)
{
    check_turn();
    check_elsewhere();
    check_places();
    check_subtests();
    check_order();
    check_choice();
    check_bad_names();
    check_room();
    return check_result();
}
