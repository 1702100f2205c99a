/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conditions under which the findings of a kind lie: all that they have in common, without what
 * keeps nothing out. */
#include "kernel/report/sums/sums.h"

#include "arch/trace/debugctl.h"

#define UNKNOWN 2u   /* the value of a bit of which nothing is known */
#define ECHO    16u  /* so many times rarer are none */
#define FEW     4u   /* … if they are less than one finding in so many */
#define KNOWN   4u   /* a condition must be known of one finding in so many */
#define WORTH   16u  /* a condition keeps out one part in so many of what the others leave */
#define RARE    128u /* … and of all that is right */
#define CHANCE  64u  /* what happens once in so many times by chance says nothing */
#define NAMES   10u  /* kinds of transfer in a condition, at most; more are no kind */
#define SUITES  2u
#define RINGS   2u

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
    case OF_SUITE:
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

/* Of a condition. */
static unsigned most_values(unsigned dimension)
{
    switch (dimension) {
    case OF_FROM:
    case OF_TO:
        return RINGS;
    case OF_TRANSFER:
        return NAMES;
    case OF_SUITE:
        return SUITES;
    default:
        return 1;
    }
}

/* --- the cells of a kind --- */

static uint32_t wrong_of(const struct sums_search *search, const struct sums_cell *cell)
{
    return cell->key.kind == search->kind ? cell->wrong : 0;
}

static uint32_t right_of(const struct sums_search *search, const struct sums_cell *cell)
{
    return cell->key.kind == sums_population(search->kind) ? cell->right : 0;
}

/* What is not known of a finding does not speak against a condition; of what is right it does. */
static bool is_there(const struct sums_search *search, const struct sums_key *key, bool wrong)
{
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
        unsigned value = search->is_chosen[d] ? value_of(key, d) : 0;

        if (search->is_chosen[d] && !sums_has_value(&search->found[d], value) &&
            !(wrong && value == sums_unknown(d)))
            return false;
    }
    return true;
}

uint64_t sums_there(const struct sums_search *search, bool wrong)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < search->cell_count; i++) {
        const struct sums_cell *cell = &search->in->cells[search->cells[i]];
        uint32_t own = wrong ? wrong_of(search, cell) : right_of(search, cell);

        if (own > 0 && is_there(search, &cell->key, wrong))
            count += own;
    }
    return count;
}

static void count_cell(struct sums_search *search, uint16_t number)
{
    const struct sums_cell *cell = &search->in->cells[number];
    uint32_t wrong = wrong_of(search, cell), right = right_of(search, cell);

    if (wrong + right == 0)
        return;
    search->cells[search->cell_count++] = number;
    search->wrong_cells += wrong > 0;
    search->wrong += wrong;
    search->right += right;
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
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

/* Where findings are rarer by far they are echoes: behind a record too many in a buffer that goes
 * round others seem to be missing. */
static void find_values(struct sums_search *search, unsigned dimension)
{
    uint64_t highest = highest_rate(search, dimension);

    for (unsigned value = 0; value < SUMS_NAMES; value++) {
        uint64_t wrong = search->counts[dimension].wrong[value];
        bool is_echo =
            wrong * FEW < search->wrong && rate_of(search, dimension, value) * ECHO < highest;

        if (wrong > 0 && !is_echo && value != sums_unknown(dimension))
            add_value(&search->found[dimension], value);
    }
}

static void look(struct sums_search *search, const struct sums *in, enum finding_kind kind)
{
    *search = (struct sums_search){.in = in, .kind = kind};
    for (unsigned i = 0; i < SUMS_CELLS; i++)
        count_cell(search, (uint16_t)i);
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++)
        find_values(search, d);
}

/* --- the conditions --- */

/* Would so many findings be alike by chance, if so much of what is right is like them? Findings
 * under the same conditions count once. */
static bool is_chance(const struct sums_search *search, uint64_t alike, uint64_t all)
{
    uint64_t chance = CHANCE * CHANCE;

    for (unsigned i = 0; i < search->wrong_cells && chance > CHANCE; i++)
        chance = chance * (alike + 1) / (all + 1);
    return chance > CHANCE;
}

