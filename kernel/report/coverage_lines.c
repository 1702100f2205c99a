/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/coverage.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/context.h"
#include "kernel/report/ktap.h"

#define IDS_SIZE        256u /* bytes; what has no room is counted */
#define SEVERAL_REASONS "each for its own reason: see '# SKIP' above"

/* The claims that have one reason. */
struct group {
    const char *reason;
    unsigned claims;
};

struct groups {
    enum coverage_state state;
    struct group group[CLAIM_SET_COUNT];
    size_t count;
    size_t lines; /* at most */
};

static void add_to_group(struct groups *groups, const char *reason)
{
    size_t i = 0;

    while (i < groups->count && groups->group[i].reason != reason)
        i++;
    if (i == groups->count)
        groups->group[groups->count++] = (struct group){.reason = reason};
    groups->group[i].claims++;
}

/* The largest first; those of one size stay in the order of their claims. */
static void sort(struct groups *groups)
{
    for (size_t i = 1; i < groups->count; i++) {
        struct group moved = groups->group[i];
        size_t place = i;

        for (; place > 0 && groups->group[place - 1].claims < moved.claims; place--)
            groups->group[place] = groups->group[place - 1];
        groups->group[place] = moved;
    }
}

static void find_groups(struct groups *groups, enum coverage_state state)
{
    struct coverage_claim claim;

    groups->state = state;
    groups->count = 0;
    groups->lines = state == COVERAGE_NONE ? COVERAGE_NONE_LINES : COVERAGE_INPART_LINES;
    for (size_t i = 0; coverage_claim(i, &claim); i++) {
        if (claim.state == state)
            add_to_group(groups, claim.reason);
    }
    sort(groups);
}

static bool is_last_line(const struct groups *groups, size_t i)
{
    return i + 1 == groups->lines && groups->count > groups->lines;
}

/* Whether the claim stands in line number i: the last one takes the groups that are too many. */
static bool is_in_line(const struct groups *groups, size_t i, const struct coverage_claim *claim)
{
    if (claim->state != groups->state)
        return false;
    for (size_t g = i; g < groups->count; g++) {
        if (groups->group[g].reason == claim->reason)
            return true;
        if (!is_last_line(groups, i))
            return false;
    }
    return false;
}

static bool is_of_family(const char *id, const char *member)
{
    size_t length = claim_family_length(member);

    return length == claim_family_length(id) && strncmp(id, member, length) == 0;
}

/* How many claims the family of this one has, or 0 where one of them stands elsewhere. */
static size_t whole_family(const struct groups *groups, size_t line, const char *member)
{
    struct coverage_claim claim;
    size_t size = 0;

    for (size_t i = 0; coverage_claim(i, &claim); i++) {
        if (!is_of_family(claim.id, member))
            continue;
        if (!is_in_line(groups, line, &claim))
            return 0;
        size++;
    }
    return size;
}

/* Families stand together: coverage_claim() goes by their names. */
static void format_ids(const struct groups *groups, size_t line, char text[IDS_SIZE])
{
    struct coverage_claim claim;
    unsigned more = 0;

    text[0] = '\0';
    for (size_t i = 0, size; coverage_claim(i, &claim); i += size > 1 ? size : 1) {
        size = is_in_line(groups, line, &claim) ? whole_family(groups, line, claim.id) : 1;
        if (!is_in_line(groups, line, &claim))
            continue;
        if (strlen(text) + sizeof(" T17-6.99 and 99 more") > IDS_SIZE)
            more += size > 1 ? (unsigned)size : 1;
        else if (size > 1)
            format_append(text, IDS_SIZE, " %.*s*", (int)claim_family_length(claim.id), claim.id);
        else
            format_append(text, IDS_SIZE, " %s", claim.id);
    }
    if (more > 0)
        format_append(text, IDS_SIZE, " and %u more", more);
}

