/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is broken, in words: kinds of finding with their conditions. */
#include "kernel/report/sums/sums.h"

#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/ktap.h"

#define KINDS_SHOWN 5u /* kinds of finding that have a line of their own */
#define LINES_MOST  16u

/* The value that most findings have, among those left. */
static unsigned most_frequent(const struct sums_search *search, unsigned dimension,
                              const struct sums_values *left)
{
    unsigned most = sums_first_value(left);

    for (unsigned value = most; value < SUMS_NAMES; value++) {
        if (sums_has_value(left, value) &&
            search->counts[dimension].wrong[value] > search->counts[dimension].wrong[most])
            most = value;
    }
    return most;
}

/* "of IRET, SYSCALL", "in suite probe". */
static void add_names(char *text, const struct sums_search *search, unsigned dimension)
{
    struct sums_values left = search->found[dimension];
    const char *between = dimension == OF_SUITE ? " in suite " : " of ";

    for (unsigned count = sums_count_values(&left); count > 0; count--) {
        unsigned value = most_frequent(search, dimension, &left);
        const char *name = sums_of_run()->names[value];

        left.bits[value / 64] &= ~(1ull << value % 64);
        format_append(text, SUMS_LINE, "%s%s", between, name != NULL ? name : "-");
        between = ", ";
    }
}

static void add_rings(char *text, const char *what, const struct sums_values *found)
{
    const char *between = "";

    format_append(text, SUMS_LINE, " %s ring ", what);
    for (unsigned ring = 0; ring < RING_HIDDEN; ring++) {
        if (!sums_has_value(found, ring))
            continue;
        format_append(text, SUMS_LINE, "%s%u", between, ring);
        between = " or ";
    }
}

/* "BTS_OFF_OS=1", "trigger-pebs=1", "where the buffer is full". */
static void add_bit(char *text, unsigned dimension, bool is_set)
{
    static const char *const causes[SUMS_CAUSES] = {"trigger-bts", "trigger-pebs",
                                                    "trigger-counter", "trigger-arch-pebs"};
    char name[64];

    if (dimension >= OF_UNDER)
        format_append(text, SUMS_LINE, " where %s", circumstance_words(dimension - OF_UNDER));
    else if (dimension >= OF_CAUSES)
        format_append(text, SUMS_LINE, " %s=%u", causes[dimension - OF_CAUSES], is_set);
    else
        format_append(text, SUMS_LINE, " %s=%u",
                      debugctl_format(1ull << (dimension - OF_DEBUGCTL), name, sizeof(name)),
                      is_set);
}

static void add_condition(char *text, const struct sums_search *search, unsigned dimension)
{
    const struct sums_values *found = &search->found[dimension];
    bool is_set = sums_has_value(found, 1);

    switch (dimension) {
    case OF_FROM:
    case OF_TO:
        add_rings(text, dimension == OF_FROM ? "from" : "to", found);
        break;
    case OF_CROSSING:
        format_append(text, SUMS_LINE, " where the ring %s", is_set ? "changes" : "stays");
        break;
    case OF_TRANSFER:
    case OF_SUITE:
        add_names(text, search, dimension);
        break;
    default:
        add_bit(text, dimension, is_set);
    }
}

static bool is_setting(unsigned dimension)
{
    return dimension >= OF_DEBUGCTL && dimension < OF_UNDER;
}

/* " from ring 0, of IRET, with TR=1 BTS=1, where the buffer is full" */
static void add_conditions(char *text, const struct sums_search *search)
{
    unsigned before = SUMS_DIMENSIONS;

    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
        bool goes_on = before < SUMS_DIMENSIONS && is_setting(before) && is_setting(d);

        if (!search->is_chosen[d])
            continue;
        format_append(text, SUMS_LINE, "%s%s", before < SUMS_DIMENSIONS && !goes_on ? "," : "",
                      is_setting(d) && !goes_on ? " with" : "");
        add_condition(text, search, d);
        before = d;
    }
}

static bool has_conditions(const struct sums_search *search)
{
    bool any = false;

    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++)
        any |= search->is_chosen[d];
    return any;
}

