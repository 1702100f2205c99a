/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/selection.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"

static const struct suite plain;

const struct suite *selection_suite(const struct selection *all, const char *name)
{
    for (size_t i = 0; i < all->suite_count; i++) {
        if (strcmp(name, all->suites[i].name) == 0)
            return &all->suites[i];
    }
    return &plain;
}

/* Without its folder, which another order of rooms may change. */
static const char *file_name(const struct test *test)
{
    const char *name = test->file;

    for (const char *at = name; *at != '\0'; at++)
        if (*at == '/')
            name = at + 1;
    return name;
}

/* Negative when a comes before b. The line decides inside a file: compilers reorder objects. */
static int compare(const struct selection *all, const struct test *a, const struct test *b)
{
    int order = strcmp(a->suite, b->suite), given = 0;

    if (order != 0)
        given = selection_suite(all, a->suite)->order - selection_suite(all, b->suite)->order;
    if (given != 0)
        return given;
    if (order == 0)
        order = strcmp(file_name(a), file_name(b));
    if (order == 0)
        order = a->line < b->line ? -1 : a->line > b->line;
    return order;
}

/* How many of the sorted array come before it, or are equal. */
static size_t place_of(const struct selection *all, const struct test *test)
{
    size_t low = 0, high = all->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (compare(all, test, all->tests[middle]) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Keeps the array sorted by inserting where it belongs. */
static void insert(struct selection *all, const struct test *test)
{
    size_t place = place_of(all, test);

    for (size_t i = all->count++; i > place; i--)
        all->tests[i] = all->tests[i - 1];
    all->tests[place] = test;
}

static bool is_name(const char *name)
{
    if (*name == '\0')
        return false;
    for (; *name != '\0'; name++) {
        bool good =
            (*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9') || *name == '_';

        if (!good)
            return false;
    }
    return true;
}

/* The test of the same name that is collected already, or NULL. Most names differ at once. */
static const struct test *find(const struct selection *all, const struct test *test)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct test *other = all->tests[i];

        if (other->name[0] == test->name[0] && strcmp(other->name, test->name) == 0 &&
            test_same_suite(other, test))
            return other;
    }
    return NULL;
}

static bool is_acceptable(const struct selection *all, const struct test *test, char *error)
{
    const struct test *twin;

    if (!is_name(test->suite) || !is_name(test->name) ||
        strlen(test->suite) + strlen(test->name) + 2 > TEST_NAME_SIZE) {
        format_string(error, SELECTION_ERROR_SIZE,
                      "%s:%u: the test name '%s.%s' is too long or not of a-z, 0-9 and _",
                      test->file, test->line, test->suite, test->name);
        return false;
    }
    twin = find(all, test);
    if (twin != NULL) {
        format_string(error, SELECTION_ERROR_SIZE, "the test %s.%s is declared twice: %s:%u, %s:%u",
                      test->suite, test->name, twin->file, twin->line, test->file, test->line);
        return false;
    }
    return true;
}

bool selection_collect(struct selection *all, const struct test *first, size_t count, char *error)
{
    all->count = 0;
    if (count > SELECTION_TEST_COUNT) {
        format_string(error, SELECTION_ERROR_SIZE, "%zu tests, but there is room for %u", count,
                      SELECTION_TEST_COUNT);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_acceptable(all, &first[i], error))
            return false;
        insert(all, &first[i]);
    }
    return true;
}

const char *selection_subtest(const char *glob)
{
    bool in_test = false; /* behind the dot of suite.test */

    for (; *glob != '\0'; glob++) {
        if (*glob == '.' && in_test)
            return glob;
        in_test = in_test || *glob == '.';
    }
    return NULL;
}

static bool starts_processors(const struct test *test)
{
    const enum feature *need = test->needs;

    while (*need != FEATURE_COUNT && *need != FEATURE_SECOND_PROCESSOR)
        need++;
    return *need == FEATURE_SECOND_PROCESSOR;
}

bool selection_runs_elsewhere(const struct test *test, const struct selection *all)
{
    return (!test->is_selftest || test->only_when_named) && !starts_processors(test) &&
           !selection_suite(all, test->suite)->boot_only;
}

