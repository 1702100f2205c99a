/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which claims explain the failures. */
#include "kernel/report/sums/sums.h"

#include "arch/lib/printf.h"

#define CLAIMS_SHOWN 3u /* with their texts */
#define LEAST        8u /* a claim that explains less than one part in so many has no line */

/* Numbers of claims; the first ones explain failures. */
static struct ranking {
    size_t claims[CLAIM_SET_COUNT], count;
    uint64_t explains[CLAIMS_SHOWN]; /* failures that no claim before explains */
    size_t explaining;               /* so many of them */
    uint64_t failures;
} ranking;

static bool has_claim(const struct sums_set *set, size_t claim)
{
    return set->claims[claim / 64] >> claim % 64 & 1;
}

static bool is_ranked(size_t claim)
{
    size_t i = 0;

    while (i < ranking.count && ranking.claims[i] != claim)
        i++;
    return i < ranking.count;
}

static bool is_explained(const struct sums_set *set)
{
    size_t i = 0;

    while (i < ranking.explaining && !has_claim(set, ranking.claims[i]))
        i++;
    return i < ranking.explaining;
}

/* Failures with the claim: all, or those that no claim so far explains. */
static uint64_t count_failures(size_t claim, bool only_left)
{
    const struct sums_set *sets = sums_of_run()->sums.sets;
    uint64_t count = 0;

    for (size_t i = 0; i < SUMS_SETS; i++) {
        if (has_claim(&sets[i], claim) && !(only_left && is_explained(&sets[i])))
            count += sets[i].failures;
    }
    return count;
}

static uint64_t failures_of(size_t claim)
{
    return count_failures(claim, false);
}

static unsigned count_claims(const struct sums_set *set)
{
    unsigned count = 0;

    for (size_t claim = 0; claim < CLAIM_SET_COUNT; claim++)
        count += has_claim(set, claim);
    return count;
}

/* Of the failures left: one that names several claims counts for each in part. */
static uint64_t score_of(size_t claim)
{
    const struct sums_set *sets = sums_of_run()->sums.sets;
    uint64_t score = 0;

    for (size_t i = 0; i < SUMS_SETS; i++) {
        if (has_claim(&sets[i], claim) && !is_explained(&sets[i]))
            score += sets[i].weight / count_claims(&sets[i]);
    }
    return score;
}

/* The first claim without a rank that has most; CLAIM_SET_COUNT where none has any. */
static size_t most_of(uint64_t (*value_of)(size_t claim))
{
    size_t most = CLAIM_SET_COUNT;
    uint64_t best = 0;

    for (size_t claim = 0; claim < sums_of_run()->claim_count; claim++) {
        uint64_t value = is_ranked(claim) ? 0 : value_of(claim);

        if (value > best) {
            best = value;
            most = claim;
        }
    }
    return most;
}

/* A greedy cover of the (sub)tests that failed. Returns false if no further claim explains much. */
static bool rank_explaining(void)
{
    size_t best = most_of(score_of);
    uint64_t explains = best < CLAIM_SET_COUNT ? count_failures(best, true) : 0;

    if (explains == 0 || explains * LEAST < ranking.failures)
        return false;
    ranking.explains[ranking.explaining++] = explains;
    ranking.claims[ranking.count++] = best;
    return true;
}

void sums_rank_claims(void)
{
    ranking = (struct ranking){.failures = 0};
    for (size_t i = 0; i < SUMS_SETS; i++)
        ranking.failures += sums_of_run()->sums.sets[i].failures;
    while (ranking.explaining < CLAIMS_SHOWN && rank_explaining())
        ;
    for (size_t next; (next = most_of(failures_of)) < CLAIM_SET_COUNT;)
        ranking.claims[ranking.count++] = next;
}

const char *sums_claim(size_t i)
{
    return i < ranking.count ? sums_of_run()->claims[ranking.claims[i]] : NULL;
}

static void describe(size_t i, char text[SUMS_LINE])
{
    char words[200];

    format_string(text, SUMS_LINE, "claim %s explains %lu of %lu failures: %s", sums_claim(i),
                  ranking.explains[i], ranking.failures,
                  claim_text(sums_claim(i), words, sizeof(words)));
}

bool sums_line_of_claim(size_t i, char text[SUMS_LINE])
{
    if (i > ranking.explaining || i >= ranking.count)
        return false;
    if (i < ranking.explaining) {
        describe(i, text);
        return true;
    }
    format_string(text, SUMS_LINE, "may follow from it:");
    for (; i < ranking.count; i++)
        format_append(text, SUMS_LINE, " %s", sums_claim(i));
    return true;
}
