/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/end_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/sums/sums.h"

#define TEXT_SIZE 160u

void end_broken_add(struct screen_flow *flow)
{
    for (size_t i = 0; i < sums_kinds(); i++)
        screen_flow_add(flow, COLOUR_BAD, "%s", sums_line(i));
    screen_flow_space(flow);
}

/* --- the grid in small --- */

#define HALF         (PROGRESS_CELLS / 2) /* cells whose first digit is 0 */
#define COLUMNS      9u                   /* those, and two cells each of the others */
#define LABEL_WIDTH  22
#define GRID_COLUMNS (LABEL_WIDTH + COLUMNS * 5u)
#define GRID_ROWS    5u

static const struct {
    const char *name;
    enum finding_place place;
} grid_rows[] = {
    {"ring 0", PLACE_RING_0}, {"rings 1 to 3", PLACE_OTHER_RINGS}, {"the rest", PLACE_NONE}};

/* The cells of a column: [first, end). */
static unsigned first_of(unsigned column)
{
    return column == 0 ? 0 : HALF + 2 * (column - 1);
}

static unsigned end_of(unsigned column)
{
    return HALF + 2 * column;
}

struct tally {
    unsigned right, wrong, known, unknown, unchecked;
};

/* A failed cell whose findings all lie elsewhere is right here. */
static void take_cell(struct tally *tally, enum progress_mark mark, unsigned places,
                      enum finding_place place)
{
    if (mark == MARK_FAILED && places == 0)
        tally->unknown++; /* failed on another processor, or hung */
    else if (mark == MARK_FAILED && places & place)
        tally->wrong++;
    else if (mark == MARK_OK || mark == MARK_FAILED)
        tally->right++;
    else if (mark == MARK_KNOWN)
        tally->known++;
    else
        tally->unchecked++;
}

static const char *word_of(const struct progress *p, unsigned column, enum finding_place place)
{
    struct tally n = {0};

    for (unsigned i = first_of(column); i < end_of(column); i++)
        take_cell(&n, p->cells[i], p->places[i], place);
    if (n.wrong > 0)
        return "BAD";
    if (n.unknown > 0)
        return "?";
    if (n.right + n.known == 0)
        return ".";
    return n.unchecked > 0 ? "part" : n.known > 0 ? "(ok)" : "ok";
}

static bool was_checked(const struct progress *p)
{
    bool is = false;

    for (unsigned i = 0; i < PROGRESS_CELLS; i++)
        is |= p->cells[i] == MARK_OK || p->cells[i] == MARK_KNOWN || p->cells[i] == MARK_FAILED;
    return is;
}

static void add_heading(struct screen_flow *flow, const struct suite_grid *grid)
{
    char text[TEXT_SIZE];

    format_string(text, sizeof(text), "%-*s 0---", LABEL_WIDTH, grid->digits);
    for (unsigned i = 0; i < COLUMNS - 1; i++)
        format_append(text, sizeof(text), " 1%u%u%u", i >> 2 & 1, i >> 1 & 1, i & 1);
    screen_flow_add(flow, COLOUR_PLAIN, "%s", text);
}

static void add_row(struct screen_flow *flow, const struct progress *p, unsigned row)
{
    char text[TEXT_SIZE];
    bool is_bad = false;

    format_string(text, sizeof(text), "%-*s", LABEL_WIDTH, grid_rows[row].name);
    for (unsigned i = 0; i < COLUMNS; i++) {
        const char *word = word_of(p, i, grid_rows[row].place);

        is_bad |= strcmp(word, "BAD") == 0;
        format_append(text, sizeof(text), " %-4s", word);
    }
    screen_flow_add(flow, is_bad ? COLOUR_BAD : COLOUR_PLAIN, "%s", text);
}

void end_grid_add(struct screen_flow *flow, const struct progress *p)
{
    if (p == NULL || p->grid == NULL || !was_checked(p) || flow->first.columns < GRID_COLUMNS)
        return;
    screen_flow_need(flow, GRID_ROWS);
    screen_flow_add(flow, COLOUR_BRIGHT, "%s: ok right, BAD wrong, . not checked, part in part",
                    p->grid->title);
    add_heading(flow, p->grid);
    for (unsigned row = 0; row < sizeof(grid_rows) / sizeof(grid_rows[0]); row++)
        add_row(flow, p, row);
    screen_flow_space(flow);
}

/* --- the claims --- */

void end_claims_add(struct screen_flow *flow)
{
    for (size_t i = sums_kinds(); sums_line(i) != NULL; i++)
        screen_flow_add(flow, COLOUR_PLAIN, "%s", sums_line(i));
    screen_flow_space(flow);
}