bool coverage_group(enum coverage_state state, size_t i, char text[COVERAGE_LINE_SIZE])
{
    struct groups groups;
    char ids[IDS_SIZE];

    find_groups(&groups, state);
    if (i >= groups.count || i >= groups.lines)
        return false;
    format_ids(&groups, i, ids);
    format_string(text, COVERAGE_LINE_SIZE, "%s (%s)", ids + 1,
                  is_last_line(&groups, i) ? SEVERAL_REASONS : groups.group[i].reason);
    return true;
}

char *coverage_figure(char text[COVERAGE_LINE_SIZE])
{
    unsigned in_state[] = {[COVERAGE_WHOLE] = 0, [COVERAGE_IN_PART] = 0, [COVERAGE_NONE] = 0};
    struct coverage_claim claim;
    size_t claims = 0;

    for (; coverage_claim(claims, &claim); claims++)
        in_state[claim.state]++;
    format_string(text, COVERAGE_LINE_SIZE, "%zu of %zu claims checked",
                  claims - in_state[COVERAGE_NONE], claims);
    if (in_state[COVERAGE_IN_PART] > 0)
        format_append(text, COVERAGE_LINE_SIZE, ", %u of them in part", in_state[COVERAGE_IN_PART]);
    return text;
}

/* Coverage between the runner and kernel/report/coverage.h: what became of each (sub)test, and the
 * lines.
 */

#define STARVED "starved: it had too little time to end"

/* One that made no check but of its own set-up says nothing. */
static void note_made(const struct test_context *t, const char *claim, unsigned checks)
{
    if (checks > 0)
        coverage_note(t->test, claim, COVERAGE_CHECKED, NULL);
}

void coverage_note_subtest(const struct test_context *t)
{
    const struct subtests *sub = &t->sub;

    if (sub->failed && !sub->unexpected)
        coverage_note(t->test, sub->claim, COVERAGE_EXCUSED, sub->errata);
    else if (sub->starved)
        coverage_note(t->test, sub->claim, COVERAGE_SKIPPED, STARVED);
    else if (sub->skipped && !sub->failed)
        coverage_note(t->test, sub->claim, COVERAGE_SKIPPED, sub->reason);
    else
        note_made(t, sub->claim, t->checks - sub->checks_before);
}

/* What broke was checked, although no plan may have named it. Where there are subtests, what they
 * named has been noted; the rest of the test is to set it up. */
void coverage_note_test(const struct test_context *t)
{
    char errata[CONTEXT_REASON_SIZE];

    for (size_t i = 0; i < t->broken.count; i++)
        coverage_note(t->test, t->broken.ids[i], COVERAGE_CHECKED, NULL);
    if (t->starved && !t->unexpected)
        coverage_note(t->test, NULL, COVERAGE_SKIPPED, STARVED);
    else if (t->skipped && !t->failed)
        coverage_note(t->test, NULL, COVERAGE_SKIPPED, t->reason);
    else if (t->sub.has_plan)
        return;
    else if (context_failed_as_expected(t))
        coverage_note(t->test, NULL, COVERAGE_EXCUSED,
                      errata_format_counts(t->explained_in_all, errata, sizeof(errata)));
    else
        note_made(t, NULL, t->checks);
}

static void print_groups(enum coverage_state state, const char *what, const char *cpu_label)
{
    char text[COVERAGE_LINE_SIZE];

    for (size_t i = 0; coverage_group(state, i, text); i++)
        ktap_comment(LEVEL_RUN, "%s%s: %s", what, cpu_label, text);
}

void coverage_apply_scopes(const struct claim_scope *first, const struct claim_scope *end)
{
    for (const struct claim_scope *s = first; s < end; s++) {
        if (!s->covers_this())
            coverage_out_of_scope(s->claim, s->why_not);
    }
}

void coverage_print(const char *cpu_label)
{
    char text[COVERAGE_LINE_SIZE];

    ktap_comment(LEVEL_RUN, "coverage%s: %s", cpu_label, coverage_figure(text));
    print_groups(COVERAGE_NONE, "not checked", cpu_label);
    print_groups(COVERAGE_IN_PART, "checked in part", cpu_label);
}
