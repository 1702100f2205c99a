/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/sums/sums.h"

#include "arch/lib/string.h"

#define PROBES 64u /* places that a key may have */

static struct sums_of_run of_run;
static struct sums of_test; /* of the running one, by the numbers of of_run */

const struct sums_of_run *sums_of_run(void)
{
    return &of_run;
}

const struct sums *sums_of_test(void)
{
    return &of_test;
}

enum finding_kind sums_population(enum finding_kind kind)
{
    switch (kind) {
    case FINDING_RECORD_FROM:
    case FINDING_RECORD_TO:
    case FINDING_RECORD_FLAGS:
    case FINDING_RECORD_ORDER:
        return FINDING_RECORD_MISSING;
    case FINDING_LBR_FROM:
    case FINDING_LBR_TO:
    case FINDING_LBR_FLAGS:
        return FINDING_LBR_MISSING;
    default:
        return kind;
    }
}

/* --- numbers for names and claims --- */

uint8_t sums_name(const char *name)
{
    if (name == NULL)
        return 0;
    for (size_t i = 1; i < SUMS_NAMES && of_run.names[i] != NULL; i++) {
        if (of_run.names[i] == name)
            return (uint8_t)i;
    }
    for (size_t i = 1; i < SUMS_NAMES; i++) {
        if (of_run.names[i] == NULL)
            of_run.names[i] = name;
        if (strcmp(of_run.names[i], name) == 0)
            return (uint8_t)i;
    }
    return 0;
}

/* CLAIM_SET_COUNT when there is no room. */
static size_t claim_number(const char *id)
{
    for (size_t i = 0; i < of_run.claim_count; i++) {
        if (strcmp(of_run.claims[i], id) == 0)
            return i;
    }
    if (of_run.claim_count == CLAIM_SET_COUNT)
        return CLAIM_SET_COUNT;
    of_run.claims[of_run.claim_count] = id;
    return of_run.claim_count++;
}

/* --- cells --- */

_Static_assert(sizeof(struct sums_key) == 16, "keys are compared and hashed as two words");

static bool is_same(const struct sums_key *a, const struct sums_key *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static size_t place_of(const struct sums_key *key)
{
    uint64_t words[2];

    memcpy(words, key, sizeof(words));
    words[0] = (words[0] ^ words[1] * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return words[0] >> 40;
}

static void add(struct sums *to, const struct sums_key *key, uint32_t wrong, uint32_t right)
{
    size_t first = place_of(key);

    if (wrong + right == 0)
        return;
    for (size_t i = 0; i < PROBES; i++) {
        struct sums_cell *cell = &to->cells[(first + i) % SUMS_CELLS];

        if (cell->wrong + cell->right == 0)
            cell->key = *key;
        else if (!is_same(&cell->key, key))
            continue;
        cell->wrong += wrong;
        cell->right += right;
        return;
    }
    to->lost++;
}

void sums_count(const struct sums_key *key, uint32_t wrong, uint32_t right)
{
    add(&of_test, key, wrong, right);
}

void sums_found(const struct finding *finding)
{
    sums_see(&of_test.seen[finding->kind], finding);
}

static void see_all(struct sums *to, const struct sums *from)
{
    for (unsigned kind = 0; kind < FINDING_KINDS; kind++)
        sums_see_again(&to->seen[kind], &from->seen[kind]);
}

/* --- claims --- */

static void add_set(struct sums *to, const struct sums_set *set)
{
    for (struct sums_set *at = to->sets; at < to->sets + SUMS_SETS; at++) {
        if (at->failures > 0 && memcmp(at->claims, set->claims, sizeof(at->claims)) != 0)
            continue;
        memcpy(at->claims, set->claims, sizeof(at->claims));
        at->failures += set->failures;
        at->weight += set->weight;
        return;
    }
    to->lost++;
}

static void set_claim(struct sums_set *set, const char *id)
{
    size_t number = claim_number(id);

    if (number < CLAIM_SET_COUNT)
        set->claims[number / 64] |= 1ull << number % 64;
}

void sums_failure(const struct claim_set *broken)
{
    struct sums_set set = {.failures = 1};

    for (size_t i = 0; i < broken->count; i++)
        set_claim(&set, broken->ids[i]);
    add_set(&of_test, &set);
}

/* Sixteen times the square root, rounded down. */
static uint64_t root_of(uint64_t number)
{
    uint64_t root = 0;

    while ((root + 1) * (root + 1) <= number * 256)
        root++;
    return root;
}

/* As many parts of one test as there are: together they count as their number's root. */
static void weigh_sets(struct sums_set sets[static SUMS_SETS])
{
    uint64_t parts = 0;

    for (size_t i = 0; i < SUMS_SETS; i++)
        parts += sets[i].failures;
    for (size_t i = 0; i < SUMS_SETS && sets[i].failures > 0; i++)
        sets[i].weight = sets[i].failures * SUMS_WEIGHT / root_of(parts);
}

/* --- of tests, and of the run --- */

void sums_begin(void)
{
    memset(&of_test, 0, sizeof(of_test));
}

void sums_keep(void)
{
    for (size_t i = 0; i < SUMS_CELLS; i++)
        add(&of_run.sums, &of_test.cells[i].key, of_test.cells[i].wrong, of_test.cells[i].right);
    see_all(&of_run.sums, &of_test);
    weigh_sets(of_test.sets);
    for (size_t i = 0; i < SUMS_SETS && of_test.sets[i].failures > 0; i++)
        add_set(&of_run.sums, &of_test.sets[i]);
    of_run.sums.lost += of_test.lost;
    sums_begin();
}

static void add_cell_of(const struct sums_of_run *its, const struct sums_cell *cell)
{
    struct sums_key key = cell->key;

    key.suite = sums_name(its->names[key.suite % SUMS_NAMES]);
    key.transfer = sums_name(its->names[key.transfer % SUMS_NAMES]);
    sums_count(&key, cell->wrong, cell->right);
}

static void add_set_of(const struct sums_of_run *its, const struct sums_set *set)
{
    struct sums_set here = {.failures = set->failures, .weight = set->weight};

    for (size_t i = 0; i < its->claim_count && i < CLAIM_SET_COUNT; i++) {
        if (set->claims[i / 64] >> i % 64 & 1)
            set_claim(&here, its->claims[i]);
    }
    add_set(&of_run.sums, &here);
}

/* By this processor's numbers. */
void sums_add_all(const struct sums_of_run *its)
{
    sums_begin();
    see_all(&of_test, &its->sums);
    for (size_t i = 0; i < SUMS_CELLS; i++)
        add_cell_of(its, &its->sums.cells[i]);
    for (size_t i = 0; i < SUMS_SETS && its->sums.sets[i].failures > 0; i++)
        add_set_of(its, &its->sums.sets[i]);
    of_test.lost += its->sums.lost;
    sums_keep();
}
