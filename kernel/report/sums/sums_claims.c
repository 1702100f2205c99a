/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which claims explain the failures. */
#include "kernel/report/sums/sums.h"

#include "arch/lib/printf.h"

#define CLAIMS_SHOWN 3u  /* with their texts */
#define LEAST        20u /* a claim that explains less than one part in so many has no line */
#define SCALE        4096u

/* A greedy cover of the (sub)tests that failed. */
struct cover {
    bool is_named[CLAIM_SET_COUNT];
    uint64_t failures, left; /* in all, and unexplained so far */
    uint64_t explained;      /* by the claim named last */
};

static bool has_claim(const struct sums_set *set, size_t claim)
{
    return set->claims[claim / 64] >> claim % 64 & 1;
}

static bool is_explained(const struct cover *cover, const struct sums_set *set)
{
    for (size_t claim = 0; claim < CLAIM_SET_COUNT; claim++) {
        if (cover->is_named[claim] && has_claim(set, claim))
            return true;
    }
    return false;
}

/* Failures with the claim: all, or those that no claim named so far explains. */
static uint64_t count_failures(const struct cover *cover, size_t claim, bool only_left)
{
    const struct sums_set *sets = sums_of_run()->sums.sets;
    uint64_t count = 0;

    for (size_t i = 0; i < SUMS_SETS; i++) {
        if (has_claim(&sets[i], claim) && !(only_left && is_explained(cover, &sets[i])))
            count += sets[i].failures;
    }
    return count;
}

/* As in Ochiai's similarity: it counts that the claim is broken in many failures, and that few
 * (sub)tests of it pass. */
static uint64_t score(const struct cover *cover, size_t claim)
{
    uint64_t left = count_failures(cover, claim, true);
    uint64_t failed = count_failures(cover, claim, false);

    if (left == 0)
        return 0;
    return left * left * SCALE / (failed + sums_of_run()->sums.passed[claim]);
}

/* Names the next claim. Returns it, or CLAIM_SET_COUNT if the others explain too little. */
static size_t name_next(struct cover *cover)
{
    size_t best = 0;

    for (size_t claim = 1; claim < sums_of_run()->claim_count; claim++) {
        if (score(cover, claim) > score(cover, best))
            best = claim;
    }
    cover->explained = count_failures(cover, best, true);
    if (cover->explained == 0 || cover->explained * LEAST < cover->failures)
        return CLAIM_SET_COUNT;
    cover->is_named[best] = true;
    cover->left -= cover->explained;
    return best;
}

static void begin(struct cover *cover)
{
    *cover = (struct cover){.failures = 0};
    for (size_t i = 0; i < SUMS_SETS; i++)
        cover->failures += sums_of_run()->sums.sets[i].failures;
    cover->left = cover->failures;
}

static void describe(const struct cover *cover, size_t claim, char text[SUMS_LINE])
{
    const char *id = sums_of_run()->claims[claim];
    char words[200];

    format_string(text, SUMS_LINE,
                  "claim %s explains %lu of %lu failures; %u that name it pass: %s", id,
                  cover->explained, cover->failures, sums_of_run()->sums.passed[claim],
                  claim_text(id, words, sizeof(words)));
}

/* The claim that broke most often and has not been named; CLAIM_SET_COUNT if there is none. */
static size_t most_frequent(const struct cover *cover)
{
    size_t most = CLAIM_SET_COUNT;
    uint64_t failures = 0;

    for (size_t claim = 0; claim < sums_of_run()->claim_count; claim++) {
        if (cover->is_named[claim] || count_failures(cover, claim, false) <= failures)
            continue;
        failures = count_failures(cover, claim, false);
        most = claim;
    }
    return most;
}

/* Claims that broke and have no line. Returns false if there are none. */
static bool name_rest(struct cover *cover, char text[SUMS_LINE])
{
    size_t claim, count = 0;

    format_string(text, SUMS_LINE, "may follow from it:");
    for (; (claim = most_frequent(cover)) != CLAIM_SET_COUNT; count++) {
        cover->is_named[claim] = true;
        format_append(text, SUMS_LINE, " %s", sums_of_run()->claims[claim]);
    }
    return count > 0;
}

bool sums_line_of_claim(size_t i, char text[SUMS_LINE])
{
    struct cover cover;

    begin(&cover);
    for (size_t line = 0; line <= i; line++) {
        size_t claim = line < CLAIMS_SHOWN ? name_next(&cover) : CLAIM_SET_COUNT;

        if (claim == CLAIM_SET_COUNT)
            return line == i && name_rest(&cover, text);
        describe(&cover, claim, text);
    }
    return true;
}