static void describe(const struct sums_search *search, char text[SUMS_LINE])
{
    uint64_t there = sums_there(search, false), wrong = sums_there(search, true);
    enum finding_kind kind = search->kind;

    format_string(text, SUMS_LINE, "%s: %lu (%s)", finding_words(kind), search->wrong,
                  finding_name(kind));
    if (has_conditions(search)) {
        if (wrong < search->wrong)
            format_append(text, SUMS_LINE, ", %lu of them", wrong);
        else
            format_append(text, SUMS_LINE, ", all");
        add_conditions(text, search);
    }
    sums_say_seen(text, search);
    if (has_conditions(search))
        format_append(text, SUMS_LINE, "; held there: %lu, elsewhere: %lu", there,
                      search->right - there);
    else
        format_append(text, SUMS_LINE, "; held: %lu", search->right);
}

/* --- the kinds, the most frequent first --- */

/* Findings by kind. */
struct counts {
    uint64_t of[FINDING_KINDS];
};

static struct counts count_wrong(const struct sums *in)
{
    struct counts counts = {{0}};

    for (unsigned i = 0; i < SUMS_CELLS; i++)
        counts.of[in->cells[i].key.kind] += in->cells[i].wrong;
    return counts;
}

/* The kind of that rank, from 0; FINDING_KINDS if there is none. */
static enum finding_kind kind_of_rank(struct counts counts, size_t rank)
{
    unsigned most = 0;

    for (size_t i = 0; i <= rank; i++) {
        if (i > 0)
            counts.of[most] = 0;
        for (unsigned kind = 0; kind < FINDING_KINDS; kind++)
            most = counts.of[kind] > counts.of[most] ? kind : most;
        if (counts.of[most] == 0)
            return FINDING_KINDS;
    }
    return (enum finding_kind)most;
}

static void name_others(size_t rank, char text[SUMS_LINE])
{
    const struct counts counts = count_wrong(&sums_of_run()->sums);
    enum finding_kind kind;

    format_string(text, SUMS_LINE, "and");
    for (; (kind = kind_of_rank(counts, rank)) != FINDING_KINDS; rank++)
        format_append(text, SUMS_LINE, " %s x%lu", finding_name(kind), counts.of[kind]);
}

static void put_kind_in_words(const struct sums *in, enum finding_kind kind, char text[SUMS_LINE])
{
    static struct sums_search search;

    sums_find_conditions(&search, in, kind);
    describe(&search, text);
    if (in->lost > 0)
        format_append(text, SUMS_LINE, ", as far as there was room to count");
}

static bool line_of_kind(size_t i, char text[SUMS_LINE])
{
    const struct sums *run = &sums_of_run()->sums;
    enum finding_kind kind = i <= KINDS_SHOWN ? kind_of_rank(count_wrong(run), i) : FINDING_KINDS;

    if (kind == FINDING_KINDS)
        return false;
    if (i == KINDS_SHOWN)
        name_others(i, text);
    else
        put_kind_in_words(run, kind, text);
    return true;
}

void sums_line_of_test(char text[SUMS_LINE])
{
    const struct sums *test = sums_of_test();
    const struct counts counts = count_wrong(test);
    enum finding_kind kind = kind_of_rank(counts, 0);

    text[0] = '\0';
    if (kind != FINDING_KINDS && counts.of[kind] > 1)
        put_kind_in_words(test, kind, text);
}

/* --- all lines: the search takes long, and pages are drawn often --- */

static char lines[LINES_MOST][SUMS_LINE];
static size_t line_count, kind_count;

static void put_in_words(void)
{
    line_count = 0;
    while (line_count < LINES_MOST && line_of_kind(line_count, lines[line_count]))
        line_count++;
    kind_count = line_count;
    sums_rank_claims();
    while (line_count < LINES_MOST &&
           sums_line_of_claim(line_count - kind_count, lines[line_count]))
        line_count++;
}

const char *sums_line(size_t i)
{
    return i < line_count ? lines[i] : NULL;
}

size_t sums_kinds(void)
{
    return kind_count;
}

void sums_print(void)
{
    put_in_words();
    for (size_t i = 0; i < line_count; i++)
        ktap_comment(LEVEL_RUN, "broken: %s", lines[i]);
}