void selection_elsewhere(struct selection *elsewhere, const struct selection *chosen,
                         const struct selection *all)
{
    elsewhere->count = 0;
    elsewhere->suites = all->suites;
    elsewhere->suite_count = all->suite_count;
    for (size_t i = 0; i < chosen->count; i++)
        if (selection_runs_elsewhere(chosen->tests[i], all))
            elsewhere->tests[elsewhere->count++] = chosen->tests[i];
}

size_t selection_suite_size(const struct selection *tests, size_t first)
{
    size_t size = 1;

    while (first + size < tests->count &&
           test_same_suite(tests->tests[first], tests->tests[first + size]))
        size++;
    return size;
}

static int order_of(const struct selection *tests, size_t number, const struct selection *all)
{
    return selection_suite(all, tests->tests[number]->suite)->order;
}

static void append(struct selection *to, const struct selection *from, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        to->tests[to->count++] = from->tests[i];
}

/* Those of order 0 stand together: where they begin, where the one to begin with does, and end. */
void selection_turn(struct selection *turned, const struct selection *tests,
                    const struct selection *all, unsigned by)
{
    size_t begin = 0, end, first;
    unsigned suites = 0;

    while (begin < tests->count && order_of(tests, begin, all) < 0)
        begin++;
    for (end = begin; end < tests->count && order_of(tests, end, all) == 0; suites++)
        end += selection_suite_size(tests, end);
    first = begin;
    for (by = suites > 0 ? by % suites : 0; by > 0; by--)
        first += selection_suite_size(tests, first);
    turned->count = 0;
    append(turned, tests, 0, begin);
    append(turned, tests, first, end);
    append(turned, tests, begin, first);
    append(turned, tests, end, tests->count);
}

/* "suite.name" of "suite@E2.name", into text. */
static const char *without_place(const char *glob, char *text, size_t size)
{
    const char *at = glob, *rest;

    while (*at != '\0' && *at != '@')
        at++;
    for (rest = at; *rest != '\0' && *rest != '.';)
        rest++;
    format_string(text, size, "%.*s%s", (int)(at - glob), glob, rest);
    return text;
}

static bool matches(const char *given, const struct test *test)
{
    char text[2 * TEST_NAME_SIZE], name[TEST_NAME_SIZE];
    const char *glob = without_place(given, text, sizeof(text));
    const char *subtest = selection_subtest(glob);
    size_t length = subtest != NULL ? (size_t)(subtest - glob) : strlen(glob);

    if (test->only_when_named && (*glob == '*' || *glob == '?'))
        return false;
    return glob_match_part(glob, length, test_full_name(test, name)) ||
           glob_match(glob, test->suite);
}

static bool is_chosen(const struct test *test, const char *const *globs, size_t glob_count)
{
    if (glob_count == 0)
        return !test->only_when_named;
    for (size_t i = 0; i < glob_count; i++) {
        if (matches(globs[i], test))
            return true;
    }
    return false;
}

/* "no test matches 'x'; suites: probe circular …" */
static void say_no_match(const struct selection *all, const char *glob, char *error)
{
    format_string(error, SELECTION_ERROR_SIZE, "no test matches '%.60s'; suites:", glob);
    for (size_t i = 0; i < all->count; i++) {
        if (i == 0 || !test_same_suite(all->tests[i - 1], all->tests[i]))
            format_append(error, SELECTION_ERROR_SIZE, " %s", all->tests[i]->suite);
    }
}

static bool matches_any(const char *glob, const struct selection *all)
{
    for (size_t i = 0; i < all->count; i++) {
        if (matches(glob, all->tests[i]))
            return true;
    }
    return false;
}

bool selection_choose(struct selection *chosen, const struct selection *all,
                      const char *const *globs, size_t glob_count, char *error)
{
    for (size_t i = 0; i < glob_count; i++) {
        if (!matches_any(globs[i], all)) {
            say_no_match(all, globs[i], error);
            return false;
        }
    }
    chosen->count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (is_chosen(all->tests[i], globs, glob_count))
            chosen->tests[chosen->count++] = all->tests[i];
    }
    return true;
}