/* A bit of IA32_DEBUGCTL that says what is recorded. */
static bool is_of_bts(unsigned dimension)
{
    uint64_t bits =
        DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR;

    return dimension >= OF_DEBUGCTL && dimension < OF_CAUSES &&
           bits >> (dimension - OF_DEBUGCTL) & 1;
}

static bool is_clear_bit(const struct sums_search *search, unsigned dimension)
{
    return dimension >= OF_DEBUGCTL && !sums_has_value(&search->found[dimension], 1);
}

/* Is it known of enough findings, the same of all, and not of all that is right? */
static bool is_common(const struct sums_search *search, unsigned dimension)
{
    const struct sums_values *found = &search->found[dimension];
    uint64_t unknown = search->counts[dimension].wrong[sums_unknown(dimension)], within = 0;

    if (sums_count_values(found) == 0 || sums_count_values(found) > most_values(dimension))
        return false;
    for (unsigned value = 0; value < SUMS_NAMES; value++)
        within += sums_has_value(found, value) ? search->counts[dimension].right[value] : 0;
    if (is_clear_bit(search, dimension) && (!is_of_bts(dimension) || within * 2 > search->right))
        return false; /* as it is nearly everywhere */
    return within < search->right && (search->wrong - unknown) * KNOWN >= search->wrong &&
           !is_chance(search, within, search->right);
}

/* Says what it is about, and not only where it was looked at: the ring that a transfer leaves, a
 * kind or few, a bit that is set. Recording is on wherever there are records. */
static bool is_telling(const struct sums_search *search, unsigned dimension)
{
    uint64_t recording = DEBUGCTL_TR | DEBUGCTL_BTS;

    if (dimension == OF_FROM)
        return true;
    if (dimension == OF_TRANSFER)
        return sums_count_values(&search->found[dimension]) <= FEW;
    if (dimension < OF_DEBUGCTL || (dimension >= OF_CAUSES && dimension < OF_UNDER))
        return false;
    return sums_has_value(&search->found[dimension], 1) &&
           !(dimension < OF_CAUSES && recording >> (dimension - OF_DEBUGCTL) & 1);
}

static uint64_t there_without(struct sums_search *search, unsigned dimension, bool wrong)
{
    uint64_t there;

    search->is_chosen[dimension] = false;
    there = sums_there(search, wrong);
    search->is_chosen[dimension] = true;
    return there;
}

/* Is too little kept out by it that the others do not keep out? */
static bool is_needless(struct sums_search *search, unsigned dimension)
{
    uint64_t with = sums_there(search, false);
    uint64_t without = there_without(search, dimension, false);

    return (without - with) * WORTH <= without || (without - with) * RARE <= search->right ||
           is_chance(search, with, without);
}

/* Where a test was found says least; a bit that is clear says less than one that is set. */
static void drop_needless(struct sums_search *search)
{
    for (unsigned i = 0; i < SUMS_DIMENSIONS; i++) {
        unsigned d = i == 0 ? OF_SUITE : i <= OF_SUITE ? i - 1 : i;

        if (search->is_chosen[d] && !is_telling(search, d))
            search->is_chosen[d] = !is_needless(search, d);
    }
}

/* The condition without which most findings are there; SUMS_DIMENSIONS if there is none. */
static unsigned narrowest(struct sums_search *search)
{
    unsigned worst = SUMS_DIMENSIONS;
    uint64_t most = 0;

    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++) {
        uint64_t without = search->is_chosen[d] ? there_without(search, d, true) : 0;

        if (search->is_chosen[d] && (worst == SUMS_DIMENSIONS || without > most)) {
            most = without;
            worst = d;
        }
    }
    return worst;
}

/* Each condition may have left out other findings as echoes. */
static void drop_narrow(struct sums_search *search)
{
    unsigned worst;

    while ((search->wrong - sums_there(search, true)) * FEW > search->wrong &&
           (worst = narrowest(search)) < SUMS_DIMENSIONS)
        search->is_chosen[worst] = false;
}

void sums_find_conditions(struct sums_search *search, const struct sums *in, enum finding_kind kind)
{
    look(search, in, kind);
    for (unsigned d = 0; d < SUMS_DIMENSIONS; d++)
        search->is_chosen[d] = is_common(search, d);
    drop_narrow(search);
    drop_needless(search);
}
