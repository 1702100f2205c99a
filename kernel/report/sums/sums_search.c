/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fewest conditions under which the findings of a kind lie, by a greedy search. */
#include "kernel/report/sums/sums.h"

#define UNKNOWN    2u  /* the value of a bit of which nothing is known */
#define WORTH      8u  /* a further condition takes away one part in so many of what is right */
#define ECHO       16u /* so many times fewer are none */
#define MOST       4u  /* all findings but one part in so many meet the conditions */
#define CONDITIONS 4u  /* at most */

static unsigned value_of(const struct sums_key *key, unsigned dimension)
{
    switch (dimension) {
    case OF_FROM:
        return key->from;
    case OF_TO:
        return key->to;
    case OF_CROSSING:
        return key->from == RING_HIDDEN ? UNKNOWN : key->from != key->to;
    case OF_TRANSFER:
        return key->transfer;
    case OF_SUITE:
        return key->suite;
    case OF_RUN:
        return key->has_run;
    }
    if (dimension >= OF_UNDER)
        return key->under >> (dimension - OF_UNDER) & 1;
    if (!key->has_run)
        return UNKNOWN;
    if (dimension >= OF_CAUSES)
        return key->causes >> (dimension - OF_CAUSES) & 1;
    return key->debugctl >> (dimension - OF_DEBUGCTL) & 1;
}

unsigned sums_unknown(unsigned dimension)
{
    switch (dimension) {
    case OF_FROM:
    case OF_TO:
        return RING_HIDDEN;
    case OF_TRANSFER:
        return 0;
    default:
        return UNKNOWN;
    }
}

static void add_value(struct sums_values *values, unsigned value)
{
    values->bits[value / 64 % 2] |= 1ull << value % 64;
}

bool sums_has_value(const struct sums_values *values, unsigned value)
{
    return values->bits[value / 64 % 2] >> value % 64 & 1;
}

unsigned sums_count_values(const struct sums_values *values)
{
    unsigned count = 0;

    for (unsigned value = 0; value < SUMS_NAMES; value++)
        count += sums_has_value(values, value);
    return count;
}

unsigned sums_first_value(const struct sums_values *values)
{
    unsigned value = 0;

    while (value < SUMS_NAMES && !sums_has_value(values, value))
        value++;
    return value;
}

static bool is_alone(const struct sums_values *values, unsigned value)
{
    return sums_has_value(values, value) && sums_count_values(values) == 1;
}

static bool is_bit(unsigned dimension)
{
    return dimension >= OF_RUN || dimension == OF_CROSSING;
}

/* --- the cells of a kind --- */

static bool is_found(const struct sums_search *search, const struct sums_cell *cell)
{
    return cell->wrong > 0 && cell->key.kind == search->kind;
}

static bool is_right(const struct sums_search *search, const struct sums_cell *cell)
{
    return cell->right > 0 && cell->key.kind == sums_population(search->kind);
}

/* Does it meet every condition that is chosen? */
static bool is_there(const struct sums_search *search, const struct sums_key *key)
{
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
        if (search->is_chosen[d] && !sums_has_value(&search->found[d], value_of(key, d)))
            return false;
    }
    return true;
}

uint64_t sums_there(const struct sums_search *search, bool wrong)
{
    const struct sums_cell *cells = sums_of_run()->sums.cells;
    uint64_t count = 0;

    for (unsigned i = 0; i < SUMS_CELLS; i++) {
        bool counts = wrong ? is_found(search, &cells[i]) : is_right(search, &cells[i]);

        if (counts && is_there(search, &cells[i].key))
            count += wrong ? cells[i].wrong : cells[i].right;
    }
    return count;
}

static void count_cell(struct sums_search *search, const struct sums_cell *cell)
{
    uint32_t wrong = is_found(search, cell) ? cell->wrong : 0;
    uint32_t right = is_right(search, cell) ? cell->right : 0;

    search->wrong += wrong;
    search->right += right;
    for (unsigned d = 0; d < SUMS_DIMENSIONS && wrong + right > 0; d++) {
        search->counts[d].wrong[value_of(&cell->key, d)] += wrong;
        search->counts[d].right[value_of(&cell->key, d)] += right;
    }
}

