/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is broken, in words: kinds of finding with their conditions. */
#include "kernel/report/sums/sums.h"

#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/ktap.h"

#define KINDS_SHOWN 5u /* kinds of finding that have a line of their own */
#define NAMES_SHOWN 8u /* kinds of transfer in a condition; the others are counted */
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

static void add_names(char *text, const struct sums_search *search, unsigned dimension)
{
    struct sums_values left = search->found[dimension];
    unsigned count = sums_count_values(&left);

    format_append(text, SUMS_LINE, " %s=\"", dimension == OF_SUITE ? "suite" : "kind");
    for (unsigned i = 0; i < count && i < NAMES_SHOWN; i++) {
        unsigned value = most_frequent(search, dimension, &left);
        const char *name = sums_of_run()->names[value];

        left.bits[value / 64] &= ~(1ull << value % 64);
        format_append(text, SUMS_LINE, "%s%s", i > 0 ? ", " : "", name != NULL ? name : "-");
    }
    if (count > NAMES_SHOWN)
        format_append(text, SUMS_LINE, " and %u more", count - NAMES_SHOWN);
    format_append(text, SUMS_LINE, "\"");
}

static void add_rings(char *text, const char *what, const struct sums_values *found)
{
    const char *between = "";

    format_append(text, SUMS_LINE, " %s=", what);
    for (unsigned ring = 0; ring <= RING_HIDDEN; ring++) {
        if (!sums_has_value(found, ring))
            continue;
        format_append(text, SUMS_LINE, ring == RING_HIDDEN ? "%s-" : "%s%u", between, ring);
        between = ",";
    }
}

static const char *bit_name(unsigned dimension, char name[static 64])
{
    static const char *const causes[SUMS_CAUSES] = {"trigger-bts", "trigger-pebs",
                                                    "trigger-counter", "trigger-arch-pebs"};

    if (dimension == OF_CROSSING || dimension == OF_RUN)
        return dimension == OF_RUN ? "run" : "crossing";
    if (dimension >= OF_UNDER)
        return circumstance_name(dimension - OF_UNDER);
    if (dimension >= OF_CAUSES)
        return causes[dimension - OF_CAUSES];
    return debugctl_format(1ull << (dimension - OF_DEBUGCTL), name, 64);
}

static void add_bit(char *text, unsigned dimension, const struct sums_values *found)
{
    static const char *const words[] = {"0", "1", "-"};
    char name[64];

    format_append(text, SUMS_LINE, " %s=%s", bit_name(dimension, name),
                  words[sums_first_value(found) % 3]);
}

/* " BTS_OFF_OS=1", " from=0,1", " kind=\"IRET, far JMP\"". */
static void add_condition(char *text, const struct sums_search *search, unsigned dimension)
{
    const struct sums_values *found = &search->found[dimension];

    if (dimension == OF_FROM || dimension == OF_TO)
        add_rings(text, dimension == OF_FROM ? "from" : "to", found);
    else if (dimension == OF_TRANSFER || dimension == OF_SUITE)
        add_names(text, search, dimension);
    else
        add_bit(text, dimension, found);
}

/* What findings have in common beyond the conditions, and what is right has not. */
static bool is_common(const struct sums_search *search, unsigned dimension)
{
    const struct sums_values *found = &search->found[dimension];
    unsigned value = sums_first_value(found);

    if (search->is_chosen[dimension] || sums_count_values(found) != 1 ||
        search->counts[dimension].right[value] == search->right)
        return false;
    if (dimension <= OF_TRANSFER)
        return value != sums_unknown(dimension);
    return dimension >= OF_DEBUGCTL && dimension < OF_CAUSES && value == 1;
}

static void add_all(char *text, const struct sums_search *search, const char *before, bool common)
{
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
        if (common ? !is_common(search, d) : !search->is_chosen[d])
            continue;
        format_append(text, SUMS_LINE, "%s", before);
        before = "";
        add_condition(text, search, d);
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
    char share[32] = "all";
    uint64_t there = sums_there(search, false), wrong = sums_there(search, true);

    if (wrong < search->wrong)
        format_string(share, sizeof(share), "%lu of them", wrong);
    format_string(text, SUMS_LINE, "%s x%lu, %s", finding_name(search->kind), search->wrong, share);
    add_all(text, search, " where", false);
    if (has_conditions(search))
        format_append(text, SUMS_LINE, ": %lu right there, %lu elsewhere", there,
                      search->right - there);
    else
        format_append(text, SUMS_LINE, " among %lu that are right", search->right);
    if (sums_of_run()->sums.lost > 0)
        format_append(text, SUMS_LINE, ", as far as there was room to count");
    add_all(text, search, "; there too", true);
}

/* --- the kinds, the most frequent first --- */

static uint64_t count_wrong(enum finding_kind kind)
{
    const struct sums_cell *cells = sums_of_run()->sums.cells;
    uint64_t count = 0;

    for (unsigned i = 0; i < SUMS_CELLS; i++)
        count += cells[i].key.kind == kind ? cells[i].wrong : 0;
    return count;
}

/* The kind of that rank, from 0; FINDING_KINDS if there is none. */
static enum finding_kind kind_of_rank(size_t rank)
{
    uint64_t counts[FINDING_KINDS];
    unsigned most = 0;

    for (unsigned kind = 0; kind < FINDING_KINDS; kind++)
        counts[kind] = count_wrong((enum finding_kind)kind);
    for (size_t i = 0; i <= rank; i++) {
        if (i > 0)
            counts[most] = 0;
        for (unsigned kind = 0; kind < FINDING_KINDS; kind++)
            most = counts[kind] > counts[most] ? kind : most;
        if (counts[most] == 0)
            return FINDING_KINDS;
    }
    return (enum finding_kind)most;
}

static void name_others(size_t rank, char text[SUMS_LINE])
{
    enum finding_kind kind;

    format_string(text, SUMS_LINE, "and");
    for (; (kind = kind_of_rank(rank)) != FINDING_KINDS; rank++)
        format_append(text, SUMS_LINE, " %s x%lu", finding_name(kind), count_wrong(kind));
}

static bool line_of_kind(size_t i, char text[SUMS_LINE])
{
    static struct sums_search search;
    enum finding_kind kind = i <= KINDS_SHOWN ? kind_of_rank(i) : FINDING_KINDS;

    if (kind == FINDING_KINDS)
        return false;
    if (i == KINDS_SHOWN) {
        name_others(i, text);
        return true;
    }
    sums_find_conditions(&search, kind);
    describe(&search, text);
    return true;
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
