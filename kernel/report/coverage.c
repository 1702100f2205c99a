/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/coverage.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define REASONS      128u /* different ones; what is beyond is said in general */
#define REASONS_EACH 6u   /* … that are counted of one claim */

#define NO_CHECK     "no check that names it was made"
#define NOT_SELECTED "not selected"
#define OTHERS       "other tests that name it were not selected"
#define OTHER_REASON "as each '# SKIP' says"

struct counted {
    const char *reason;
    unsigned times;
};

struct row {
    const char *id;
    bool is_selected;   /* by a test of this run, */
    bool is_unselected; /* and by one that is not of it */
    bool is_checked;
    const char *out_of_scope; /* why it says nothing of this processor, or NULL */
    const char *errata; /* those that excused what was found in the first test that had such */
    struct counted skips[REASONS_EACH];
};

static struct table {
    struct row rows[CLAIM_SET_COUNT];
    size_t count;
} table, *const now = &table;
static char reasons[REASONS][COVERAGE_REASON_SIZE];
static size_t reason_count;

/* Negative when a comes before b: FRZ-2 before FRZ-10. */
static int compare(const char *a, const char *b)
{
    size_t length = claim_family_length(a);
    int order = strncmp(a, b, length);

    if (order == 0 && length == claim_family_length(b))
        order = (int)strlen(a) - (int)strlen(b);
    return order != 0 ? order : strcmp(a, b);
}

static struct row *find_row(const char *id)
{
    for (size_t i = 0; i < now->count; i++) {
        if (strcmp(now->rows[i].id, id) == 0)
            return &now->rows[i];
    }
    return NULL;
}

/* Keeps the rows sorted by inserting where it belongs. */
static void insert_row(const char *id)
{
    size_t place = now->count;

    if (now->count == CLAIM_SET_COUNT || find_row(id) != NULL)
        return;
    for (now->count++; place > 0 && compare(id, now->rows[place - 1].id) < 0; place--)
        now->rows[place] = now->rows[place - 1];
    now->rows[place] = (struct row){.id = id};
}

static bool contains(const struct selection *selection, const struct test *test)
{
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->tests[i] == test)
            return true;
    }
    return false;
}

static void mark_selected(const struct test *test, bool is_selected)
{
    for (const char *const *id = test->claims; *id != NULL; id++) {
        struct row *row = find_row(*id);

        if (row != NULL && is_selected)
            row->is_selected = true;
        else if (row != NULL && !test->only_when_named)
            row->is_unselected = true;
    }
}

void coverage_begin(const struct selection *all, const struct selection *chosen)
{
    now->count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->tests[i]->only_when_named)
            continue;
        for (const char *const *id = all->tests[i]->claims; *id != NULL; id++)
            insert_row(*id);
    }
    for (size_t i = 0; i < all->count; i++) {
        if (!all->tests[i]->is_selftest)
            mark_selected(all->tests[i], contains(chosen, all->tests[i]));
    }
}

/* The same text is the same pointer, so that reasons can be counted and claims grouped. */
static const char *keep(const char *text)
{
    char cut[COVERAGE_REASON_SIZE];

    format_string(cut, sizeof(cut), "%s", text);
    for (size_t i = 0; i < reason_count; i++) {
        if (strcmp(reasons[i], cut) == 0)
            return reasons[i];
    }
    if (reason_count == REASONS)
        return OTHER_REASON;
    memcpy(reasons[reason_count], cut, sizeof(cut));
    return reasons[reason_count++];
}

static void count_skip(struct row *row, const char *reason)
{
    for (struct counted *at = row->skips; at < row->skips + REASONS_EACH; at++) {
        if (at->reason == NULL || at->reason == reason) {
            at->reason = reason;
            at->times++;
            return;
        }
    }
}

/* "HSD53 x12 HSD1 x1" without the numbers, which differ from test to test. */
static const char *keep_errata(const char *counts)
{
    char text[COVERAGE_REASON_SIZE];
    size_t used = 0;
    bool is_number = false;

    for (; *counts != '\0' && used < sizeof(text) - 1; counts++) {
        if (*counts == ' ')
            is_number = counts[1] == 'x';
        if (!is_number)
            text[used++] = *counts;
    }
    text[used] = '\0';
    return keep(text);
}

static void note(struct row *row, enum coverage_fate fate, const char *why)
{
    if (row == NULL)
        return;
    if (fate == COVERAGE_CHECKED)
        row->is_checked = true;
    else if (fate == COVERAGE_SKIPPED)
        count_skip(row, keep(why));
    else if (row->errata == NULL)
        row->errata = keep_errata(why);
}

void coverage_note(const struct test *test, const char *claim, enum coverage_fate fate,
                   const char *why)
{
    if (test->is_selftest)
        return;
    if (claim != NULL) {
        note(find_row(claim), fate, why);
        return;
    }
    for (const char *const *id = test->claims; *id != NULL; id++)
        note(find_row(*id), fate, why);
}

void coverage_out_of_scope(const char *claim, const char *why)
{
    struct row *row = find_row(claim);

    if (row != NULL)
        row->out_of_scope = why;
}

/* The reason of the skip that was noted most often; the first of several. */
static const char *most_frequent(const struct row *row)
{
    const struct counted *most = row->skips;

    for (const struct counted *at = row->skips; at < row->skips + REASONS_EACH; at++) {
        if (at->times > most->times)
            most = at;
    }
    return most->reason;
}

static const char *errata_reason(const struct row *row, const char *what)
{
    char text[COVERAGE_REASON_SIZE];

    format_string(text, sizeof(text), "%s excused %s", row->errata, what);
    return keep(text);
}

static const char *why_none(const struct row *row)
{
    if (!row->is_selected)
        return NOT_SELECTED;
    if (row->out_of_scope != NULL)
        return row->out_of_scope;
    if (row->errata != NULL)
        return errata_reason(row, "every check");
    if (row->skips[0].reason != NULL)
        return most_frequent(row);
    return NO_CHECK;
}

static const char *why_in_part(const struct row *row)
{
    if (row->skips[0].reason != NULL)
        return most_frequent(row);
    if (row->errata != NULL)
        return errata_reason(row, "a part");
    return row->is_unselected ? OTHERS : NULL;
}

bool coverage_claim(size_t i, struct coverage_claim *claim)
{
    const struct row *row = &now->rows[i];
    bool is_checked = row->is_checked && row->out_of_scope == NULL;

    if (i >= now->count)
        return false;
    claim->id = row->id;
    claim->reason = is_checked ? why_in_part(row) : why_none(row);
    claim->state = !is_checked             ? COVERAGE_NONE
                   : claim->reason != NULL ? COVERAGE_IN_PART
                                           : COVERAGE_WHOLE;
    return true;
}