/* Findings in a million checks. */
static uint64_t rate_of(const struct sums_search *search, unsigned dimension, unsigned value)
{
    uint64_t wrong = search->counts[dimension].wrong[value];

    return wrong > 0 ? wrong * 1000000 / (wrong + search->counts[dimension].right[value]) : 0;
}

/* Of the values that many findings have. */
static uint64_t highest_rate(const struct sums_search *search, unsigned dimension)
{
    uint64_t highest = 0;

    for (unsigned value = 0; value < SUMS_NAMES; value++) {
        bool has_many = search->counts[dimension].wrong[value] * ECHO >= search->wrong;

        if (has_many && rate_of(search, dimension, value) > highest)
            highest = rate_of(search, dimension, value);
    }
    return highest;
}

/* Of few findings the value is not known: the condition is that of the others. */
static bool is_unknown(const struct sums_search *search, unsigned dimension, unsigned value)
{
    return value == sums_unknown(dimension) &&
           search->counts[dimension].wrong[value] * MOST < search->wrong;
}

/* Where findings are rarer by far they are echoes: behind a record too many in a buffer that goes
 * round others seem to be missing. */
static void find_values(struct sums_search *search, unsigned dimension)
{
    uint64_t highest = highest_rate(search, dimension);

    for (unsigned value = 0; value < SUMS_NAMES; value++) {
        uint64_t rate = rate_of(search, dimension, value);

        if (rate > 0 && rate * ECHO >= highest && !is_unknown(search, dimension, value))
            add_value(&search->found[dimension], value);
    }
}

static void look(struct sums_search *search, enum finding_kind kind)
{
    *search = (struct sums_search){.kind = kind};
    for (unsigned i = 0; i < SUMS_CELLS; i++)
        count_cell(search, &sums_of_run()->sums.cells[i]);
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++)
        find_values(search, d);
}

/* --- the search --- */

/* Of conditions that take away as much, one that a bit is set says most. */
static unsigned cost_of(const struct sums_search *search, unsigned dimension)
{
    const struct sums_values *found = &search->found[dimension];

    if (dimension == OF_TRANSFER)
        return 1 + sums_count_values(found);
    return is_alone(found, is_bit(dimension) ? 1 : 0) ? 2 : 3;
}

static bool is_worth(uint64_t before, uint64_t after)
{
    return after == 0 || (before - after) * WORTH >= before;
}

/* What a further condition takes away of what is right; 0 if that is too little, or if it leaves
 * too few findings. */
static uint64_t gain_of(struct sums_search *search, unsigned dimension, uint64_t before)
{
    uint64_t after, wrong;

    if (is_bit(dimension) && sums_count_values(&search->found[dimension]) > 1)
        return 0;
    search->is_chosen[dimension] = true;
    after = sums_there(search, false);
    wrong = sums_there(search, true);
    search->is_chosen[dimension] = false;
    if (!is_worth(before, after) || (search->wrong - wrong) * MOST > search->wrong)
        return 0;
    return (before - after) * 64 / cost_of(search, dimension);
}

/* Chooses the condition that takes away most of what is right. Returns false if none is worth it.
 */
static bool choose(struct sums_search *search, unsigned first, unsigned end)
{
    uint64_t before = sums_there(search, false), best = 0;
    unsigned at = SUMS_DIMENSIONS;

    for (unsigned d = first; d < end && before > 0; d++) {
        uint64_t gain;

        if (search->is_chosen[d] || (d == OF_SUITE && first != OF_SUITE))
            continue;
        gain = gain_of(search, d, before);
        if (gain > best) {
            best = gain;
            at = d;
        }
    }
    if (at < SUMS_DIMENSIONS)
        search->is_chosen[at] = true;
    return at < SUMS_DIMENSIONS;
}

/* A condition chosen early may have become needless by later ones. */
static void drop_needless(struct sums_search *search)
{
    uint64_t there = sums_there(search, false);

    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
        if (!search->is_chosen[d])
            continue;
        search->is_chosen[d] = false;
        search->is_chosen[d] = sums_there(search, false) > there;
    }
}

/* The suite says where, not what: only if nothing else tells findings from the rest. */
void sums_find_conditions(struct sums_search *search, enum finding_kind kind)
{
    unsigned count = 0;

    look(search, kind);
    while (count < CONDITIONS && choose(search, 0, SUMS_DIMENSIONS))
        count++;
    if (count == 0)
        choose(search, OF_SUITE, OF_SUITE + 1);
    drop_needless(search);
}
